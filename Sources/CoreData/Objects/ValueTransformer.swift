import CoreDataCRuntime
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
  ///
  /// A class is found by its name with the module in front, or by its name alone if it is the program's. It
  /// must have no stored properties, because its initializer is not called: without Objective-C only a
  /// `required` one could be. Register a transformer that has some.
  public convenience init?(forName name: NSValueTransformerName) {
    self.init(found: { Self.find(name.rawValue) as? Self })
  }

  /// The transformer of that name; a class of that name is instantiated and registered.
  ///
  /// Models name `NSSecureUnarchiveFromDataTransformer` as often as the name that it is registered
  /// under, so classes of this module are found without its name.
  static func find(_ name: String) -> ValueTransformer? {
    if let known = registry.withLock({ $0[name]?.transformer }) { return known }
    guard let made = classNamed(name)?.madeByName else { return nil }
    setValueTransformer(made, forName: NSValueTransformerName(name))
    return made
  }

  /// The class of a name in a model: with its module, or of the program, or of this module.
  static func classNamed(_ name: String) -> ValueTransformer.Type? {
    let elsewhere =
      name.contains(".") ? [] : (ObjectClass.modules + ["CoreData"]).map { "\($0).\(name)" }
    return ([name] + elsewhere).lazy
      .compactMap { NSClassFromString($0) as? ValueTransformer.Type }.first
  }

  /// An object of this class; nil if it has stored properties, which only an initializer can fill.
  private static var madeByName: ValueTransformer? {
    let type = unsafeBitCast(self as AnyClass, to: UnsafeRawPointer.self)
    let plain = unsafeBitCast(ValueTransformer.self as AnyClass, to: UnsafeRawPointer.self)
    guard let object = coredata_make_stateless(type, plain) else { return nil }
    return Unmanaged<ValueTransformer>.fromOpaque(object).takeRetainedValue()
  }

  public override init() {
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
