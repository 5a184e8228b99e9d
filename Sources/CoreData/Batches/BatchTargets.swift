import CoreDataModel
import CoreDataPredicates
import Foundation

/// Finds the objects that the rows of a batch lead to, by their identities or by values that are unique.
///
/// Each value is looked for once, with one statement.
package final class BatchTargets {
  private let context: NSManagedObjectContext
  private var found: [Wanted: NSManagedObjectID] = [:]

  private struct Wanted: Hashable {
    let slot: Int
    let value: AnyHashable
  }

  init(_ context: NSManagedObjectContext) {
    self.context = context
  }

  /// The object to which a relationship leads for a value; `nil` if the value is null.
  ///
  /// Throws if the value does not lead to an object; errors call its place `place`.
  func target(
    _ value: Any,
    at slot: Int,
    of layout: EntityLayout,
    place: @autoclosure () -> String
  ) throws -> NSManagedObjectID? {
    guard let value = SlotValue.unwrapped(value) else { return nil }
    guard let hashable = value as? AnyHashable else {
      throw failure("is not a value that an object can be found by", value, slot, layout, place())
    }
    let wanted = Wanted(slot: slot, value: hashable)
    if let id = found[wanted] { return id }
    let id = try identity(value) ?? search(value, slot, layout, place())
    found[wanted] = id
    return id
  }

  /// The object that a URI names, as a URL or as text.
  private func identity(_ value: Any) -> NSManagedObjectID? {
    let uri = value as? URL ?? (value as? String).flatMap { URL(string: $0) }
    guard let uri, uri.scheme == "x-coredata" else { return nil }
    return context.requiredCoordinator.managedObjectID(forURIRepresentation: uri)
  }

  private func search(
    _ value: Any,
    _ slot: Int,
    _ layout: EntityLayout,
    _ place: String
  ) throws -> NSManagedObjectID {
    guard
      let destination = layout.slots[slot].end.flatMap({ layout.model[number: $0.destination] }),
      let unique = destination.uniqueAttribute
    else {
      throw failure(
        "cannot be found by a value, because no single attribute of its entity is unique",
        value,
        slot,
        layout,
        place
      )
    }
    let name = destination.slots[unique].name
    guard destination.accepted(value, at: unique) != nil else {
      throw failure("has another type than \(destination.name).\(name)", value, slot, layout, place)
    }
    let request = NSFetchRequest<NSManagedObjectID>(entityName: destination.name)
    request.resultType = .managedObjectIDResultType
    request.predicate = NSPredicate(format: "%K == %@", argumentArray: [name, value])
    request.includesPendingChanges = false
    request.fetchLimit = 1
    guard let id = try context.fetch(request).first else {
      throw failure("is the \(name) of no \(destination.name)", value, slot, layout, place)
    }
    return id
  }

  private func failure(
    _ why: String,
    _ value: Any,
    _ slot: Int,
    _ layout: EntityLayout,
    _ place: String
  ) -> NSError {
    BatchFailure.wrongTarget(
      "\(layout.name).\(layout.slots[slot].name)",
      target: "\(value)",
      why: why,
      place: place,
      code: NSManagedObjectValidationError
    ).error(key: layout.slots[slot].name, value: value)
  }
}

extension EntityLayout {
  /// The attribute that alone identifies the objects of the entity, if there is one.
  fileprivate var uniqueAttribute: Int? {
    constraints.first { constraint in
      constraint.slots.count == 1 && constraint.slots.allSatisfy { slots[$0].attribute != nil }
    }?.slots.first
  }
}
