/// A value that a statement binds: one of the five storage classes that SQL databases share.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLValue: CustomStringConvertible {
  /// The value as people write it in SQL, for logs and tests.
  package var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value):
      "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        + "'"
    case .blob(let bytes):
      "x'" + bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
        + "'"
    }
  }
}
