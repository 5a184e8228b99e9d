import Foundation

/// The result of an ``NSBatchInsertRequest``, as ``NSManagedObjectContext/execute(_:)`` returns it.
public final class NSBatchInsertResult: NSPersistentStoreResult {
  /// The result, whose type depends on the ``resultType``.
  ///
  /// - `.statusOnly`: `true`, as an `NSNumber`.
  /// - `.objectIDs`: an array of the `NSManagedObjectID`s of the rows.
  /// - `.count`: the number of rows, as an `NSNumber`.
  public let result: Any?
  /// The type of the result, which is that of the request.
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

/// The result of an ``NSBatchUpdateRequest``, as ``NSManagedObjectContext/execute(_:)`` returns it.
public final class NSBatchUpdateResult: NSPersistentStoreResult {
  /// The result, whose type depends on the ``resultType``.
  ///
  /// - `.statusOnlyResultType`: `true`, as an `NSNumber`.
  /// - `.updatedObjectIDsResultType`: an array of the `NSManagedObjectID`s of the updated rows.
  /// - `.updatedObjectsCountResultType`: the number of updated rows, as an `NSNumber`.
  public let result: Any?
  /// The type of the result, which is that of the request.
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

/// The result of an ``NSBatchDeleteRequest``, as ``NSManagedObjectContext/execute(_:)`` returns it.
public final class NSBatchDeleteResult: NSPersistentStoreResult {
  /// The result, whose type depends on the ``resultType``.
  ///
  /// - `.resultTypeStatusOnly`: `true`, as an `NSNumber`.
  /// - `.resultTypeObjectIDs`: an array of the `NSManagedObjectID`s of the deleted rows.
  /// - `.resultTypeCount`: the number of deleted rows, as an `NSNumber`.
  ///
  /// Rows that were deleted because of the delete rule Cascade are included.
  public let result: Any?
  /// The type of the result, which is that of the request.
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
