/// Gives an object the class that the model names for its entity.
///
/// `NSManagedObject(entity: note, insertInto: context)` makes a `Note`, as it does with Apple's, where the class in
/// the model wins over the class that was asked. Swift has no way to say so; but an object's first word is its class,
/// and if the subclass does not have stored properties of its own, the two do not differ in anything else. A class
/// with stored properties must be asked for by name.
enum ClassExchange {
  /// The object, with its entity's class.
  ///
  /// Not inlined: the caller must not go on believing in the class it knew.
  @inline(never)
  static func conform(_ object: NSManagedObject) -> NSManagedObject {
    let (present, wanted) = (ClassRecord(type(of: object)), ClassRecord(object.layout.objectClass))
    if present == wanted || present.inherits(from: wanted) { return object }
    require(
      wanted.inherits(from: present),
      """
      the entity \(object.layout.name) has the class \(object.layout.objectClass), \
      and cannot have an object of \(type(of: object))
      """
    )
    require(
      wanted.instanceSize == present.instanceSize,
      """
      \(object.layout.objectClass) has stored properties; make its objects with \
      \(object.layout.objectClass)(context:) or NSEntityDescription.insertNewObject, \
      not as \(type(of: object))
      """
    )
    Unmanaged.passUnretained(object).toOpaque()
      .storeBytes(of: wanted.address, as: UnsafeRawPointer.self)
    return object
  }
}

extension ObjectRecord {
  /// Stops the program where the compiler has laid objects out otherwise than ``place`` says.
  static func requirePlace() {
    let end = place + MemoryLayout<ObjectRecord>.size
    require(
      ClassRecord(NSManagedObject.self).instanceSize == end,
      "objects are not laid out as this version of CoreData expects; build it with the Swift it names"
    )
  }
}

/// The part of the Swift runtime's record of a class that matters here.
///
/// ```
/// 0 kind    8 superclass    16 flags    20 address point    24 size of an instance
/// ```
private struct ClassRecord: Equatable {
  let address: UnsafeRawPointer

  init(_ type: NSManagedObject.Type) {
    address = unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
  }

  var instanceSize: UInt32 { address.load(fromByteOffset: 24, as: UInt32.self) }

  func inherits(from other: ClassRecord) -> Bool {
    var next: UnsafeRawPointer? = address
    while let current = next {
      if current == other.address { return true }
      next = current.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    }
    return false
  }
}
