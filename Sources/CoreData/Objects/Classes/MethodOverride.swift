/// Tells which classes override a method of `NSManagedObject`.
///
/// A save asks the objects of a class with `validateValue(_:forKey:)` about every property, with its value in a box;
/// it checks all others against the model's rules without that. A class with `entity()` names the entity that it
/// represents; for all others the model knows it. Swift has no way to ask about overrides. But a class lists its
/// methods, an override is at the place of the overridden method, and two classes of our own show the place: the
/// entry in which they differ is this method.
///
/// ```
/// NSManagedObject   … init  validateValue  value(forKey:) …
/// Plain             … init′ validateValue  value(forKey:) …
/// Judging           … init″ validateValue′ value(forKey:) …
/// ```
struct MethodOverride {
  static let ofValueValidation = Self("validateValue(_:forKey:)", shownBy: Judging.self)
  static let ofEntity = Self("entity()", shownBy: Standing.self)
  static let ofReadingByKey = Self("value(forKey:)", shownBy: Reading.self)

  /// The place of the method, in words behind the class's address.
  private let place: Int

  /// - Parameters:
  ///   - name: The method.
  ///   - example: A class that overrides this method and nothing else.
  private init(_ name: String, shownBy example: NSManagedObject.Type) {
    let places = (Self.firstMethod..<Self.wordCount).filter { place in
      let own = Self.method(of: NSManagedObject.self, at: place)
      return Self.method(of: Plain.self, at: place) == own
        && Self.method(of: example, at: place) != own
    }
    guard places.count == 1 else {
      stop("the place of \(name) in a class cannot be told: \(places)")
    }
    place = places[0]
  }

  func isIn(_ type: NSManagedObject.Type) -> Bool {
    Self.method(of: type, at: place) != Self.method(of: NSManagedObject.self, at: place)
  }

  private final class Plain: NSManagedObject {}

  private final class Judging: NSManagedObject {
    override func validateValue(
      _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
      forKey key: String
    ) throws {
      if value.pointee != nil { try super.validateValue(value, forKey: key) }
    }
  }

  private final class Reading: NSManagedObject {
    override func value(forKey key: String) -> Any? { key.isEmpty ? nil : super.value(forKey: key) }
  }

  private final class Standing: NSManagedObject {
    override class func entity() -> NSEntityDescription {
      let entity = super.entity()
      return entity.isAbstract ? NSEntityDescription() : entity
    }
  }

  /// Behind what every class has: its kind, superclass, sizes, description and destroyer.
  private static let firstMethod = 7

  /// How many words follow the address of `NSManagedObject`.
  private static let wordCount: Int = {
    let address = unsafeBitCast(NSManagedObject.self as AnyClass, to: UnsafeRawPointer.self)
    let size = address.load(fromByteOffset: 32, as: UInt32.self)
    let addressPoint = address.load(fromByteOffset: 36, as: UInt32.self)
    return Int(size - addressPoint) / MemoryLayout<UInt>.size
  }()

  private static func method(of type: NSManagedObject.Type, at place: Int) -> UInt {
    unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
      .load(fromByteOffset: place * MemoryLayout<UInt>.size, as: UInt.self)
  }
}
