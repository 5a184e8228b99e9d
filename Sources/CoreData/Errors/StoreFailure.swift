package import CoreDataSQLite
package import Foundation

/// A store that cannot be opened, read or written: which one, and why.
///
/// ```swift
/// } catch let error as SQLiteError {
///   throw StoreFailure.opening(error, path: url.path).error
/// }
/// ```
///
/// SQLite's own words and code are in every error that comes from SQLite: as the underlying error
/// in `NSSQLiteErrorDomain`, and its code once more under the key of that name, as Apple has it.
package enum StoreFailure: Hashable, Sendable {
  case unknownType(String)
  case unknownConfiguration(String)
  case notOfThisCoordinator(String)
  case otherType(found: String, expected: String, path: String)
  case missingFile(path: String)
  case unreadable(path: String)
  case unwritable(path: String)
  /// There is a file, and it is something else.
  case notADatabase(path: String)
  /// A database, but none of Core Data's: what it lacks, as in "has no table Z_METADATA".
  case notAStore(lack: String, path: String)
  /// The store was made with another model.
  case otherModel(ModelDifference, path: String)
  case unsupportedRequest(String, path: String)
  case opening(SQLiteError, path: String)
  case reading(SQLiteError, path: String)
  case saving(SQLiteError, path: String)

  package var error: NSError { error() }

  /// The error, with what is known of the store: its metadata, the store itself.
  package func error(metadata: [String: Any]? = nil, stores: [Any] = []) -> NSError {
    var userInfo: [String: Any] = [:]
    userInfo[NSFilePathErrorKey] = path
    userInfo[Self.metadataKey] = metadata
    if !stores.isEmpty { userInfo[NSAffectedStoresErrorKey] = stores }
    if case .otherModel(let difference, _) = self {
      userInfo[Self.storeHashesKey] = difference.storeHashes
      userInfo[Self.modelHashesKey] = difference.modelHashes
    }
    if let sqlite {
      userInfo[NSSQLiteErrorDomain] = NSNumber(value: sqlite.code)
      userInfo[NSUnderlyingErrorKey] = NSError(sqlite)
    }
    return text.error(code: code, userInfo: userInfo)
  }

  /// The store's metadata, in an error about its model.
  package static let metadataKey = "metadata"
  /// The version hashes of the store's entities, by name.
  package static let storeHashesKey = "storeVersionHashes"
  /// The version hashes of the model's entities, by name.
  package static let modelHashesKey = "modelVersionHashes"
}

// MARK: - Parts

extension StoreFailure {
  package var code: Int {
    switch self {
    case .unknownType: NSPersistentStoreInvalidTypeError
    case .unknownConfiguration: NSPersistentStoreOpenError
    case .notOfThisCoordinator: NSPersistentStoreOperationError
    case .otherType: NSPersistentStoreTypeMismatchError
    case .missingFile: CocoaError.fileReadNoSuchFile.rawValue
    case .unreadable: CocoaError.fileReadNoPermission.rawValue
    case .unwritable: CocoaError.fileWriteNoPermission.rawValue
    case .notADatabase, .notAStore: CocoaError.fileReadCorruptFile.rawValue
    case .otherModel: NSPersistentStoreIncompatibleVersionHashError
    case .unsupportedRequest: NSPersistentStoreUnsupportedRequestTypeError
    case .opening(let error, _): error.storeCode ?? NSPersistentStoreOpenError
    case .reading(let error, _): error.storeCode ?? NSSQLiteError
    case .saving(let error, _): error.storeCode ?? NSPersistentStoreSaveError
    }
  }

  /// The path of the store's file, or the name of a store that has none.
  private var path: String? {
    switch self {
    case .unknownType, .unknownConfiguration, .notOfThisCoordinator: nil
    case .missingFile(let path), .unreadable(let path), .unwritable(let path): path
    case .notADatabase(let path), .notAStore(_, let path), .otherType(_, _, let path): path
    case .otherModel(_, let path), .unsupportedRequest(_, let path): path
    case .opening(_, let path), .reading(_, let path), .saving(_, let path): path
    }
  }

  private var sqlite: SQLiteError? {
    switch self {
    case .opening(let error, _), .reading(let error, _), .saving(let error, _): error
    case .unknownType, .unknownConfiguration, .notOfThisCoordinator, .otherType: nil
    case .missingFile, .unreadable, .unwritable, .notADatabase, .notAStore: nil
    case .otherModel, .unsupportedRequest: nil
    }
  }
}

extension SQLiteError {
  /// The code for what SQLite says of a file, whatever was being done with it.
  fileprivate var storeCode: Int? {
    switch primaryCode {
    case 3, 23: CocoaError.fileReadNoPermission.rawValue  // PERM, AUTH
    case 5, 6: NSPersistentStoreTimeoutError  // BUSY, LOCKED
    case 8: CocoaError.fileWriteNoPermission.rawValue  // READONLY
    case 11, 26: CocoaError.fileReadCorruptFile.rawValue  // CORRUPT, NOTADB
    case 13: CocoaError.fileWriteOutOfSpace.rawValue  // FULL
    case 14: CocoaError.fileReadUnknown.rawValue  // CANTOPEN
    default: nil
    }
  }
}

extension NSError {
  fileprivate convenience init(_ error: SQLiteError) {
    self.init(
      domain: NSSQLiteErrorDomain,
      code: Int(error.code),
      userInfo: [NSLocalizedDescriptionKey: error.description]
    )
  }
}
