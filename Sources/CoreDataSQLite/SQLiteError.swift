import Foundation

/// SQLite's reason for a refusal.
package struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code: 2067 for a unique index, 13 for a full disk.
  package var code: Int32
  package var message: String
  /// The statement that failed, when there was one.
  package var sql: String?
  /// The system's own number for its refusal, as `ENOSPC`; 0 if the system did not refuse.
  package var systemNumber: Int32

  package init(code: Int32, message: String, sql: String? = nil, systemNumber: Int32 = 0) {
    self.code = code
    self.message = message
    self.sql = sql
    self.systemNumber = systemNumber
  }

  /// The result code without its extension: 19 for every kind of broken constraint.
  package var primaryCode: Int32 { code & 0xFF }

  /// Whether the disk was full.
  package var isFullDisk: Bool { [ENOSPC, EDQUOT, EFBIG].contains(systemNumber) }

  /// Whether there was no room, as the system or SQLite itself says.
  package var hasNoRoom: Bool { isFullDisk || primaryCode == 13 }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    let place = sql.map { " in \($0)" } ?? ""
    return "SQLite error \(code): \(message)\(place)"
  }
}
