import Foundation

/// The result of a batch insert request.
public final class NSBatchInsertResult: NSPersistentStoreResult {
  /// An `NSNumber`, or an array of `NSManagedObjectID`s, depending on the result type of the
  /// request.
  public let result: Any?
  /// The result type of the request.
  public let resultType: NSBatchInsertRequestResultType

  init(_ receipts: [BatchReceipt], as type: NSBatchInsertRequestResultType) {
    resultType = type
    result =
      switch type {
      case .statusOnly: NSNumber(value: true)
      case .objectIDs: receipts.objectIDs
      case .count: NSNumber(value: receipts.count)
      }
    super.init()
  }
}

/// The result of a batch update request.
public final class NSBatchUpdateResult: NSPersistentStoreResult {
  /// An `NSNumber`, or an array of `NSManagedObjectID`s, depending on the result type of the
  /// request.
  public let result: Any?
  /// The result type of the request.
  public let resultType: NSBatchUpdateRequestResultType

  init(_ receipts: [BatchReceipt], as type: NSBatchUpdateRequestResultType) {
    resultType = type
    result =
      switch type {
      case .statusOnlyResultType: NSNumber(value: true)
      case .updatedObjectIDsResultType: receipts.objectIDs
      case .updatedObjectsCountResultType: NSNumber(value: receipts.count)
      }
    super.init()
  }
}

/// The result of a batch delete request.
public final class NSBatchDeleteResult: NSPersistentStoreResult {
  /// An `NSNumber`, or an array of `NSManagedObjectID`s, depending on the result type of the
  /// request.
  public let result: Any?
  /// The result type of the request.
  public let resultType: NSBatchDeleteRequestResultType

  init(_ receipts: [BatchReceipt], as type: NSBatchDeleteRequestResultType) {
    resultType = type
    result =
      switch type {
      case .resultTypeStatusOnly: NSNumber(value: true)
      case .resultTypeObjectIDs: receipts.objectIDs
      case .resultTypeCount: NSNumber(value: receipts.count)
      }
    super.init()
  }
}
