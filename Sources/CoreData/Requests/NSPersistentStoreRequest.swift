public import Foundation

/// The base class of the requests that persistent stores execute: fetches, saves and batch
/// requests.
nonisolated open class NSPersistentStoreRequest: NSObject {
  /// The stores that execute the request, or `nil` for all stores that contain the entity.
  public var affectedStores: [NSPersistentStore]?

  public override init() {
    super.init()
  }

  /// The kind of request.
  ///
  /// Each subclass overrides this property.
  open var requestType: NSPersistentStoreRequestType {
    stop("\(type(of: self)) does not say what kind of request it is")
  }
}

/// The kinds of requests, with the raw values of Apple's framework.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  /// A fetch or history request.
  case fetchRequestType = 1
  /// A request to save changes.
  case saveRequestType = 2
  /// A request to insert many rows.
  case batchInsertRequestType = 5
  /// A request to update many rows.
  case batchUpdateRequestType = 6
  /// A request to delete many rows.
  case batchDeleteRequestType = 7
}
