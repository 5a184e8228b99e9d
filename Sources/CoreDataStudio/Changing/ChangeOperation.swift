import CoreData
import CoreDataModel
import CoreDataStoreCare
import CoreDataStrictJSON
import CoreDataWebServer
import Foundation

/// One change that a page asks for.
///
/// ```json
/// {"op": "set", "object": "Note/p1", "key": "title", "value": "Shopping"}
/// {"op": "set", "object": "Note/p1", "key": "folder", "value": "Folder/p2"}
/// {"op": "add", "object": "Note/p1", "key": "tags", "member": "Tag/p3"}       remove
/// {"op": "insert", "entity": "Note"}      {"op": "delete", "object": "Note/p1"}
/// ```
struct ChangeOperation: Decodable {
  enum Kind: String, Decodable {
    case set, add, remove, insert, delete
  }

  let op: Kind
  var object: String?
  var entity: String?
  var key: String?
  var value: CoreDataStrictJSON.JSONValue?
  var member: String?
}

extension ChangeSession {
  /// Makes a change.
  ///
  /// - Returns: The name of the object that it is about.
  /// - Throws: A `Problem` with a sentence about the property.
  func apply(_ operation: ChangeOperation) throws -> String {
    try change { context in
      switch operation.op {
      case .insert: return try insert(operation, in: context)
      case .delete:
        let object = try object(operation.object ?? "", in: context)
        context.delete(object)
        return name(of: object)
      case .set: return try set(operation, in: context)
      case .add, .remove: return try changeMembers(operation, in: context)
      }
    }
  }

  private func insert(
    _ operation: ChangeOperation,
    in context: NSManagedObjectContext
  ) throws -> String {
    let name = operation.entity ?? ""
    guard let entity = contents.coordinator?.managedObjectModel.entitiesByName[name] else {
      let question = Spelling.question(name, among: schema.entities.map(\.name))
      throw Problem(404, "The model has no entity “\(name.prefix(200))”\(question)")
    }
    if entity.isAbstract {
      throw Problem(400, "\(name) is abstract; insert an object of an entity below it.")
    }
    let object = NSManagedObject(entity: entity, insertInto: context)
    remember(object)
    return self.name(of: object)
  }

  private func set(
    _ operation: ChangeOperation,
    in context: NSManagedObjectContext
  ) throws -> String {
    let object = try object(operation.object ?? "", in: context)
    let (key, entity) = (operation.key ?? "", object.entity.name ?? "")
    switch schema.property(key, of: entity) {
    case .relationship(let relationship)? where !relationship.isToMany:
      try lead(object, relationship, to: operation.value, in: context)
    case .attribute(let attribute)?:
      try set(attribute, at: key, of: object, to: operation.value)
    case .relationship?:
      throw Problem(400, "\(entity).\(key) is a to-many relationship; add or remove members.")
    case .fetched?:
      throw Problem(400, "\(entity).\(key) is a fetched property and cannot be set.")
    case nil:
      guard let element = try schema.element(at: key, of: entity) else {
        let names = schema.entityChain(of: entity).flatMap(\.propertyNames)
        throw Problem(
          400,
          "\(entity) has no property “\(key.prefix(200))”\(Spelling.question(key, among: names))"
        )
      }
      try set(element, at: key, of: object, to: operation.value)
    }
    return name(of: object)
  }

  private func set(
    _ attribute: AttributeSchema,
    at key: String,
    of object: NSManagedObject,
    to value: CoreDataStrictJSON.JSONValue?
  ) throws {
    let place = "\(object.entity.name ?? "").\(key)"
    let typed = try TypedValue(value, for: attribute, at: place).value
    if key.contains(".") {
      object.setValue(typed, forKeyPath: key)
    } else {
      object.setValue(typed, forKey: key)
    }
  }
}

// MARK: - Relationships

