import Foundation

/// Arrays of objects under the class that their user knows.
///
/// To cast an array looks at the class of each object. But an object says by itself what its entity is,
/// and all objects of an entity have its class, or one below; so a look at the class of each entity is
/// enough.
///
/// Safety: arrays of objects are arrays of pointers, whatever the class that both sides know; each object
/// was found to have it.
enum ObjectArray {
  /// The same objects; `nil` if one of them has another class, or if no class was asked for.
  static func cast<Result>(_ objects: [NSManagedObject]) -> [Result]? {
    guard Result.self is NSManagedObject.Type else { return nil }
    var fitting: ObjectIdentifier?
    for object in objects {
      let entity = ObjectIdentifier(object.layout)
      if entity == fitting { continue }
      guard object.layout.objectClass is Result.Type else { return nil }
      fitting = entity
    }
    return unsafeBitCast(objects, to: [Result].self)
  }
  /// The objects as one of Foundation's sets, which a cast would fill after a look at the class of each.
  static func set(of objects: [NSManagedObject]) -> NSSet {
    objects.withUnsafeBufferPointer { buffer in
      let start = UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: AnyObject.self)
      return start.map { NSSet(objects: $0, count: buffer.count) } ?? NSSet()
    }
  }
}
