import Foundation

/// Values as keyed archives hold them: texts, numbers and data plainly, the rest as objects.
extension SchemaValue {
  /// The value of an archived object; nil for none.
  init?(archived node: ArchivedNode) {
    switch node.value {
    case .null, .uid, .array: return nil
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .unsigned(let number): self = .decimal(Decimal(number))
    case .real(let number): self = .real(number)
    case .date(let seconds): self = .date(seconds)
    case .data(let data): self = .data(data)
    case .text(let text): self = .text(text)
    case .dictionary: self = Self.object(node)
    }
  }

  private static func object(_ node: ArchivedNode) -> SchemaValue {
    switch node.className {
    case "NSString", "NSMutableString":
      if let text = node.text { return .text(text) }
    case "NSData", "NSMutableData":
      if let data = node.data { return .data(data) }
    case "NSDate":
      if let seconds = node["NS.time"].real { return .date(seconds) }
    case "NSUUID":
      if let uuid = node["NS.uuidbytes"].data.flatMap(UUID.init(bytes:)) { return .uuid(uuid) }
    case "NSURL":
      if let text = node["NS.relative"].text, node["NS.base"].isNull { return .uri(text) }
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder":
      if let decimal = Decimal(archived: node.plainFields) { return .decimal(decimal) }
    default:
      break
    }
    return .archived(node.ownArchive)
  }

  /// The value as an attribute of a type holds it: `0` is `NO` for a Boolean, `0.0` for a Double.
  func converted(to type: AttributeType) -> SchemaValue {
    switch (type, self) {
    case (.boolean, .integer(let number)): .boolean(number != 0)
    case (.boolean, .real(let number)): .boolean(number != 0)
    case (.integer16, .boolean(let flag)), (.integer32, .boolean(let flag)),
      (.integer64, .boolean(let flag)):
      .integer(flag ? 1 : 0)
    case (.integer16, .real(let number)), (.integer32, .real(let number)),
      (.integer64, .real(let number)):
      Int64(exactly: number).map(SchemaValue.integer) ?? self
    case (.double, .integer(let number)), (.float, .integer(let number)): .real(Double(number))
    case (.double, .boolean(let flag)), (.float, .boolean(let flag)): .real(flag ? 1 : 0)
    case (.decimal, .integer(let number)): .decimal(Decimal(number))
    case (.decimal, .real(let number)):
      Decimal(string: "\(number)").map(SchemaValue.decimal) ?? self
    case (.boolean, _), (.integer16, _), (.integer32, _), (.integer64, _), (.double, _),
      (.float, _), (.decimal, _):
      self
    case (.string, _), (.date, _), (.binaryData, _), (.uuid, _), (.uri, _), (.transformable, _),
      (.objectID, _), (.composite, _), (.undefined, _):
      self
    }
  }
}

extension ArchiveBuilder {
  mutating func archived(_ schemaValue: SchemaValue) -> PropertyListValue {
    switch schemaValue {
    case .boolean(let flag): return value(.boolean(flag))
    case .integer(let number): return value(.integer(number))
    case .real(let number): return value(.real(number))
    case .text(let text): return value(.text(text))
    case .data(let data): return value(.data(data))
    case .decimal(let decimal): return object("NSDecimalNumber", decimal.archivedFields)
    case .date(let seconds): return object("NSDate", ["NS.time": .real(seconds)])
    case .uuid(let uuid): return object("NSUUID", ["NS.uuidbytes": .data(uuid.bytes)])
    case .uri(let uri): return object("NSURL", ["NS.base": Self.null, "NS.relative": text(uri)])
    case .archived(let data):
      // A value that is not an archive was not read by us: there is nothing to put back.
      guard let archive = try? KeyedArchive(data) else { return Self.null }
      return graft(archive.root)
    }
  }
}

extension UUID {
  fileprivate init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes) }
    self.init(uuid: value)
  }

  fileprivate var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}

// MARK: - Decimal numbers

/// A decimal number's digits are in an archive as eight words of sixteen bits.
extension Decimal {
  /// The number of an archived object's fields, with references in them followed; `nil` if they are
  /// not a number.
  package init?(archived fields: [String: PropertyListValue]) {
    guard case .integer(let exponent) = fields["NS.exponent"], (-128...127).contains(exponent),
      case .data(let bytes) = fields["NS.mantissa"], bytes.count == 16
    else { return nil }
    let words = [UInt8](bytes)
    let isBigEndian = fields["NS.mantissa.bo"] == .integer(2)
    let isNegative = [.boolean(true), .integer(1)].contains(fields["NS.negative"])
    var significand = Decimal(0)
    for index in stride(from: 14, through: 0, by: -2) {
      let (first, second) = (UInt16(words[index]), UInt16(words[index + 1]))
      let word = isBigEndian ? (first << 8) | second : (second << 8) | first
      significand = significand * 65536 + Decimal(Int(word))
    }
    self.init(
      sign: isNegative ? .minus : .plus,
      exponent: Int(exponent),
      significand: significand
    )
  }

  package var archivedFields: [String: PropertyListValue] {
    let words = magnitudeWords
    return [
      "NS.exponent": .integer(Int64(exponent)),
      "NS.length": .integer(Int64(words.count - words.reversed().prefix { $0 == 0 }.count)),
      "NS.negative": .boolean(self < 0),
      "NS.compact": .boolean(true),
      "NS.mantissa.bo": .integer(1),
      "NS.mantissa": .data(Data(words.flatMap(\.littleEndianBytes))),
    ]
  }

  /// The digits without sign and point, as a number of eight words, the lowest first.
  private var magnitudeWords: [UInt16] {
    var words = [UInt16](repeating: 0, count: 8)
    for digit in significand.magnitude.description.compactMap(\.wholeNumberValue) {
      var carry = UInt32(digit)
      for index in words.indices {
        let product = UInt32(words[index]) * 10 + carry
        words[index] = UInt16(truncatingIfNeeded: product)
        carry = product >> 16
      }
    }
    return words
  }
}
