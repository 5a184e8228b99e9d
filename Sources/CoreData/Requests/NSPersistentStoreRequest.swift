public import Foundation

/// A request that a persistent store can answer: a fetch, a save, a change of many rows at once.
open class NSPersistentStoreRequest: NSObject {
  /// The stores to ask; nil asks every store that has the entity.
  public var affectedStores: [NSPersistentStore]?

  public override init() {
    super.init()
  }

  /// What kind of request it is; each kind overrides it.
  open var requestType: NSPersistentStoreRequestType {
    stop("\(type(of: self)) does not say what kind of request it is")
  }
}

/// The kinds of requests; raw values are Apple's.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  case fetchRequestType = 1
  case saveRequestType = 2
  case batchInsertRequestType = 5
  case batchUpdateRequestType = 6
  case batchDeleteRequestType = 7
}
