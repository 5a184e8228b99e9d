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
    connection.define("COREDATA_IS_CUT_ARCHIVE", borrowing: 1) { arguments in
      .integer(arguments.blob(0).map { $0.isCutArchive ? 1 : 0 } ?? 0)
    }
    connection.define("COREDATA_IS_NO_DECIMAL", argumentCount: 1) { arguments in
      guard case .text(let text) = arguments[0] else { return .integer(0) }
      return .integer(text.wholeMatch(of: decimal) == nil ? 1 : 0)
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

  /// The digits in which a decimal is kept that no number of SQLite holds exactly.
  private static var decimal: Regex<(Substring, Substring?)> {
    /[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?/
  }

  static func isNoDecimal(_ value: SQLFragment) -> SQLFragment {
    "(typeof(\(value)) = 'text' AND COREDATA_IS_NO_DECIMAL(\(value)))"
  }

  /// Whether data are empty, or a binary property list that ends too early; the objects in it are not read.
  static func isCutArchive(_ data: SQLFragment) -> SQLFragment {
    "COREDATA_IS_CUT_ARCHIVE(\(data))"
  }

  static func isBrokenArchive(_ data: SQLFragment) -> SQLFragment {
    "COREDATA_IS_BROKEN_ARCHIVE(\(data))"
  }
}

extension UnsafeRawBufferPointer {
  /// A binary property list ends with a table of places, and 32 bytes that say where it is.
  fileprivate var isCutArchive: Bool {
    if isEmpty { return true }
    guard starts(with: "bplist00".utf8) else { return false }
    let trailer = 32
    guard count >= 8 + 1 + trailer else { return true }
    let number = { (offset: Int) in
      UInt64(bigEndian: loadUnaligned(fromByteOffset: count - trailer + offset, as: UInt64.self))
    }
    let (size, objects, table) = (UInt64(self[count - trailer + 6]), number(8), number(24))
    let (bytes, isTooMuch) = objects.multipliedReportingOverflow(by: size)
    return isTooMuch || !(1...8).contains(size) || table < 8 || table > UInt64(count - trailer)
      || bytes != UInt64(count - trailer) - table
  }

  /// Whether the bytes are valid UTF-8; texts of ASCII, which most are, need no decoding.
  fileprivate var isUTF8: Bool {
    if allSatisfy({ $0 < 0x80 }) { return true }
    return String(validating: self, as: UTF8.self) != nil
  }
}
