import CoreDataPredicates
import Foundation

// MARK: - What policies do unless they are told otherwise

extension NSMigrationManager {
  /// Makes the object for one of the source, with attributes.
  func makeInstance(for source: NSManagedObject, in mapping: NSEntityMapping) throws {
    guard let layout = work?.destination.layout(mapping.destinationEntityName) else { return }
    guard !layout.isAbstract else {
      throw MappingFailure.unfit(
        place: mapping.name,
        problem: "the entity \(layout.name) is abstract, so that no object can be made of it",
        remedy: "Map the objects to one of its subentities, or choose the type Remove."
      ).error()
    }
    let object = NSEntityDescription.insertNewObject(
      forEntityName: layout.name,
      into: destinationContext
    )
    try translating {
      for property in mapping.attributeMappings ?? [] {
        try set(property, of: object, from: source, in: mapping)
      }
      for name in unmapped(mapping, mapping.attributeMappings, of: object, as: source) {
        guard let slot = layout.slot(named: name), layout.slots[slot].attribute != nil else {
          continue
        }
        try MappedProperty(name: name, mapping: mapping.name, object: object)
          .set(source.value(forKey: name))
      }
    }
    associate(sourceInstance: source, withDestinationInstance: object, for: mapping)
  }

  /// Sets the relationships of an object that was made.
  func relateInstance(_ object: NSManagedObject, in mapping: NSEntityMapping) throws {
    let source = associations.sources(of: object, by: mapping.name).first?
      .object(in: sourceContext)
    try translating {
      for property in mapping.relationshipMappings ?? [] {
        try set(property, of: object, from: source, in: mapping)
      }
      guard let source else { return }
      for name in unmapped(mapping, mapping.relationshipMappings, of: object, as: source) {
        let property = NSPropertyMapping()
        property.name = name
        property.valueExpression = .madeOfRelationship(name)
        guard object.layout.slot(named: name).flatMap({ object.layout.slots[$0].end }) != nil else {
          continue
        }
        try set(property, of: object, from: source, in: mapping)
      }
    }
  }

  /// The properties that a copy takes over although no mapping speaks of them.
  private func unmapped(
    _ mapping: NSEntityMapping,
    _ properties: [NSPropertyMapping]?,
    of object: NSManagedObject,
    as source: NSManagedObject
  ) -> [String] {
    guard mapping.mappingType == .copyEntityMappingType else { return [] }
    let mapped = Set((properties ?? []).compactMap(\.name))
    return object.layout.slots.prefix(object.layout.propertyCount).compactMap { slot in
      guard slot.isPersistent, !mapped.contains(slot.name),
        let old = source.layout.slot(named: slot.name), source.layout.slots[old].isPersistent,
        (source.layout.slots[old].end == nil) == (slot.end == nil)
      else { return nil }
      return slot.name
    }
  }
}

extension CoreDataPredicates.NSExpression {
  /// The objects that were made of the objects of a relationship of the source.
  fileprivate static func madeOfRelationship(_ name: String) -> CoreDataPredicates.NSExpression {
    CoreDataPredicates.NSExpression(
      tree: .message(
        target: .variable(NSMigrationManagerKey),
        selector: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
        arguments: [
          .constant(Constant(name)), .path(.variable(NSMigrationSourceObjectKey), [name]),
        ]
      )
    )
  }
}

// MARK: - Values

extension NSMigrationManager {
  private func set(
    _ property: NSPropertyMapping,
    of object: NSManagedObject,
    from source: NSManagedObject?,
    in mapping: NSEntityMapping
  ) throws {
    guard let tree = property.valueExpression?.tree, let name = property.name else { return }
    let mapped = MappedProperty(name: name, mapping: mapping.name, object: object)
    // The one form that most mappings have needs no evaluation.
    if case .keyPath(.variable(NSMigrationSourceObjectKey), let names) = tree, names.count == 1,
      let source
    {
      return try mapped.set(source.value(forKey: names[0]))
    }
    work?.current?.property = property
    defer { work?.current?.property = nil }
    let value: Any?
    do {
      value = try tree.value(
        with: source,
        context: variables(property, object, source, mapping)
      )
    } catch {
      try checkCancelled()
      if let policy = work?.current?.policy, let thrown = policy.thrown {
        policy.thrown = nil
        throw MappingFailure.isOne(thrown)
          ? thrown
          : MappingFailure.policy(
            "\(type(of: policy))",
            mapping: mapping.name,
            step: "an expression",
            thrown
          )
      }
      throw MappingFailure.expression(place: mapped.place, reason: error.description)
    }
    try mapped.set(value)
  }

  /// Returns the variables of an expression.
  private func variables(
    _ property: NSPropertyMapping,
    _ object: NSManagedObject,
    _ source: NSManagedObject?,
    _ mapping: NSEntityMapping
  ) -> NSMutableDictionary {
    let variables: NSMutableDictionary = [
      NSMigrationManagerKey: self,
      NSMigrationSourceObjectKey: source ?? NSNull(),
      NSMigrationDestinationObjectKey: object,
      NSMigrationEntityMappingKey: mapping,
      NSMigrationPropertyMappingKey: property,
    ]
    variables[NSMigrationEntityPolicyKey] = work?.current?.policy
    return variables
  }

  /// Failures as errors that policies can catch.
  private func translating(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let failure as MappingFailure {
      throw failure.error()
    }
  }
}
