import CoreDataSQL

/// The constants of an `IN`, however many there are.
///
/// ```
/// few       "ZSTARS" IN (?1, ?2, ?3)
/// many      "ZSTARS" IN (SELECT "value" FROM json_each(?1))
/// ```
///
/// A statement has room for some 32,000 values to bind; a hundred thousand travel as one text.
/// What JSON cannot carry to the last bit goes as a whole number or in hexadecimal digits.
struct ConstantList {
  private var integers: [Int64] = []
  private var reals: [Double] = []
  private var texts: [String] = []
  private var blobs: [[UInt8]] = []
  /// Texts that JSON would end too early.
  private var awkward: [String] = []

  private static let few = 16

  mutating func append(_ value: SQLValue) {
    switch value {
    case .null: break
    case .integer(let value): integers.append(value)
    case .real(let value): reals.append(value)
    case .text(let text) where text.utf8.contains(0): awkward.append(text)
    case .text(let text): texts.append(text)
    case .blob(let bytes): blobs.append(bytes)
    }
  }

  func conditions(for value: SQLFragment, isCertain: Bool) -> [Condition] {
    [
      list(value, integers.map(SQLValue.integer), "\"value\"") { integers.json },
      list(value, reals.map(SQLValue.real), "COREDATA_REAL(\"value\")") { reals.json },
      list(value, texts.map(SQLValue.text), "\"value\"") { texts.json },
      list(value, blobs.map(SQLValue.blob), "COREDATA_BYTES(\"value\")") { blobs.json },
      list(value, awkward.map(SQLValue.text), "\"value\"", few: .max) { "" },
    ]
    .compactMap { $0.map { Condition($0, isCertain: isCertain) } }
  }

  private func list(
    _ value: SQLFragment,
    _ constants: [SQLValue],
    _ column: SQLFragment,
    few: Int = Self.few,
    json: () -> String
  ) -> SQLFragment? {
    if constants.isEmpty { return nil }
    guard constants.count > few else {
      return "\(value) IN (\(constants.map(SQLFragment.value).joined(separator: ", ")))"
    }
    return "\(value) IN (SELECT \(column) FROM json_each(\(.text(json()))))"
  }
}

// MARK: - JSON

extension [Int64] {
  fileprivate var json: String { "[" + map(\.description).joined(separator: ",") + "]" }
}

extension [Double] {
  /// Their bits, as whole numbers.
  fileprivate var json: String { map { Int64(bitPattern: $0.bitPattern) }.json }
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
