public import Foundation

/// The values of one object of an ``NSAtomicStore``.
///
/// Attributes have the types that key-value coding uses, a to-one relationship is a node, an
/// unordered to-many relationship is a set of nodes, and an ordered one is an ordered set of nodes.
nonisolated open class NSAtomicStoreCacheNode: NSObject {
  /// The identity of the object.
  public let objectID: NSManagedObjectID
  /// The values by property name, or `nil` before the first value is set.
  open var propertyCache: NSMutableDictionary?

  /// Creates a node without values.
  ///
  /// - Parameter moid: The identity of the object.
  public init(objectID moid: NSManagedObjectID) {
    objectID = moid
    super.init()
  }

  /// Returns the value of a property.
  ///
  /// Override this method in a subclass that creates its relationships on demand.
  ///
  /// - Parameter key: The name of a property.
  /// - Returns: The value, or `nil`.
  open func value(forKey key: String) -> Any? {
    checkKey(key)
    return propertyCache?[key]
  }

  /// Sets the value of a property.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil`.
  ///   - key: The name of a property.
  open func setValue(_ value: Any?, forKey key: String) {
    checkKey(key)
    guard let value else {
      propertyCache?.removeObject(forKey: key)
      return
    }
    let cache = propertyCache ?? NSMutableDictionary()
    cache[key] = value
    propertyCache = cache
  }

  private func checkKey(_ key: String) {
    require(
      objectID.layout.slot(named: key) != nil,
      "\(objectID.layout.name) has no property \(key), which a cache node was asked for"
    )
  }
}