extension ChangeSession {
  private func lead(
    _ object: NSManagedObject,
    _ relationship: RelationshipSchema,
    to value: CoreDataStrictJSON.JSONValue?,
    in context: NSManagedObjectContext
  ) throws {
    switch value {
    case nil, .null?: object.setValue(nil, forKey: relationship.name)
    case .text(let name)?:
      object.setValue(try target(name, relationship, in: context), forKey: relationship.name)
    case .bool?, .integer?, .number?, .list?, .object?:
      throw Problem(400, "\(relationship.name) leads to an object such as Folder/p1, or to nil.")
    }
  }

  /// The object at the other end, of the entity that the relationship leads to.
  private func target(
    _ name: String,
    _ relationship: RelationshipSchema,
    in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    let target = try object(name, in: context)
    let destination = relationship.destinationName
    guard schema.isEntity(target.entity.name ?? "", kindOf: destination) else {
      throw Problem(
        400,
        "\(relationship.name) leads to objects of \(destination), and \(name) is one of "
          + "\(target.entity.name ?? "another entity")."
      )
    }
    return target
  }

  private func changeMembers(
    _ operation: ChangeOperation,
    in context: NSManagedObjectContext
  ) throws -> String {
    let object = try object(operation.object ?? "", in: context)
    let (key, entity) = (operation.key ?? "", object.entity.name ?? "")
    guard case .relationship(let relationship)? = schema.property(key, of: entity),
      relationship.isToMany, !relationship.isTransient
    else { throw Problem(400, "\(entity) has no to-many relationship “\(key.prefix(200))”.") }
    let member = try target(operation.member ?? "", relationship, in: context)
    if relationship.isOrdered {
      let members = object.mutableOrderedSetValue(forKey: key)
      if operation.op == .add { members.add(member) } else { members.remove(member) }
    } else {
      let members = object.mutableSetValue(forKey: key)
      if operation.op == .add { members.add(member) } else { members.remove(member) }
    }
    return name(of: object)
  }
}

// MARK: - Values

/// A value of JSON in the type of an attribute.
///
/// ```
/// Boolean   true            Integer, Double   3   2.5   "9223372036854775807"     Decimal   "12.50"
/// Date      "2024-05-10"    UUID, URI, String "…"                                 Data      Base64
/// ```
struct TypedValue {
  /// As key-value coding takes it; `nil` for no value.
  let value: Any?

  /// - Throws: A `Problem` with status 400 that says what the attribute takes.
  init(
    _ value: CoreDataStrictJSON.JSONValue?,
    for attribute: AttributeSchema,
    at place: String
  ) throws {
    if attribute.derivationExpression != nil {
      throw Problem(400, "\(place) is derived from other values; change those.")
    }
    if attribute.isTransient { throw Problem(400, "\(place) is transient, and is not stored.") }
    guard let value, value != .null else {
      self.value = nil
      return
    }
    let form = PlainValue.form(of: attribute.type)
    guard let form else {
      throw Problem(400, "\(place) has the type \(attribute.type.word), and is not changed here.")
    }
    guard let text = Self.text(value, attribute.type),
      let plain = PlainValue(text, attribute.type)
    else { throw Problem(400, "\(place) is \(form).") }
    self.value = plain.boxed
  }

  /// The text that a JSON value of the right kind means; `nil` for other kinds.
  private static func text(
    _ value: CoreDataStrictJSON.JSONValue,
    _ type: AttributeType
  ) -> String? {
    switch (value, type) {
    case (.bool(let flag), .boolean): flag ? "yes" : "no"
    case (_, .boolean): nil
    case (.integer(let number), .integer16), (.integer(let number), .integer32),
      (.integer(let number), .integer64), (.integer(let number), .double),
      (.integer(let number), .float), (.integer(let number), .decimal):
      String(number)
    case (.number(let number), .double), (.number(let number), .float),
      (.number(let number), .decimal):
      number.description
    case (.text(let text), _): text
    case (_, _): nil
    }
  }
}
