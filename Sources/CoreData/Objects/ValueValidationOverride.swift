/// Tells which classes override `validateValue(_:forKey:)`.
///
/// A save asks their objects about every property, with its value in a box; all others are held
/// against the model's rules without that. Swift has no question for it. But a class lists its
/// methods, an override stands where the overridden method does, and two classes of our own show
/// where: what the second has differently, and the first has not, is this method.
///
/// ```
/// NSManagedObject   … init  validateValue  value(forKey:) …
/// Plain             … init′ validateValue  value(forKey:) …
/// Judging           … init″ validateValue′ value(forKey:) …
/// ```
enum ValueValidationOverride {
  static func isIn(_ type: NSManagedObject.Type) -> Bool {
    method(of: type, at: place) != method(of: NSManagedObject.self, at: place)
  }

  /// Where the method stands, in words behind the class's address.
  private static let place: Int = {
    let places = (firstMethod..<wordCount).filter { place in
      let own = method(of: NSManagedObject.self, at: place)
      return method(of: Plain.self, at: place) == own && method(of: Judging.self, at: place) != own
    }
    guard places.count == 1 else {
      stop("the place of validateValue(_:forKey:) in a class cannot be told: \(places)")
    }
    return places[0]
  }()

  private final class Plain: NSManagedObject {}

  private final class Judging: NSManagedObject {
    override func validateValue(
      _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
      forKey key: String
    ) throws {
      if value.pointee != nil { try super.validateValue(value, forKey: key) }
    }
  }

  /// Behind what every class has: its kind, superclass, sizes, description and destroyer.
  private static let firstMethod = 7

  /// How many words stand behind the address of `NSManagedObject`.
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
