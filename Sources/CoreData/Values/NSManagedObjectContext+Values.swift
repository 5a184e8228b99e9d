import CoreDataPredicates
import Foundation

// MARK: - Objects as values

extension NSManagedObjectContext {
  /// Fetches objects and takes the values of a shape out of them.
  ///
  /// ```swift
  /// let notes = try await container.read { context in
  ///   try context.values(of: Note.fetchRequest(), as: ObjectShape("title", "folder.name"))
  /// }
  /// let json = try JSONEncoder().encode(notes)
  /// ```
  ///
  /// Costs one SQL statement for the objects, and one for each relationship of the shape, however many objects
  /// there are. The values of unsaved changes are taken as well.
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
    let request = try prepared(request, for: shape)
    return try fetch(request).map { try $0.values(as: shape) }
  }

  /// Fetches objects and hands the values of a shape to a closure, object by object.
  ///
  /// Objects are fetched in groups, and those of a group that have no unsaved changes become faults again after it, so that a
  /// million objects need the memory of one group. Costs the statements of ``values(of:as:)`` for each group.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - request: The request for the objects.
  ///   - shape: The properties to take.
  ///   - groupSize: The number of objects in a group, from 1; 500 by default.
  ///   - body: The closure, which is called in the order of the request. An error that it throws ends the
  ///     enumeration.
  /// - Throws: The errors of ``values(of:as:)``, and that of the closure.
  public func forEachValues<Object: NSManagedObject>(
    of request: NSFetchRequest<Object>,
    as shape: ObjectShape,
    groupSize: Int = 500,
    _ body: (ObjectValues) throws -> Void
  ) throws {
    let request = try prepared(request, for: shape)
    request.fetchBatchSize = max(1, groupSize)
    var group: [Object] = []
    for object in try fetch(request) {
      group.append(object)
      try body(try object.values(as: shape))
      guard group.count == request.fetchBatchSize else { continue }
      for object in group where !object.hasChanges { refresh(object, mergeChanges: false) }
      group.removeAll(keepingCapacity: true)
    }
  }

  /// The request with everything that the shape reads.
  private func prepared<Object>(
    _ request: NSFetchRequest<Object>,
    for shape: ObjectShape
  ) throws -> NSFetchRequest<Object> {
    let name = request.entityName ?? ""
    if let entity = NSEntityDescription.entity(forEntityName: name, in: self) {
      try shape.requireFitting(entity)
    }
    guard let copy = request.copy() as? NSFetchRequest<Object> else { return request }
    copy.returnsObjectsAsFaults = false
    let known = copy.relationshipKeyPathsForPrefetching ?? []
    copy.relationshipKeyPathsForPrefetching =
      known + shape.relationshipKeyPaths.filter { !known.contains($0) }
    return copy
  }
}

extension ObjectShape {
  /// Throws for a name that objects of the entity do not have.
  fileprivate func requireFitting(_ entity: NSEntityDescription) throws {
    for path in keyPaths {
      var place = entity
      var names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      let last = names.removeLast()
      for name in names {
        guard let relationship = place.relationshipsByName[name], !relationship.isToMany,
          let destination = relationship.destinationEntity
        else { throw ShapeFailure.noObject(name, path: path, entity: place.name).error }
        place = destination
      }
      guard place.attributesByName[last] != nil else {
        throw ShapeFailure.noAttribute(last, path: path, entity: place.name).error
      }
    }
    for relationship in relationships {
      guard let destination = entity.relationshipsByName[relationship.name]?.destinationEntity
      else {
        throw ShapeFailure.noObject(relationship.name, path: relationship.name, entity: entity.name)
          .error
      }
      try relationship.shape.requireFitting(destination)
    }
  }
}

