import CoreDataModel
import Foundation

// MARK: - Objects by a value, which are made if they are missing

extension NSManagedObjectContext {
  /// Returns the object that has a value, or inserts it.
  ///
  /// ```swift
  /// let plan = try context.findOrCreate(Note.self, where: \.title, is: "Plan") { $0.created = .now }
  /// ```
  ///
  /// Unsaved objects are found, too. Costs one SQL statement; use ``findOrCreate(_:where:in:create:)`` for many values.
  ///
  /// Another program may insert an object with the value before this context is saved. If the attribute is part of a
  /// uniqueness constraint, the save has a conflict then, which the merge policy of the context resolves.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - type: The class of the object.
  ///   - attribute: The key path of an attribute that is kept in the store. The program stops for another property.
  ///   - value: The value. If several objects have it, any of them is returned.
  ///   - create: A closure that gives a new object its other values; the attribute has its value already.
  /// - Returns: The object.
  /// - Throws: The errors of ``fetch(_:)``, and that of the closure, whose object is deleted again.
  public func findOrCreate<Object: NSManagedObject, Value: Hashable>(
    _ type: Object.Type,
    where attribute: ReferenceWritableKeyPath<Object, Value?>,
    is value: Value,
    create: (Object) throws -> Void = { _ in }
  ) throws -> Object {
    let found = try findOrCreate(type, where: attribute, in: CollectionOfOne(value)) { object, _ in
      try create(object)
    }
    return found[0]
  }

  /// Returns the objects that have some values, and inserts those that are missing.
  ///
  /// ```swift
  /// let tags = try context.findOrCreate(Tag.self, where: \.name, in: ["red", "green"]) { tag, name in
  ///   print("a new tag:", name)
  /// }
  /// ```
  ///
  /// Costs one SQL statement for each 500 different values, with `IN`. See `findOrCreate(_:where:is:create:)` for what
  /// happens if others insert the same.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - type: The class of the objects.
  ///   - attribute: The key path of an attribute that is kept in the store. The program stops for another property.
  ///   - values: The values. A value that occurs more than once has one object.
  ///   - create: A closure that gives a new object its other values; it gets the object and its value. The attribute has
  ///     the value already.
  /// - Returns: The objects, in the order of the values.
  /// - Throws: The errors of ``fetch(_:)``, and that of the closure. Nothing is inserted then.
  public func findOrCreate<Object: NSManagedObject, Value: Hashable>(
    _ type: Object.Type,
    where attribute: ReferenceWritableKeyPath<Object, Value?>,
    in values: some Collection<Value>,
    create: (Object, Value) throws -> Void = { _, _ in }
  ) throws -> [Object] {
    checkQueue()
    let entity = entity(for: type)
    let name = entity.layout.stored(attribute)
    var objects: [Value: Object] = [:]
    objects.reserveCapacity(values.count)
    let wanted = Array(Set(values))
    for start in stride(from: 0, to: wanted.count, by: 500) {
      let some = wanted[start..<min(start + 500, wanted.count)].map { $0 as Any }
      let request = NSFetchRequest<Object>()
      request.entity = entity
      request.predicate =
        some.count == 1
        ? NSPredicate(format: "%K == %@", argumentArray: [name, some[0]])
        : NSPredicate(format: "%K IN %@", argumentArray: [name, some])
      for object in try fetch(request) {
        if let value = object[keyPath: attribute] { objects[value] = object }
      }
    }
    var made: [Object] = []
    do {
      return try values.map { value in
        if let known = objects[value] { return known }
        let object = Object(entity: entity, insertInto: self)
        made.append(object)
        object[keyPath: attribute] = value
        try create(object, value)
        objects[value] = object
        return object
      }
    } catch {
      made.forEach(delete)
      throw error
    }
  }
}

extension EntityLayout {
  /// The name of the attribute of a key path; stops the program if no store keeps it.
  fileprivate func stored(_ keyPath: AnyKeyPath) -> String {
    guard let name = PropertyRecorder.name(of: keyPath, on: { self }), let slot = slot(named: name),
      slots[slot].attribute != nil, slots[slot].isPersistent
    else {
      stop(
        """
        the key path by which objects of \(self.name) were to be found names no attribute that a store keeps; name one, \
        such as \\.uuid
        """
      )
    }
    return name
  }
}
