import CoreDataModel
public import Foundation
import Synchronization

/// Turns values into other values; what a transformable attribute stores its objects with.
///
/// ```swift
/// final class ColourTransformer: ValueTransformer {
///   override class func allowsReverseTransformation() -> Bool { true }
///   override func transformedValue(_ value: Any?) -> Any? {         // to the store
///     (value as? Colour).flatMap { try? JSONEncoder().encode($0) }
///   }
///   override func reverseTransformedValue(_ value: Any?) -> Any? {  // to the object
///     (value as? Data).flatMap { try? JSONDecoder().decode(Colour.self, from: $0) }
///   }
/// }
/// ValueTransformer.setValueTransformer(ColourTransformer(), forName: .init("Colours"))
/// ```
///
/// It is registered under the name that the model gives, before the first object is read or saved.
/// Any type will do that becomes data and comes back; a `Codable` one as above, a class with
/// `NSSecureCoding` through a subclass of ``NSSecureUnarchiveFromDataTransformer``. A value that is
/// changed in place, such as a mutable array, is not noticed: set the attribute anew. Transformers are
/// asked from any thread.
open class ValueTransformer: NSObject {
  open class func transformedValueClass() -> AnyClass { NSData.self }

  open class func allowsReverseTransformation() -> Bool { false }

  open func transformedValue(_ value: Any?) -> Any? { value }

  open func reverseTransformedValue(_ value: Any?) -> Any? {
    require(
      type(of: self).allowsReverseTransformation(),
      "\(type(of: self)) has no reverse transformation"
    )
    return transformedValue(value)
  }

  /// Makes a transformer known under a name; nil forgets the name.
  public class func setValueTransformer(
    _ transformer: ValueTransformer?,
    forName name: NSValueTransformerName
  ) {
    let held = transformer.map(Held.init)
    registry.withLock { $0[name.rawValue] = held }
  }

  public class func valueTransformerNames() -> [NSValueTransformerName] {
    registry.withLock { $0.keys.sorted() }.map { NSValueTransformerName($0) }
  }

  /// The transformer that is registered under the name, or one of the class of that name; nil when
  /// there is neither.
  public convenience init?(forName name: NSValueTransformerName) {
    self.init(found: { Self.find(name.rawValue) as? Self })
  }

  /// The transformer of that name; a class of that name is instantiated and registered.
  ///
  /// Models name `NSSecureUnarchiveFromDataTransformer` as often as the name that it is registered
  /// under, so classes of this module are found without its name.
  static func find(_ name: String) -> ValueTransformer? {
    if let known = registry.withLock({ $0[name]?.transformer }) { return known }
    let found: AnyClass? = NSClassFromString(name) ?? NSClassFromString("CoreData.\(name)")
    guard let type = found as? ValueTransformer.Type else { return nil }
    let made = type.init()
    setValueTransformer(made, forName: NSValueTransformerName(name))
    return made
  }

  public required override init() {
    super.init()
  }

  /// Safety: transformers are stateless by contract; the table is behind the mutex.
  private struct Held: @unchecked Sendable {
    let transformer: ValueTransformer
  }

  private static let registry = Mutex<[String: Held]>([
    NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue: Held(
      transformer: NSSecureUnarchiveFromDataTransformer()
    ),
    NSValueTransformerName.negateBooleanTransformerName.rawValue: Held(
      transformer: BooleanTransformer { !(($0 as? NSNumber)?.boolValue ?? false) }
    ),
    NSValueTransformerName.isNilTransformerName.rawValue: Held(
      transformer: BooleanTransformer { $0 == nil }
    ),
    NSValueTransformerName.isNotNilTransformerName.rawValue: Held(
      transformer: BooleanTransformer { $0 != nil }
    ),
  ])
}

/// Lets an initializer give an object that exists already.
public protocol RegisteredByName {}

extension RegisteredByName {
  init?(found find: () -> Self?) {
    guard let found = find() else { return nil }
    self = found
  }
}

extension ValueTransformer: RegisteredByName {}

/// One of the transformers that make a Boolean of a value.
///
/// Safety: its closure has no state.
private final class BooleanTransformer: ValueTransformer {
  private let answer: (Any?) -> Bool

  init(_ answer: @escaping (Any?) -> Bool) {
    self.answer = answer
    super.init()
  }

  required init() {
    answer = { $0 != nil }
    super.init()
  }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: answer(value)) }
}

public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  public static let secureUnarchiveFromDataTransformerName =
    NSValueTransformerName("NSSecureUnarchiveFromData")
  public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
  public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
  public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
}
