/// Reads the members of a JSON object whose values are texts, plain numbers, Booleans and null.
///
/// ```
/// {"title": "First", "stars": 3}   title "First"   stars "3"
/// {"title": "a\tb", "x": 1e3}      false: escapes and other numbers are a whole parser's work
/// ```
///
/// False for everything else, broken JSON included: it does not report the problem, and a complete reader of JSON
/// begins again.
struct FlatJSON {
  /// So many names are held against each other; an object with more of them is a whole parser's work, too.
  static let mostNames = 256

  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  /// Adds the members of UTF-8 to a record, whose texts stay in their places.
  static func read(
    _ bytes: UnsafeRawBufferPointer,
    to record: inout ImportedRecord,
    _ columns: inout ColumnNames
  ) -> Bool {
    var reader = FlatJSON(bytes: bytes)
    return reader.readObject(to: &record, &columns)
  }

  private init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  private mutating func readObject(
    to record: inout ImportedRecord,
    _ columns: inout ColumnNames
  ) -> Bool {
    guard next() == UInt8(ascii: "{") else { return false }
    while true {
      guard next() == UInt8(ascii: "\""), let name = text(), next() == UInt8(ascii: ":"),
        let value = value()
      else { return false }
      let place = record.cells.count
      let column = columns.column(name, expected: place)
      // Of a name that comes twice, the parser knows which one holds.
      if place == Self.mostNames || record.cells.contains(where: { $0.column == column }) {
        return false
      }
      record.add(value, in: column)
      switch next() {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "}"): return next() == nil
      case _: return false
      }
    }
  }

  /// The next byte that is not blank, after which the reading goes on; `nil` at the end.
  private mutating func next() -> UInt8? {
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte != 0x20, byte != 0x09, byte != 0x0D, byte != 0x0A { return byte }
    }
    return nil
  }
}

// MARK: - Values

extension FlatJSON {
  private mutating func value() -> ImportedText? {
    guard let first = next() else { return nil }
    switch first {
    case UInt8(ascii: "\""): return text().map { .text($0) }
    case UInt8(ascii: "t"): return word("true").map { .text($0) }
    case UInt8(ascii: "f"): return word("false").map { .text($0) }
    case UInt8(ascii: "n"): return word("null").map { _ in .nothing }
    case _:
      place -= 1
      return number().map { .text($0) }
    }
  }

  /// The text up to its closing mark.
  private mutating func text() -> UnsafeRawBufferPointer? {
    let begin = place
    var end = begin
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      if bytes[end] < 0x20 || bytes[end] == UInt8(ascii: "\\") { return nil }
      end += 1
    }
    place = end + 1
    return end < bytes.count ? UnsafeRawBufferPointer(rebasing: bytes[begin..<end]) : nil
  }

  /// The word whose first letter was read.
  private mutating func word(_ word: StaticString) -> UnsafeRawBufferPointer? {
    let begin = place - 1
    let end = begin + word.utf8CodeUnitCount
    guard end <= bytes.count else { return nil }
    let found = UnsafeRawBufferPointer(rebasing: bytes[begin..<end])
    place = end
    return found.spells(word) ? found : nil
  }

  /// A number that is written as `3`, `-3` or `3.25`, of few enough digits that a `Double` has them all.
  private mutating func number() -> UnsafeRawBufferPointer? {
    let begin = place
    if place < bytes.count, bytes[place] == UInt8(ascii: "-") { place += 1 }
    let whole = digits()
    guard whole.count == 1 || (whole.count > 1 && whole.first != UInt8(ascii: "0")) else {
      return nil
    }
    var count = whole.count
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place += 1
      let fraction = digits()
      // A last zero means nothing, and a whole number may come before it.
      guard let last = fraction.last, last != UInt8(ascii: "0") else { return nil }
      count += fraction.count
    } else if count == 1, whole.first == UInt8(ascii: "0"), place - begin == 2 {
      return nil
    }
    guard count <= 15, place < bytes.count, !isExponent(bytes[place]) else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[begin..<place])
  }

  private mutating func digits() -> Slice<UnsafeRawBufferPointer> {
    let begin = place
    var end = begin
    while end < bytes.count, bytes[end] &- UInt8(ascii: "0") < 10 { end += 1 }
    place = end
    return bytes[begin..<end]
  }

  private func isExponent(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
  }
}
