import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The questions of checks about single values that SQL cannot express.
enum CheckFunctions {
  static func define(on connection: Connection) {
    connection.define("COREDATA_IS_UNREADABLE", borrowing: 1) { arguments in
      .integer(arguments.text(0).map { $0.isUTF8 ? 0 : 1 } ?? 0)
    }
    connection.define("COREDATA_IS_BROKEN_ARCHIVE", argumentCount: 1) { arguments in
      guard case .blob(let bytes) = arguments[0] else { return .integer(0) }
      // Only whether it can be read matters; the reason would be different words for the same.
      let archive = try? KeyedArchive(Data(bytes))
      return .integer(archive == nil ? 1 : 0)
    }
  }

  static func isUnreadable(_ text: SQLFragment) -> SQLFragment {
    "COREDATA_IS_UNREADABLE(\(text))"
  }

  static func isBrokenArchive(_ data: SQLFragment) -> SQLFragment {
    "COREDATA_IS_BROKEN_ARCHIVE(\(data))"
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are valid UTF-8; texts of ASCII, which most are, need no decoding.
  fileprivate var isUTF8: Bool {
    if allSatisfy({ $0 < 0x80 }) { return true }
    return String(validating: self, as: UTF8.self) != nil
  }
}
