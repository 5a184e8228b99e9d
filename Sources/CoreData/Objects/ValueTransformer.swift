import CoreDataModel
public import Foundation
import Synchronization

/// Turns values into other values; what a transformable attribute stores its objects with.
///
/// A subclass overrides ``transformedValue(_:)`` and ``reverseTransformedValue(_:)`` and is
/// registered under the name that the model gives. Transformers are asked from any thread.
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

  /// The transformer of that name; a class of that name is instantiated and registered.
  static func find(_ name: String) -> ValueTransformer? {
    if let known = registry.withLock({ $0[name]?.transformer }) { return known }
    guard let type = NSClassFromString(name) as? ValueTransformer.Type else { return nil }
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
    )
  ])
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
}

/// Reads archived objects of allowed classes; the default transformer of transformable attributes.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes that the archive's topmost object may have.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  open override class func allowsReverseTransformation() -> Bool { true }

  /// From data to the object; nil for an archive that is damaged or of another class.
  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    do {
      return try NSKeyedUnarchiver.unarchivedObject(
        ofClasses: type(of: self).allowedTopLevelClasses,
        from: data
      )
    } catch {
      NSLog("CoreData: a transformable value cannot be read: %@", "\(error)")
      return nil
    }
  }

  /// From the object to data; nil for an object that cannot be archived.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    do {
      return try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    } catch {
      NSLog("CoreData: a transformable value cannot be archived: %@", "\(error)")
      return nil
    }
  }
}

/// How one transformable attribute is stored.
struct Transformation {
  private let transformer: ValueTransformer
  private let place: String

  init(of layout: EntityLayout, at slot: Int) {
    place = "\(layout.name).\(layout.slots[slot].name)"
    let name =
      layout.slots[slot].attribute?.valueTransformerName
      ?? NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
    guard let transformer = ValueTransformer.find(name) else {
      stop(
        "\(place) is stored with the value transformer \(name), which is not registered"
      )
    }
    self.transformer = transformer
  }

  /// Transformers that read archives work from data to object; all others from object to data.
  private var readsForward: Bool { transformer is NSSecureUnarchiveFromDataTransformer }

  func object(from data: Data) -> AnyObject? {
    let value =
      readsForward ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    return value.map { $0 as AnyObject }
  }

  func data(from object: AnyObject) -> Data {
    let value =
      readsForward
      ? transformer.reverseTransformedValue(object) : transformer.transformedValue(object)
    guard let data = value as? Data else {
      stop(
        "\(place): \(type(of: transformer)) makes no data of \(type(of: object)) \(object)"
      )
    }
    return data
  }
}
