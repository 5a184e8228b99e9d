import CoreDataPredicates
import Foundation

/// Writes a schema as a model's archived description objects, in Apple's classes and keys.
struct ModelArchiver {
  let schema: ModelSchema
  let form: ModelArchiveForm
  var builder = ArchiveBuilder()
  /// Places kept for objects that refer to each other.
  let model: PropertyListValue
  var entities: [String: PropertyListValue] = [:]
  /// The names of the entities that inherit directly from each other one, in code-point order.
  private let subentities: [String?: [String]]
  var relationships: [RelationshipPlace: PropertyListValue] = [:]

  struct RelationshipPlace: Hashable {
    var entity: String
    var name: String
  }

  init(schema: ModelSchema, form: ModelArchiveForm) {
    let schema = schema.canonical
    self.schema = schema
    self.form = form
    subentities = Dictionary(grouping: schema.entities, by: \.superentityName)
      .mapValues { $0.map(\.name).sortedByCodePoints() }
    model = builder.reserve()
    for entity in schema.entities {
      entities[entity.name] = builder.reserve()
      for relationship in entity.relationships {
        let place = RelationshipPlace(entity: entity.name, name: relationship.name)
        relationships[place] = builder.reserve()
      }
    }
  }

  mutating func data() throws(ArchiveError) -> Data {
    var fields: [String: PropertyListValue] = [
      "NSEntities": try archivedEntities(),
      "NSFetchRequestTemplates": try archivedTemplates(),
      "NSVersionIdentifiers": builder.set(
        schema.versionIdentifiers.sortedByCodePoints().map { builder.text($0) }
      ),
    ]
    if !schema.configurations.isEmpty { fields["NSConfigurations"] = archivedConfigurations() }
    builder.object("NSManagedObjectModel", fields, at: model)
    return builder.data(root: model)
  }

  private mutating func archivedEntities() throws(ArchiveError) -> PropertyListValue {
    let place = builder.reserve()
    var entries: [(key: String, value: PropertyListValue)] = []
    for entity in schema.entities { entries.append((entity.name, try archived(entity))) }
    switch form {
    case .model: _ = builder.dictionary(entries, at: place)
    case .cache: builder.knownKeysDictionary(entries, at: place)
    }
    return place
  }

  private mutating func archivedTemplates() throws(ArchiveError) -> PropertyListValue {
    guard !schema.fetchRequestTemplates.isEmpty else { return ArchiveBuilder.null }
    var entries: [(key: String, value: PropertyListValue)] = []
    for request in schema.fetchRequestTemplates {
      entries.append((request.name, try archived(request)))
    }
    return builder.dictionary(entries)
  }

  private mutating func archivedConfigurations() -> PropertyListValue {
    var entries: [(key: String, value: PropertyListValue)] = []
    for (name, members) in schema.configurations.sortedByCodePoints(\.key) {
      let references = members.sortedByCodePoints().compactMap { entities[$0] }
      entries.append((name, builder.set(references)))
    }
    return builder.dictionary(entries)
  }
}

/// The two forms of model archives.
enum ModelArchiveForm {
  /// A `.mom` file: entities have their own properties.
  case model
  /// A store's cache: entities also have copies of inherited properties.
  case cache
}

// MARK: - Entities

extension ModelArchiver {
  private mutating func archived(_ entity: EntitySchema) throws(ArchiveError) -> PropertyListValue {
    let subentities = (subentities[entity.name] ?? []).map {
      ($0, entities[$0] ?? ArchiveBuilder.null)
    }
    var fields: [String: PropertyListValue] = [
      "NSEntityName": builder.text(entity.name),
      "NSClassNameForEntity": entity.archivesClass.value
        ? builder.text(entity.className.isEmpty ? "NSManagedObject" : entity.className)
        : ArchiveBuilder.null,
      "NSManagedObjectModel": model,
      "NSProperties": try archivedProperties(of: entity),
      "NSSubentities": builder.dictionary(subentities),
      "NSSuperentity": entity.superentityName.flatMap { entities[$0] } ?? ArchiveBuilder.null,
      "NSUserInfo": builder.userInfo(entity.userInfo),
      "NSVersionHashModifier": builder.text(entity.versionHashModifier),
      "NSRenamingIdentifier": builder.text(entity.renamingIdentifier ?? entity.name),
    ]
    if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
    if !entity.uniquenessConstraints.isEmpty {
      let tuples = entity.uniquenessConstraints.map { builder.texts($0) }
      fields["NSUniqueTuples"] = builder.array(tuples)
    }
    if !entity.indexes.isEmpty {
      fields["NSFetchIndexDescriptions"] = try archivedIndexes(of: entity)
    }
    let compounds = entity.indexes.compactMap(\.plainCompound)
    if form == .model, !compounds.isEmpty {
      // Frameworks from before fetch indexes read this.
      let lists = compounds.map { builder.texts($0) }
      fields["NSCompoundIndexes"] = builder.array(lists)
    }
    let place = entities[entity.name]
    return builder.object("NSEntityDescription", fields, at: place)
  }