extension NSManagedObject {
  /// Takes the values of a shape out of the object.
  ///
  /// Use ``NSManagedObjectContext/values(of:as:)`` for many objects, which reads related objects together.
  ///
  /// Call this method on the queue of the object's context.
  ///
  /// - Parameter shape: The properties to take.
  /// - Returns: The values.
  /// - Throws: 134091 if the shape names a property that the entity does not have, or one whose values
  ///   cannot be encoded.
  public func values(as shape: ObjectShape) throws -> ObjectValues {
    var fields: [ObjectValues.Field] = []
    if let name = shape.identityName {
      fields.append(.init(name: name, value: .single(objectID.uriRepresentation())))
    }
    for path in shape.keyPaths {
      fields.append(.init(name: path, value: try single(along: path)))
    }
    for relationship in shape.relationships {
      fields.append(
        .init(
          name: relationship.name,
          value: try related(relationship.name, as: relationship.shape)
        )
      )
    }
    return ObjectValues(fields)
  }

  private func single(along path: String) throws -> ObjectValues.Value {
    var object = self
    var names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = names.removeLast()
    for name in names {
      guard let relationship = object.entity.relationshipsByName[name], !relationship.isToMany
      else {
        throw ShapeFailure.noObject(name, path: path, entity: object.entity.name).error
      }
      guard let next = object.value(forKey: name) as? NSManagedObject else { return .none }
      object = next
    }
    guard let attribute = object.entity.attributesByName[last] else {
      throw ShapeFailure.noAttribute(last, path: path, entity: object.entity.name).error
    }
    guard let value = object.value(forKey: last) else { return .none }
    guard let encodable = Self.encodable(value, attribute.attributeType) else {
      throw ShapeFailure.notEncodable(last, type: "\(type(of: value))", entity: object.entity.name)
        .error
    }
    return .single(encodable)
  }

  private func related(_ name: String, as shape: ObjectShape) throws -> ObjectValues.Value {
    guard let relationship = entity.relationshipsByName[name] else {
      throw ShapeFailure.noObject(name, path: name, entity: entity.name).error
    }
    switch value(forKey: name) {
    case let object as NSManagedObject:
      return .object(try object.values(as: shape))
    case let objects as NSOrderedSet:
      return .list(try objects.compactMap { try ($0 as? NSManagedObject)?.values(as: shape) })
    case let objects as Set<NSManagedObject>:
      return .list(
        try objects.sorted { $0.key.number < $1.key.number }.map { try $0.values(as: shape) }
      )
    default:
      return relationship.isToMany ? .list([]) : .none
    }
  }

  /// The value in a type that can be sent and encoded.
  private static func encodable(
    _ value: Any,
    _ type: NSAttributeType
  ) -> (any Encodable & Sendable)? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      value as? Int64
    case .booleanAttributeType: value as? Bool
    case .doubleAttributeType, .floatAttributeType: value as? Double
    case .decimalAttributeType: (value as? NSDecimalNumber)?.decimalValue ?? value as? Decimal
    case .stringAttributeType: value as? String
    case .dateAttributeType: value as? Date
    case .binaryDataAttributeType: value as? Data
    case .UUIDAttributeType: value as? UUID
    case .URIAttributeType: value as? URL
    case _: nil
    }
  }
}

/// Why a shape does not fit an object.
private enum ShapeFailure {
  case noAttribute(String, path: String, entity: String?)
  case noObject(String, path: String, entity: String?)
  case notEncodable(String, type: String, entity: String?)

  var error: NSError {
    switch self {
    case .noAttribute(let name, let path, let entity):
      text(
        "\(entity ?? "The entity") has no attribute \(name), which the shape names in \(path).",
        "Name an attribute, or a key path that ends with one."
      )
    case .noObject(let name, let path, let entity):
      text(
        "\(entity ?? "The entity") has no relationship \(name) that leads to one object, which the shape names in \(path).",
        "Name a to-one relationship, or add a to-many relationship with following(_:as:)."
      )
    case .notEncodable(let name, let type, let entity):
      text(
        "\(entity ?? "The entity").\(name) has a value of the type \(type), which cannot be encoded.",
        "Leave the attribute out, or offer a computed value."
      )
    }
  }

  private func text(_ reason: String, _ suggestion: String) -> NSError {
    FailureText(
      description: "The values of the objects cannot be read.",
      reason: reason,
      suggestion: suggestion
    ).error(code: NSPersistentStoreUnsupportedRequestTypeError)
  }
}
