import CoreDataPredicates
import Foundation

/// The keys that expressions of mapping models read from a manager.
///
/// ```
/// $manager.sourceContext
/// FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "TagToLabel", $source.tags)
/// ```
extension NSMigrationManager: KeyValueReadable {
  package func keyValue(_ key: String) -> Any? {
    switch key {
    case "sourceContext": work?.source.context
    case "destinationContext": work?.destination.context
    case "sourceModel": sourceModel
    case "destinationModel": destinationModel
    case "mappingModel": work?.mapping
    case "currentEntityMapping": work?.current?.mapping
    case "migrationProgress": migrationProgress
    case "usesStoreSpecificMigrationManager": usesStoreSpecificMigrationManager
    case "userInfo": userInfo
    case _: nil
    }
  }
}

/// Without a runtime that finds methods by their names, these are the methods that mapping models are known to call.
extension NSMigrationManager: SelectorPerforming {
  package func perform(selector: String, with arguments: [Any?]) throws -> Any?? {
    switch (selector, arguments.count) {
    case ("destinationInstancesForEntityMappingNamed:sourceInstances:", 2):
      let name = try mappingName(arguments[0])
      let sources = try MappedObjects(arguments[1]).objects
      return .some(instances(made: sources, by: [name]))
    case ("destinationInstancesForSourceRelationshipNamed:sourceInstances:", 2):
      let name = try text(arguments[0], "the name of a relationship")
      let sources = try MappedObjects(arguments[1]).objects
      return .some(instances(made: sources, ofRelationship: name))
    case ("sourceInstancesForEntityMappingNamed:destinationInstances:", 2):
      let name = try mappingName(arguments[0])
      let objects = try MappedObjects(arguments[1]).objects
      return .some(sourceInstances(forEntityMappingName: name, destinationInstances: objects))
    case ("fetchRequestForSourceEntityNamed:predicateString:", 2):
      return .some(
        try request(
          text(arguments[0], "the name of an entity"),
          text(arguments[1], "the format of a predicate")
        )
      )
    case ("sourceEntityForEntityMapping:", 1):
      return .some((arguments[0] as? NSEntityMapping).flatMap(sourceEntity))
    case ("destinationEntityForEntityMapping:", 1):
      return .some((arguments[0] as? NSEntityMapping).flatMap(destinationEntity))
    case _:
      return .none
    }
  }

  private func text(_ argument: Any?, _ meaning: String) throws -> String {
    guard let text = argument as? String else {
      throw EvaluationError("\(meaning) is expected, not \(argument.map { "\($0)" } ?? "nil")")
    }
    return text
  }

  private func mappingName(_ argument: Any?) throws -> String {
    let name = try text(argument, "the name of an entity mapping")
    guard work?.mapping.entityMappingsByName[name] != nil else {
      throw EvaluationError("the mapping model has no entity mapping \(name)")
    }
    return name
  }

  /// Objects of one entity: those of its subentities have mappings of their own.
  private func request(
    _ entityName: String,
    _ format: String
  ) throws -> NSFetchRequest<NSManagedObject> {
    guard work?.source.layout(entityName) != nil else {
      throw EvaluationError("the source has no entity \(entityName)")
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
    request.includesSubentities = false
    request.predicate = try NSPredicate(parsing: format)
    return request
  }

  /// Returns the objects that any mapping has made of the objects of a relationship, as far as the relationship that
  /// is being set may contain them.
  private func instances(
    made sources: [NSManagedObject],
    ofRelationship name: String
  ) -> [NSManagedObject] {
    guard let work else { return [] }
    let all = instances(made: sources, by: work.mapping.mappings.map { $0.name })
    guard let step = work.current, let property = step.property?.name,
      let layout = work.destination.layout(step.mapping.destinationEntityName),
      let slot = layout.slot(named: property), let end = layout.slots[slot].end,
      let destination = layout.model[number: end.destination]
    else { return all }
    return all.filter { $0.layout.isKind(of: destination) }
  }
}