  private mutating func archivedProperties(
    of entity: EntitySchema
  ) throws(ArchiveError) -> PropertyListValue {
    var declared = [entity]
    if form == .cache { declared = schema.entityChain(of: entity.name) }
    var entries: [(key: String, value: PropertyListValue)] = []
    for ancestor in declared.reversed() {
      for property in ancestor.properties {
        let reference = try archived(property, of: entity, isOwn: ancestor.name == entity.name)
        entries.append((property.name, reference))
      }
    }
    return builder.dictionary(entries)
  }

  private mutating func archivedIndexes(
    of entity: EntitySchema
  ) throws(ArchiveError) -> PropertyListValue {
    var indexes: [PropertyListValue] = []
    for index in entity.indexes {
      let place = builder.reserve()
      var elements: [PropertyListValue] = []
      for element in index.elements {
        elements.append(try archived(element, of: place, "\(entity.name).\(index.name)"))
      }
      let condition = try archivedPredicate(
        index.partialPredicateFormat,
        "\(entity.name).\(index.name)"
      )
      builder.object(
        "NSFetchIndexDescription",
        [
          "NSIndexName": builder.text(index.name),
          "NSEntity": entities[entity.name] ?? ArchiveBuilder.null,
          "NSIndexElements": builder.array(elements),
          "NSPartialIndexPredicate": condition,
        ],
        at: place
      )
      indexes.append(place)
    }
    return builder.array(indexes)
  }

  private mutating func archived(
    _ element: FetchIndexSchema.Element,
    of index: PropertyListValue,
    _ place: String
  ) throws(ArchiveError) -> PropertyListValue {
    var fields: [String: PropertyListValue] = [
      "NSFetchIndexElementType": .integer(Int64(element.collation.rawValue)),
      "NSAscending": .boolean(element.isAscending),
      "NSFetchIndexDescription": index,
    ]
    switch element.subject {
    case .property(let name):
      fields["NSPropertyName"] = builder.text(name)
    case .expression(let format):
      fields["NSPropertyName"] = builder.text(format)
      fields["NSIndexedProperty"] = builder.object(
        "NSExpressionDescription",
        [
          "NSPropertyName": builder.text(format),
          "NSExpression": try archivedExpression(format, place),
        ]
      )
    }
    return builder.object("NSFetchIndexElementDescription", fields)
  }
}

// MARK: - Predicates

extension ModelArchiver {
  /// A predicate; `place` is the name of the part of the model that has it, for sentences.
  mutating func archivedPredicate(
    _ format: String?,
    _ place: String
  ) throws(ArchiveError) -> PropertyListValue {
    guard let format else { return ArchiveBuilder.null }
    do {
      return try builder.predicate(PredicateFormat.predicate(format))
    } catch {
      throw ArchiveError("the predicate of \(place) cannot be archived: \(error); correct it")
    }
  }

  mutating func archivedExpression(
    _ format: String,
    _ place: String
  ) throws(ArchiveError) -> PropertyListValue {
    do {
      let tree = try PredicateFormat.expression(format)
      return try builder.expression(DerivationFormat.unfolded(tree))
    } catch {
      throw ArchiveError("the expression of \(place) cannot be archived: \(error); correct it")
    }
  }
}

extension ArchiveBuilder {
  /// The user info of a composite, in which SwiftData notes enumerations.
  ///
  /// Apple's archives have a Boolean and a list where texts are in this package's schemas.
  mutating func userInfo(ofComposite texts: [String: String]) -> PropertyListValue {
    let entries = texts.sortedByCodePoints(\.key).map { key, text -> (String, PropertyListValue) in
      switch (key, text) {
      case (EnumerationKey.mark, "1"): (key, value(.boolean(true)))
      case (EnumerationKey.cases, _):
        (key, self.texts(text.split(separator: ",").map(String.init)))
      case _: (key, self.text(text))
      }
    }
    return dictionary(entries, class: "NSDictionary")
  }

  mutating func userInfo(_ texts: [String: String]) -> PropertyListValue {
    let entries = texts.sortedByCodePoints(\.key).map { (key: $0.key, value: text($0.value)) }
    return dictionary(entries, class: "NSDictionary")
  }
}

extension FetchIndexSchema {
  /// The properties of an index of several, as older archives can say it; nil for all others.
  fileprivate var plainCompound: [String]? {
    guard partialPredicateFormat == nil, elements.count > 1 else { return nil }
    var names: [String] = []
    for element in elements {
      guard element.isAscending, element.collation == .binary,
        case .property(let name) = element.subject
      else { return nil }
      names.append(name)
    }
    return names
  }
}
