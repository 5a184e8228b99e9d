package import CoreDataSQLite
package import Foundation

/// A store that cannot be opened, read or written: which one, and why.
///
/// ```swift
/// } catch let error as SQLiteError {
///   throw StoreFailure(.opening(error), path: url.path).error()
/// }
/// ```
///
/// SQLite's own words and code are in every error that comes from SQLite: as the underlying error
/// in `NSSQLiteErrorDomain`, and its code once more under the key of that name, as Apple has it.
package struct StoreFailure: Hashable, Sendable {
  package var cause: Cause
  /// The path of the store's file, or the name of a store without a file.
  package var path: String

  package init(_ cause: Cause, path: String) {
    self.cause = cause
    self.path = path
  }

  package enum Cause: Hashable, Sendable {
    case unknownType(String)
    case otherType(found: String, expected: String)
    case missingFile
    case unreadable
    case unwritable
    /// There is a file, and it is something else.
    case notADatabase
    /// A database that is not one of Core Data's: the text names what it lacks, as in "has no table Z_METADATA".
    case notAStore(String)
    /// A store without a model cache.
    case noModel
    /// The model cache is there and cannot be read, and why.
    case damagedModel(String)
    case damagedMetadata
    /// The write-ahead log beside the file is another store's.
    case foreignLog
    /// A version of the format that we do not know, as in "metadata of the version 2".
    case newerFormat(String)
    /// The store was made with another model.
    case otherModel(ModelDifference)
    /// The store has been migrated from the program's model to a newer one, and why the program cannot go on with it.
    case newerModel(ModelDifference, String)
    case unsupportedRequest(String)
    /// A part of a predicate or an order, the problem with it, and a remedy.
    case untranslatable(part: String, problem: String, remedy: Advice)
    /// A derived attribute that cannot be computed, and why.
    case underivable(String, String)
    /// The model does not have a configuration of that name.
    case unknownConfiguration(String)
    /// The coordinator has the store of the file already.
    case added
    /// The store is not one of the coordinator's.
    case otherCoordinator
    case opening(SQLiteError)
    case reading(SQLiteError)
    case saving(SQLiteError)
  }

  /// The error, with what is known of the store: its metadata, the store itself.
  package func error(metadata: [String: Any]? = nil, stores: [Any] = []) -> NSError {
    var userInfo: [String: Any] = [NSFilePathErrorKey: path]
    userInfo[Self.metadataKey] = metadata
    if !stores.isEmpty { userInfo[NSAffectedStoresErrorKey] = stores }
    if let difference = cause.difference {
      userInfo[Self.storeHashesKey] = difference.storeHashes
      userInfo[Self.modelHashesKey] = difference.modelHashes
    }
    if let sqlite = cause.sqlite {
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

// MARK: - Codes

extension StoreFailure {
  /// Apple's code for a store that is added twice, which does not have a name.
  private static let codeOfAdded = 134_081

  package var code: Int {
    switch cause {
    case .unknownType: NSPersistentStoreInvalidTypeError
    case .otherType: NSPersistentStoreTypeMismatchError
    case .missingFile: CocoaError.fileReadNoSuchFile.rawValue
    case .unreadable: CocoaError.fileReadNoPermission.rawValue
    case .unwritable: CocoaError.fileWriteNoPermission.rawValue
    case .notADatabase, .notAStore, .noModel, .damagedModel, .damagedMetadata, .foreignLog:
      CocoaError.fileReadCorruptFile.rawValue
    case .newerFormat: NSPersistentStoreInvalidTypeError
    case .otherModel, .newerModel: NSPersistentStoreIncompatibleVersionHashError
    case .unsupportedRequest, .untranslatable: NSPersistentStoreUnsupportedRequestTypeError
    case .unknownConfiguration, .otherCoordinator, .underivable: NSPersistentStoreOpenError
    case .added: Self.codeOfAdded
    case .opening(let error): error.storeCode ?? NSPersistentStoreOpenError
    case .reading(let error): error.storeCode ?? NSSQLiteError
    case .saving(let error) where error.isDuplicate: NSManagedObjectConstraintMergeError
    case .saving(let error): error.storeCode ?? NSPersistentStoreSaveError
    }
  }
}

extension StoreFailure.Cause {
  fileprivate var difference: ModelDifference? {
    switch self {
    case .otherModel(let difference), .newerModel(let difference, _): difference
    case _: nil
    }
  }

  fileprivate var sqlite: SQLiteError? {
    switch self {
    case .opening(let error), .reading(let error), .saving(let error): error
    case .unknownType, .otherType, .missingFile, .unreadable, .unwritable, .notADatabase: nil
    case .notAStore, .noModel, .damagedModel, .damagedMetadata, .newerFormat, .foreignLog: nil
    case .otherModel, .newerModel, .unsupportedRequest, .unknownConfiguration, .added: nil
    case .otherCoordinator, .underivable, .untranslatable: nil
    }
  }
}

extension SQLiteError {
  /// Whether a uniqueness constraint has refused the row.
  var isDuplicate: Bool { code == 2067 || code == 1555 }

  /// The code for what SQLite says of a file, whatever was being done with it.
  fileprivate var storeCode: Int? {
    switch primaryCode {
    case 10 where isFullDisk, 14 where isFullDisk: CocoaError.fileWriteOutOfSpace.rawValue
    case 10 where isReadOnlyDisk, 14 where isReadOnlyDisk:
      CocoaError.fileWriteVolumeReadOnly.rawValue
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
