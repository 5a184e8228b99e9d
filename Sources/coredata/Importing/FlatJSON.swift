/// The members of a JSON object whose values are texts, plain numbers, Booleans and null.
///
/// ```
/// {"title": "First", "stars": 3}   title "First"   stars "3"
/// {"title": "a\tb", "x": 1e3}      nil: escapes and other numbers are a whole parser's work
/// ```
///
/// Nil for everything else, broken JSON included: it says nothing of what is wrong, and a reader of JSON that
/// knows all of it goes on from there.
struct FlatJSON {
  /// So many names are held against each other; an object with more of them is a whole parser's work, too.
  static let mostNames = 256

  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  static func cells(of bytes: UnsafeRawBufferPointer) -> [ImportedRecord.Cell]? {
    var reader = FlatJSON(bytes: bytes)
    return reader.object()
  }

  private init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  private mutating func object() -> [ImportedRecord.Cell]? {
    guard next() == UInt8(ascii: "{") else { return nil }
    var cells: [ImportedRecord.Cell] = []
    while true {
      guard next() == UInt8(ascii: "\""), let name = text(), next() == UInt8(ascii: ":"),
        let value = value()
      else { return nil }
      // Of a name that comes twice, the parser knows which one holds.
      if cells.count == Self.mostNames || cells.contains(where: { $0.name == name }) { return nil }
      cells.append(ImportedRecord.Cell(name: name, text: value))
      switch next() {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "}"): return next() == nil ? cells : nil
      case _: return nil
      }
    }
  }

  /// The next byte that is no blank, behind which the reading goes on; nil at the end.
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
    case UInt8(ascii: "t"): return word("rue").map { _ in .text("true") }
    case UInt8(ascii: "f"): return word("alse").map { _ in .text("false") }
    case UInt8(ascii: "n"): return word("ull").map { _ in .nothing }
    case _:
      place -= 1
      return number().map { .text($0) }
    }
  }

  /// The text up to its closing mark.
  private mutating func text() -> String? {
    let begin = place
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") {
        defer { place += 1 }
        return String(validating: bytes[begin..<place], as: UTF8.self)
      }
      if byte < 0x20 || byte == UInt8(ascii: "\\") { return nil }
      place += 1
    }
    return nil
  }

  private mutating func word(_ rest: StaticString) -> Void? {
    let end = place + rest.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[place..<end].elementsEqual(
        UnsafeBufferPointer(start: rest.utf8Start, count: rest.utf8CodeUnitCount)
      )
    else { return nil }
    place = end
    return ()
  }

  /// A number that is written as `3`, `-3` or `3.25`, of few enough digits that a `Double` has them all.
  private mutating func number() -> String? {
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
      // A last zero says nothing, and a whole number may stand before it.
      guard let last = fraction.last, last != UInt8(ascii: "0") else { return nil }
      count += fraction.count
    } else if count == 1, whole.first == UInt8(ascii: "0"), place - begin == 2 {
      return nil
    }
    guard count <= 15, place < bytes.count, !isExponent(bytes[place]) else { return nil }
    return String(validating: bytes[begin..<place], as: UTF8.self)
  }

  private mutating func digits() -> Slice<UnsafeRawBufferPointer> {
    let begin = place
    while place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) {
      place += 1
    }
    return bytes[begin..<place]
  }

  private func isExponent(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
  }
}
