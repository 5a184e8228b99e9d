import CoreDataPredicates
import Foundation

// MARK: - Objects as values

extension NSManagedObjectContext {
  /// Fetches objects and returns the values that a shape names.
  ///
  /// ```swift
  /// let notes = try await container.read { context in
  ///   try context.values(of: Note.fetchRequest(), as: ObjectShape("title", "folder.name"))
  /// }
  /// let json = try JSONEncoder().encode(notes)
  /// ```
  ///
  /// Runs one SQL statement for the objects, and one for each relationship of the shape, however many objects
  /// there are. The values include the unsaved changes of the context.
  ///
  /// Call this method on the context's queue. The values can be used everywhere.
  ///
  /// - Parameters:
  ///   - request: The request for the objects. Its `resultType` must be `.managedObjectResultType`.
  ///   - shape: The properties to take.
  /// - Returns: The values of each object, in the order of the request.
  /// - Throws: The errors of ``fetch(_:)``; 134091 if the shape names a property that the entity does
  ///   not have, or one whose values cannot be encoded.
  public func values<Object: NSManagedObject>(
    of request: NSFetchRequest<Object>,
    as shape: ObjectShape
  ) throws -> [ObjectValues] {
    let (request, plan) = try prepared(request, for: shape)
    return try fetch(request).map { object in
      try plan?.values(of: object) ?? object.values(as: shape)
    }
  }

  /// Fetches objects and hands the values of a shape to a closure, object by object.
  ///
  /// Objects are fetched in groups, and those of a group without unsaved changes become faults again after it, so
  /// that a million objects need the memory of one group. Costs the statements of ``values(of:as:)->[ObjectValues]`` for each group.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - request: The request for the objects.
  ///   - shape: The properties to take.
  ///   - groupSize: The number of objects in a group, from 1; 500 by default.
  ///   - body: The closure, which is called in the order of the request. An error that it throws ends the
  ///     enumeration.
  /// - Throws: The errors of ``values(of:as:)->[ObjectValues]``, and that of the closure.
  public func forEachValues<Object: NSManagedObject>(
    of request: NSFetchRequest<Object>,
    as shape: ObjectShape,
    groupSize: Int = 500,
    _ body: (ObjectValues) throws -> Void
  ) throws {
    let (request, plan) = try prepared(request, for: shape)
    request.fetchBatchSize = max(1, groupSize)
    var group: [Object] = []
    for object in try fetch(request) {
      group.append(object)
      try body(try plan?.values(of: object) ?? object.values(as: shape))
      guard group.count == request.fetchBatchSize else { continue }
      for object in group where !object.hasChanges { refresh(object, mergeChanges: false) }
      group.removeAll(keepingCapacity: true)
    }
  }

  /// The request with everything that the shape reads, and the shape for its entity; `nil` if the context does not
  /// know the entity, which the fetch reports.
  private func prepared<Object>(
    _ request: NSFetchRequest<Object>,
    for shape: ObjectShape
  ) throws -> (NSFetchRequest<Object>, ShapePlan?) {
    let entity = NSEntityDescription.entity(forEntityName: request.entityName ?? "", in: self)
    let plan = try entity.map { try ShapePlan(shape, of: $0.layout) }
    guard let copy = request.copy() as? NSFetchRequest<Object> else { return (request, plan) }
    copy.returnsObjectsAsFaults = false
    let known = copy.relationshipKeyPathsForPrefetching ?? []
    copy.relationshipKeyPathsForPrefetching =
      known + (plan?.relationshipKeyPaths ?? []).filter { !known.contains($0) }
    return (copy, plan)
  }
}

extension NSManagedObject {
  /// Returns the values of the object that a shape names.
  ///
  /// Use ``NSManagedObjectContext/values(of:as:)->[ObjectValues]`` for many objects, which reads related objects together.
  ///
  /// Call this method on the queue of the object's context.
  ///
  /// - Parameter shape: The properties to take.
  /// - Returns: The values.
  /// - Throws: 134091 if the shape names a property that the entity does not have, or one whose values
  ///   cannot be encoded.
  public func values(as shape: ObjectShape) throws -> ObjectValues {
    try ShapePlan(shape, of: layout).values(of: self)
  }
}
