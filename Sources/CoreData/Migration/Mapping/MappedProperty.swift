import CoreDataModel
import CoreDataPredicates
import Foundation

/// One property of one object that is made: the value that its mapping gives, and whether it fits.
///
/// A value that key-value coding would stop the program for is an error here: mapping models are data.
struct MappedProperty {
  let name: String
  let mapping: String
  let object: NSManagedObject

  /// Mapping and property, for errors: `NoteToMemo, Memo.title`.
  var place: String { "\(mapping), \(object.layout.name).\(name)" }

  func set(_ value: Any?) throws {
    guard let slot = object.layout.slot(named: name) else {
      throw unfit("there is no such property", "Correct the name in the mapping model.")
    }
    let entry = object.layout.slots[slot]
    switch entry.kind {
    case .fetched:
      throw unfit("a fetched property has no value of its own", "Take it out of the mapping model.")
    case .toOne:
      object.setValue(try target(in: value, at: slot), forKey: name)
    case .toMany:
      object.setValue(NSSet(array: try targets(in: value, at: slot)), forKey: name)
    case .orderedToMany:
      object.setValue(NSOrderedSet(array: try targets(in: value, at: slot)), forKey: name)
    case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
      .transformable, .composite, .object:
      // The store computes it.
      if entry.attribute?.derivationExpression != nil { return }
      try setAttribute(SlotValue.unwrapped(value), at: slot)
    }
  }

  private func setAttribute(_ value: Any?, at slot: Int) throws {
    if let value, object.accepted(value, at: slot) == nil {
      throw unfit(
        "it takes \(object.expectation(at: slot)), and the expression gives \(type(of: value))",
        "Convert the value in the expression, with CAST, or in a policy."
      )
    }
    object.setValue(value, forKey: name)
  }

  private func target(in value: Any?, at slot: Int) throws -> NSManagedObject? {
    let targets = try targets(in: value, at: slot)
    guard targets.count <= 1 else {
      throw unfit(
        "the relationship leads to one object, and the expression gives \(targets.count)",
        "Choose one of them in the expression or in a policy."
      )
    }
    return targets.first
  }

  private func targets(in value: Any?, at slot: Int) throws -> [NSManagedObject] {
    let targets: [NSManagedObject]
    do {
      targets = try MappedObjects(value).objects
    } catch {
      throw MappingFailure.expression(place: place, reason: error.description)
    }
    for target in targets { try check(target, at: slot) }
    return targets
  }

  private func check(_ target: NSManagedObject, at slot: Int) throws {
    guard target.managedObjectContext === object.managedObjectContext else {
      throw unfit(
        "the expression gives a \(target.layout.name) of the source",
        "Ask $manager for what was made of it, with "
          + "destinationInstancesForEntityMappingNamed:sourceInstances:."
      )
    }
    guard let end = object.layout.slots[slot].end,
      let destination = object.layout.model[number: end.destination],
      !target.layout.isKind(of: destination)
    else { return }
    throw unfit(
      "the relationship leads to \(destination.name), and the expression gives a \(target.layout.name)",
      "Name the entity mapping that makes objects of \(destination.name)."
    )
  }

  private func unfit(_ problem: String, _ remedy: String) -> MappingFailure {
    .unfit(place: place, problem: problem, remedy: remedy)
  }
}
