import Foundation

/// Reads JSON from left to right, each byte once.
///
/// ```
/// {"title": "Faults", "tags": ["memory"]}
/// object ─▶ members ─▶ text, value ─▶ …       each step counts one value, each level one of the depth
/// ```
struct JSONParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let limits: JSONLimits
  private var position = 0
  private var count = 0

  static func value(of data: Data, within limits: JSONLimits) throws(JSONProblem) -> JSONValue {
    // `withUnsafeBytes` gives any error on; this one is ours.
    try data.withUnsafeBytes { raw in
      Result { () throws(JSONProblem) in
        var parser = JSONParser(bytes: raw.bindMemory(to: UInt8.self), limits: limits)
        return try parser.document()
      }
    }.get()
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  private mutating func document() throws(JSONProblem) -> JSONValue {
    let value = try value(depth: 0)
    skipBlanks()
    guard position == bytes.count else { throw problem(.malformed) }
    return value
  }

  private mutating func value(depth: Int) throws(JSONProblem) -> JSONValue {
    try countValue()
    skipBlanks()
    switch peek {
    case UInt8(ascii: "{"): return .object(try object(depth: try deeper(depth)))
    case UInt8(ascii: "["): return .list(try list(depth: try deeper(depth)))
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }
}

// MARK: - Counting

extension JSONParser {
  private mutating func countValue() throws(JSONProblem) {
    count += 1
    guard count <= limits.values else { throw problem(.tooMany(limits.values)) }
    if count & 0xFFF == 0, Task.isCancelled { throw problem(.cancelled) }
  }

  private func deeper(_ depth: Int) throws(JSONProblem) -> Int {
    guard depth < limits.depth else { throw problem(.tooDeep(limits.depth)) }
    return depth + 1
  }

  private func problem(_ reason: JSONProblem.Reason) -> JSONProblem {
    JSONProblem(reason: reason, position: position)
  }
}

// MARK: - Steps

extension JSONParser {
  /// The next byte; zero, which begins nothing, at the end.
  private var peek: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// Goes past a sign, if it is the next.
  private mutating func takes(_ sign: UInt8) -> Bool {
    guard peek == sign else { return false }
    position += 1
    return true
  }

  private mutating func word(
    _ word: StaticString,
    _ value: JSONValue
  ) throws(JSONProblem)
    -> JSONValue
  {
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[position...].starts(with: letters) else { throw problem(.malformed) }
    position += letters.count
    return value
  }
}

// MARK: - Lists and objects

extension JSONParser {
  private mutating func list(depth: Int) throws(JSONProblem) -> [JSONValue] {
    position += 1
    skipBlanks()
    if takes(UInt8(ascii: "]")) { return [] }
    var values: [JSONValue] = []
    while true {
      values.append(try value(depth: depth))
      skipBlanks()
      if takes(UInt8(ascii: ",")) { continue }
      guard takes(UInt8(ascii: "]")) else { throw problem(.malformed) }
      return values
    }
  }

  /// Of members of the same name the last counts, as in JavaScript.
  private mutating func object(depth: Int) throws(JSONProblem) -> JSONMembers {
    position += 1
    skipBlanks()
    if takes(UInt8(ascii: "}")) { return [:] }
    var members = JSONMembers()
    while true {
      skipBlanks()
      guard peek == UInt8(ascii: "\"") else { throw problem(.malformed) }
      let name = try text()
      skipBlanks()
      guard takes(UInt8(ascii: ":")) else { throw problem(.malformed) }
      members[name] = try value(depth: depth)
      skipBlanks()
      if takes(UInt8(ascii: ",")) { continue }
      guard takes(UInt8(ascii: "}")) else { throw problem(.malformed) }
      return members
    }
  }
}

// MARK: - Numbers

extension JSONParser {
  private mutating func number() throws(JSONProblem) -> JSONValue {
    let start = position
    _ = takes(UInt8(ascii: "-"))
    if !takes(UInt8(ascii: "0")) { try digits() }
    var isWhole = true
    if takes(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if peek | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      position += 1
      if !takes(UInt8(ascii: "+")) { _ = takes(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole {
      guard let number = Int64(text), JSONLimits.numbers.contains(number) else {
        throw JSONProblem(reason: .numberOutOfBounds, position: start)
      }
      return .integer(number)
    }
    guard let number = Double(text), number.isFinite else {
      throw JSONProblem(reason: .numberOutOfBounds, position: start)
    }
    return .number(number)
  }

  /// At least one digit.
  private mutating func digits() throws(JSONProblem) {
    let start = position
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(peek) { position += 1 }
    guard position > start else { throw problem(.malformed) }
  }
}

// MARK: - Texts

extension JSONParser {
  private mutating func text() throws(JSONProblem) -> String {
    position += 1
    let start = position
    var plain = start
    var written: [UInt8] = []
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let end = position
        position += 1
        if plain == start { return try string(bytes[start..<end], at: start) }
        written += bytes[plain..<end]
        return try string(written, at: start)
      case UInt8(ascii: "\\"):
        written += bytes[plain..<position]
        try readEscape(into: &written)
        plain = position
      case 0..<0x20: throw problem(.malformed)
      default: position += 1
      }
    }
    throw problem(.malformed)
  }

  private func string(_ bytes: some Sequence<UInt8>, at start: Int) throws(JSONProblem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw JSONProblem(reason: .malformed, position: start)
    }
    return text
  }

  private mutating func readEscape(into written: inout [UInt8]) throws(JSONProblem) {
    position += 1
    let sign = peek
    position += 1
    switch sign {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): written.append(sign)
    case UInt8(ascii: "b"): written.append(0x08)
    case UInt8(ascii: "f"): written.append(0x0C)
    case UInt8(ascii: "n"): written.append(0x0A)
    case UInt8(ascii: "r"): written.append(0x0D)
    case UInt8(ascii: "t"): written.append(0x09)
    case UInt8(ascii: "u"): written += Array(Character(try scalar()).utf8)
    default: throw problem(.malformed)
    }
  }

  /// The character of `\u` and its digits; two halves of a pair are one character.
  private mutating func scalar() throws(JSONProblem) -> Unicode.Scalar {
    let first = try fourDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, takes(UInt8(ascii: "\\")), takes(UInt8(ascii: "u")) else {
      throw problem(.malformed)
    }
    let second = try fourDigits()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw problem(.malformed) }
    return scalar
  }

  private mutating func fourDigits() throws(JSONProblem) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch peek {
      case let sign where (0x30...0x39).contains(sign): digit = sign - 0x30
      case let sign where (0x61...0x66).contains(sign | 0x20): digit = (sign | 0x20) - 0x57
      default: throw problem(.malformed)
      }
      number = (number << 4) | UInt32(digit)
      position += 1
    }
    return number
  }
}
