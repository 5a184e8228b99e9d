import CoreDataCRuntime
import CoreDataModel
import CoreDataPredicates
public import Foundation
import Synchronization

/// An object that converts values into other values, such as those of a transformable attribute
/// into data.
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
/// Register a transformer under the name that the model uses before the first object is read or
/// saved. A transformer can store any type that can be converted to data and back: a `Codable` type
/// as above, or a class that conforms to `NSSecureCoding` with a subclass of
/// ``NSSecureUnarchiveFromDataTransformer``. A value that is changed in place, such as a mutable
/// array, is not noticed; set the attribute again.
///
/// Transformers are called on any thread and must not have mutable state.
nonisolated open class ValueTransformer: NSObject {
  /// Returns the class of the values that the transformer produces.
  ///
  /// The default implementation returns `NSData`.
  ///
  /// - Returns: The class.
  open class func transformedValueClass() -> AnyClass { NSData.self }

  /// Returns whether the transformer can also convert values back.
  ///
  /// The default implementation returns `false`. A transformer of a transformable attribute must
  /// return `true`.
  ///
  /// - Returns: `true` if ``reverseTransformedValue(_:)`` can be called.
  open class func allowsReverseTransformation() -> Bool { false }

  /// Converts a value.
  ///
  /// The default implementation returns the value unchanged.
  ///
  /// - Parameter value: The value to convert.
  /// - Returns: The converted value.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// Converts a value back.
  ///
  /// The default implementation calls ``transformedValue(_:)``, or stops the program if the class
  /// does not allow the reverse transformation.
  ///
  /// - Parameter value: The value to convert back.
  /// - Returns: The original value.
  open func reverseTransformedValue(_ value: Any?) -> Any? {
    require(
      type(of: self).allowsReverseTransformation(),
      "\(type(of: self)) has no reverse transformation"
    )
    return transformedValue(value)
  }

  /// Registers a transformer under a name.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameters:
  ///   - transformer: The transformer, or `nil` to remove the registration.
  ///   - name: The name, as it is used in the model.
  public class func setValueTransformer(
    _ transformer: ValueTransformer?,
    forName name: NSValueTransformerName
  ) {
    let held = transformer.map { Immutable($0) }
    registry.withLock { $0[name.rawValue] = held }
  }

  /// Returns the names of all registered transformers, sorted alphabetically.
  ///
  /// You can call this method on any thread.
  ///
  /// - Returns: The names.
  public class func valueTransformerNames() -> [NSValueTransformerName] {
    registry.withLock { $0.keys.sorted() }.map { NSValueTransformerName($0) }
  }

  /// Finds the transformer that is registered under a name, or creates one of the class with that name and registers it.
  ///
  /// A class is found as `Module.Class`, or as `Class` if only one module of the program has it. It must not have stored
  /// properties, because its initializer is not called: without Objective-C, only a `required` initializer could be.
  /// Register a transformer that has stored properties with ``setValueTransformer(_:forName:)``. The initializer fails if
  /// there is neither a registered transformer nor such a class.
  ///
  /// You can call this initializer on any thread.
  ///
  /// - Parameter name: The name, as it is used in the model.
  public convenience init?(forName name: NSValueTransformerName) {
    self.init(found: { Self.find(name.rawValue) as? Self })
  }

  /// The transformer of that name; a class of that name is instantiated and registered.
  ///
  /// Models name `NSSecureUnarchiveFromDataTransformer` as often as the name that it is registered
  /// under, so classes of this module are found without its name.
  static func find(_ name: String) -> ValueTransformer? {
    if let known = registry.withLock({ $0[name]?.value }) { return known }
    guard let made = classNamed(name)?.madeByName else { return nil }
    setValueTransformer(made, forName: NSValueTransformerName(name))
    return made
  }

  /// The class of a name in a model: with its module, or of the only module that has it.
  static func classNamed(_ name: String) -> ValueTransformer.Type? {
    let candidates = ProgramClasses.find(name) { $0 as? ValueTransformer.Type }
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// An object of this class; nil if it has stored properties, which only an initializer can fill.
  package static var madeByName: ValueTransformer? {
    let type = unsafeBitCast(self as AnyClass, to: UnsafeRawPointer.self)
    let plain = unsafeBitCast(ValueTransformer.self as AnyClass, to: UnsafeRawPointer.self)
    guard let object = coredata_make_stateless(type, plain) else { return nil }
    return Unmanaged<ValueTransformer>.fromOpaque(object).takeRetainedValue()
  }

  public override init() {
    super.init()
  }

  /// Transformers do not have state, by contract.
  private static let registry = Mutex<[String: Immutable<ValueTransformer>]>([
    NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue: Immutable(
      NSSecureUnarchiveFromDataTransformer()
    ),
    NSValueTransformerName.negateBooleanTransformerName.rawValue: Immutable(
      NegatingTransformer { !(($0 as? NSNumber)?.boolValue ?? false) }
    ),
    NSValueTransformerName.isNilTransformerName.rawValue: Immutable(
      BooleanTransformer { $0 == nil }
    ),
    NSValueTransformerName.isNotNilTransformerName.rawValue: Immutable(
      BooleanTransformer { $0 != nil }
    ),
  ])
}

/// A protocol whose initializers can return an object that already exists.
///
/// ``ValueTransformer`` uses it; programs do not need it.
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
/// Safety: its closure does not have state.
private class BooleanTransformer: ValueTransformer {
  private let answer: (Any?) -> Bool

  init(_ answer: @escaping (Any?) -> Bool) {
    self.answer = answer
    super.init()
  }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: answer(value)) }
}

/// The transformer of which the reverse is the same.
private final class NegatingTransformer: BooleanTransformer {
  override class func allowsReverseTransformation() -> Bool { true }
}

/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates a name.
  ///
  /// - Parameter rawValue: The text of the name.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The name of the transformer that stores objects as secure archives.
  public static let secureUnarchiveFromDataTransformerName =
    NSValueTransformerName("NSSecureUnarchiveFromData")
  /// The name of the transformer that negates a Boolean value.
  public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
  /// The name of the transformer that returns whether a value is `nil`.
  public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
  /// The name of the transformer that returns whether a value is not `nil`.
  public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
}
