import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// The store in figures, and the entities with their properties and the number of their objects.
struct StoreSummary {
  let store: OpenStore
  let source: StudioSource

  /// The time within which objects are counted; what is left is estimated.
  let countingTime: Duration

  func json() throws -> JSONValue {
    let facts = try store.facts(counting: countingTime)
    let counts = try counts(facts)
    let entities = store.schema.entities.map { entity in json(entity, counts[entity.name]) }
    return [
      "name": .text(source.name),
      "hasStore": .boolean(store.contents.coordinator != nil),
      "isSQLite": .boolean(facts != nil),
      "canChange": .boolean(store.contents.coordinator != nil && source.openForChanges != nil),
      "modelPlace": .text(store.contents.modelPlace),
      "entities": .array(entities),
      "facts": .array(lines(facts)),
    ]
  }

  /// The number of an entity's own objects, and whether it is exact.
  private func counts(_ facts: StoreFacts?) throws -> [String: (number: Int, isExact: Bool)] {
    guard let coordinator = store.contents.coordinator else { return [:] }
    var counts: [String: (number: Int, isExact: Bool)] = [:]
    if let facts {
      for entity in facts.entities {
        counts[entity.name] = entity.count.map { ($0.number, $0.isExact) }
      }
      return counts
    }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for entity in store.schema.entities where !entity.isAbstract {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
        request.includesSubentities = false
        counts[entity.name] = (try context.count(for: request), true)
      }
    }
    return counts
  }

  private func lines(_ facts: StoreFacts?) -> [JSONValue] {
    guard let facts else { return [] }
    let size = facts.database.pageSize * facts.database.pageCount
    let uuid = facts.metadata[NSStoreUUIDKey] as? String
    let rows: [(String, String?)] = [
      ("Size", "\(size)"), ("Journal", facts.database.journalMode), ("UUID", uuid),
      ("History", facts.history == nil ? "not kept" : "kept"),
    ]
    return rows.compactMap { name, text in
      text.map { ["name": .text(name), "text": .text($0)] }
    }
  }
}

// MARK: - Entities

extension StoreSummary {
  private func json(_ entity: EntitySchema, _ count: (number: Int, isExact: Bool)?) -> JSONValue {
    [
      "name": .text(entity.name),
      "parent": entity.superentityName.map { .text($0) } ?? .null,
      "isAbstract": .boolean(entity.isAbstract),
      "count": count.map { .integer($0.number) } ?? .null,
      "isExact": .boolean(count?.isExact ?? true),
      "properties": .array(
        entity.attributes.map(json) + entity.relationships.map(json)
          + entity.fetchedProperties.map { ["name": .text($0.name), "type": "fetched"] }
      ),
    ]
  }

  private func json(_ attribute: AttributeSchema) -> JSONValue {
    [
      "name": .text(attribute.name), "type": .text(attribute.type.word),
      "isOptional": .boolean(attribute.isOptional), "isTransient": .boolean(attribute.isTransient),
      "elements": .array(attribute.elements.map(json)),
    ]
  }

  private func json(_ relationship: RelationshipSchema) -> JSONValue {
    [
      "name": .text(relationship.name), "type": "relationship",
      "destination": .text(relationship.destinationName),
      "isToMany": .boolean(relationship.isToMany), "isOptional": .boolean(relationship.isOptional),
      "inverse": relationship.inverseName.map { .text($0) } ?? .null,
      "deleteRule": .text(relationship.deleteRule.word),
    ]
  }
}
