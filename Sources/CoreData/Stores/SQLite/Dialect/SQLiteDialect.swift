import CoreDataPredicates
import CoreDataSQL

/// SQL as SQLite takes it, with the functions and collations that ``TextFunctions`` registers, FTS5 and
/// `json_each`.
struct SQLiteDialect: SQLDialect {
  var spelling: SQLSpelling { .sqlite }

  func same(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment { "\(one) IS \(other)" }

  func differ(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment { "\(one) IS NOT \(other)" }

  /// A plus sign before a column hides it from the choice of indexes.
  func withoutIndex(_ value: SQLFragment) -> SQLFragment { "+\(value)" }

  func cast(_ value: SQLFragment, to type: NumberType) -> SQLFragment {
    switch type {
    case .real: "CAST(\(value) AS REAL)"
    case .decimal: value
    case .integer: "CAST(\(value) AS INTEGER)"
    case .boolean: "(\(value) <> 0)"
    }
  }

  func ordered(_ value: SQLFragment, ascending: Bool) -> SQLFragment {
    ascending ? value : "\(value) DESC"
  }

  func scratchTable(_ name: String) -> ScratchTable {
    let table = SQLFragment.column(name, of: "temp")
    return ScratchTable(
      name: table,
      creation: """
        CREATE TEMP TABLE IF NOT EXISTS \(name: name) (root INTEGER, number INTEGER, \
        entity INTEGER, PRIMARY KEY (root, number)) WITHOUT ROWID
        """
    )
  }
}

// MARK: - Many constants

/// A statement has room for some 32,000 values to bind; a hundred thousand travel as one text. Values that JSON
/// cannot carry to the last bit go as a whole number or in hexadecimal digits.
extension SQLiteDialect {
  func lists(_ constants: ManyConstants) -> [SQLFragment] {
    switch constants {
    case .integers(let integers):
      return [list("\"value\"", integers.json)]
    case .reals(let reals):
      let bits = reals.map { Int64(bitPattern: $0.bitPattern) }
      return [list("COREDATA_REAL(\"value\")", bits.json)]
    case .blobs(let blobs):
      return [list("COREDATA_BYTES(\"value\")", blobs.json)]
    case .texts(let texts):
      let (awkward, plain) = (texts.filter(\.endsTooEarly), texts.filter { !$0.endsTooEarly })
      let bytes = awkward.map { [UInt8]($0.utf8) }
      return (plain.isEmpty ? [] : [list("\"value\"", plain.json)])
        + (awkward.isEmpty ? [] : [list("CAST(COREDATA_BYTES(\"value\") AS TEXT)", bytes.json)])
    }
  }

  private func list(_ column: SQLFragment, _ json: String) -> SQLFragment {
    "SELECT \(column) FROM json_each(\(.text(json)))"
  }

  var boundKeys: SQLFragment { "SELECT \"value\" FROM json_each(\(.parameter))" }

  func bound(_ keys: [Int64]) -> SQLValue { .text(keys.json) }
}

extension String {
  /// Whether JSON, as SQLite reads it, would end it too early.
  fileprivate var endsTooEarly: Bool { utf8.contains(0) }
}

extension [Int64] {
  fileprivate var json: String { "[" + map(\.description).joined(separator: ",") + "]" }
}

extension [[UInt8]] {
  fileprivate var json: String {
    let digits = [UInt8]("0123456789abcdef".utf8)
    var json: [UInt8] = [UInt8(ascii: "[")]
    for (index, bytes) in enumerated() {
      if index > 0 { json.append(UInt8(ascii: ",")) }
      json.append(UInt8(ascii: "\""))
      for byte in bytes {
        json.append(digits[Int(byte >> 4)])
        json.append(digits[Int(byte & 15)])
      }
      json.append(UInt8(ascii: "\""))
    }
    json.append(UInt8(ascii: "]"))
    return String(decoding: json, as: UTF8.self)
  }
}

extension [String] {
  fileprivate var json: String {
    var json: [UInt8] = [UInt8(ascii: "[")]
    for (index, text) in enumerated() {
      if index > 0 { json.append(UInt8(ascii: ",")) }
      json.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          json += [UInt8(ascii: "\\"), byte]
        case 0..<0x20:
          let digits = String(byte, radix: 16)
          json += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
        case _:
          json.append(byte)
        }
      }
      json.append(UInt8(ascii: "\""))
    }
    json.append(UInt8(ascii: "]"))
    return String(decoding: json, as: UTF8.self)
  }
}
