import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The functions of SQL that only a migration needs.
enum MigrationFunctions {
  static let mark: SQLFragment = "COREDATA_MARK"
  static let unmark: SQLFragment = "COREDATA_UNMARK"
  static let movedColumns: SQLFragment = "COREDATA_MOVED_COLUMNS"

  /// The function that makes a text's canonical, upper or lower form.
  static func form(_ form: TextForm) -> SQLFragment {
    switch form {
    case .uppercase: "COREDATA_FORM_UPPER"
    case .lowercase: "COREDATA_FORM_LOWER"
    case .canonical: "COREDATA_FORM_CANONICAL"
    }
  }

  static func define(on connection: Connection, store: URL, history: HistoryMove) {
    connection.define("COREDATA_MARK", argumentCount: 1) { arguments in
      switch arguments[0] {
      case .blob(let bytes): .blob([1] + bytes)
      case .null, .integer, .real, .text: arguments[0]
      }
    }
    connection.define("COREDATA_UNMARK", argumentCount: 1, isDeterministic: false) { arguments in
      guard case .blob(let bytes) = arguments[0] else { return arguments[0] }
      return bytes.withUnsafeBytes { stored in
        if let data = ExternalData.inlineData(stored) { return .blob([UInt8](data)) }
        // The bytes of a file that is missing were counted as lost.
        return ExternalData.fileName(stored).flatMap {
          ExternalFiles.data(named: $0, besides: store)
        }
        .map { .blob([UInt8]($0)) } ?? .null
      }
    }
    connection.define("COREDATA_MOVED_COLUMNS", argumentCount: 2) { arguments in
      guard case .integer(let entity) = arguments[0], case .blob(let bytes) = arguments[1] else {
        return arguments[1]
      }
      return .blob(history.moved(bytes, ofEntity: Int(entity)))
    }
    for textForm in TextForm.allCases {
      let name = form(textForm).rendered(for: .sqlite).sql
      connection.define(name, argumentCount: 1) { arguments in
        guard case .text(let text) = arguments[0] else { return .null }
        return .text(textForm.of(text))
      }
    }
  }
}
