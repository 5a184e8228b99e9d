import CoreData
import CoreDataModel
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// An object with its pending values, as a form that changes it.
///
/// Made and used on the queue of the session's context.
struct EditedObject {
  let pending: PendingChanges
  let object: NSManagedObject

  /// Longer texts and data are not sent to a form, which would cut them.
  private static let longest = 200_000
  private static let mostMembers = 200

  private var session: ChangeSession { pending.session }

  var json: JSONValue {
    let entity = object.entity.name ?? ""
    let chain = session.schema.entityChain(of: entity)
    let attributes = chain.flatMap(\.attributes).filter { !$0.isTransient }
      .flatMap { Self.parts(of: $0, [$0.name]) }
    let relationships = chain.flatMap(\.relationships).filter { !$0.isTransient }
    return [
      "id": .text(session.name(of: object)), "entity": .text(entity),
      "title": pending.title(of: object).map { .text($0) } ?? .null,
      "isDeleted": .boolean(object.isDeleted),
      "isInserted": .boolean(object.objectID.isTemporaryID),
      "fields": .array(attributes.map { field($0.path, $0.attribute) }),
      "one": .array(relationships.filter { !$0.isToMany }.sorted { $0.name < $1.name }.map(one)),
      "many": .array(relationships.filter(\.isToMany).sorted { $0.name < $1.name }.map(many)),
    ]
  }

  /// A composite attribute has a field for each element.
  private static func parts(
    of attribute: AttributeSchema,
    _ path: [String]
  ) -> [(path: [String], attribute: AttributeSchema)] {
    guard attribute.type == .composite else { return [(path, attribute)] }
    return attribute.elements.flatMap { parts(of: $0, path + [$0.name]) }
  }

  private func field(_ path: [String], _ attribute: AttributeSchema) -> JSONValue {
    let key = path.joined(separator: ".")
    let value = path.count > 1 ? object.value(forKeyPath: key) : object.value(forKey: key)
    let text = text(value, attribute)
    return [
      "key": .text(key), "type": .text(attribute.type.word),
      "isOptional": .boolean(attribute.isOptional),
      "isNil": .boolean(value == nil),
      "text": text.map { .text($0) } ?? .null,
      "cell": pending.cell(value, attribute),
      "reason": reason(attribute, value, text).map { .text($0) } ?? .null,
    ]
  }

  /// The value as a form sends it back; `nil` for values that a form does not have.
  private func text(_ value: Any?, _ attribute: AttributeSchema) -> String? {
    guard let value else { return "" }
    switch ShownCell(value, of: attribute.type) {
    case .text(let text): return text.utf8.count > Self.longest ? nil : text
    case .number(let digits): return digits
    case .boolean(let flag): return flag ? "yes" : "no"
    case .date(let date): return date.iso8601
    case .nothing, .data, .file, .archived, .object, .members: return nil
    }
  }

  /// The reason why a form does not change an attribute.
  private func reason(_ attribute: AttributeSchema, _ value: Any?, _ text: String?) -> String? {
    if attribute.derivationExpression != nil { return "It is derived from other values." }
    switch attribute.type {
    case .transformable: return "Only its program can make such a value; you can remove it."
    case .undefined, .objectID, .composite: return "Values of this type are not changed here."
    case .binaryData: return nil
    case .string, .uri, .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean,
      .date, .uuid:
      return text == nil ? "It is too long for a form." : nil
    }
  }
}

// MARK: - Relationships

extension EditedObject {
  private func one(_ relationship: RelationshipSchema) -> JSONValue {
    [
      "key": .text(relationship.name), "destination": .text(relationship.destinationName),
      "isOptional": .boolean(relationship.isOptional),
      "nameKey": nameKey(of: relationship.destinationName),
      "cell": pending.link(object.value(forKey: relationship.name)),
    ]
  }

  private func many(_ relationship: RelationshipSchema) -> JSONValue {
    let value = object.value(forKey: relationship.name)
    let members: [NSManagedObject]
    if let ordered = value as? NSOrderedSet {
      members = ordered.array.compactMap { $0 as? NSManagedObject }
    } else {
      members = PendingChanges.objects(value).sorted {
        session.name(of: $0).localizedStandardCompare(session.name(of: $1)) == .orderedAscending
      }
    }
    return [
      "key": .text(relationship.name), "destination": .text(relationship.destinationName),
      "isOrdered": .boolean(relationship.isOrdered),
      "nameKey": nameKey(of: relationship.destinationName),
      "total": .integer(members.count),
      "members": .array(members.prefix(Self.mostMembers).map(pending.link)),
    ]
  }

  /// The attribute by which pages look for objects of an entity.
  private func nameKey(of entity: String) -> JSONValue {
    guard let layout = session.contents.coordinator?.layout[entity],
      let name = ColumnChoice(layout, session.schema, isDetailed: false).name
    else { return .null }
    return .text(name.title)
  }
}
