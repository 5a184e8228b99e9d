public import Foundation

/// One object of an ``NSAtomicStore``, as it lies in memory between the file and the rows.
///
/// Attributes are kept as key-value coding gives them, a to-one relationship as a node, a to-many one
/// as a set of nodes, an ordered one as an ordered set.
open class NSAtomicStoreCacheNode: NSObject {
  public let objectID: NSManagedObjectID
  /// The values by name; nil until one is set.
  open var propertyCache: NSMutableDictionary?

  public init(objectID moid: NSManagedObjectID) {
    objectID = moid
    super.init()
  }

  /// The value of a property; nil where it has none.
  ///
  /// A subclass that makes its relationships when somebody asks for them overrides this.
  open func value(forKey key: String) -> Any? {
    checkKey(key)
    return propertyCache?[key]
  }

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
