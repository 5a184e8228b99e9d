import Foundation

/// Records of a JSON file: an array of objects.
///
/// Each object is parsed by itself: a parser of the whole array takes 200 bytes of memory for each byte.
struct JSONRecords: RecordReader {
  static let placeName = "record"

  private let file: ImportedFile
  private var elements: Elements
  private var members = JSONMembers()

  /// Where the objects come from.
  private enum Elements {
    case scanned(JSONElements)
    /// Of a file in another encoding than UTF-8, or of one that is not such an array.
    case parsed(ArraySlice<Any>, number: Int)
  }

  init(_ file: ImportedFile) throws {
    self.file = file
    if let elements = JSONElements(file.bytes) {
      self.elements = .scanned(elements)
    } else {
      elements = .parsed(try Self.parsed(file)[...], number: 0)
    }
  }

  /// Parses the whole file, which says best why it is not an array of objects.
  private static func parsed(_ file: ImportedFile) throws -> [Any] {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: file.data.escapingMarks(dropsFirst: true))
    } catch {
      let details = (error as NSError).userInfo[NSDebugDescriptionErrorKey]
      let reason = details.map { "\($0)" } ?? "\(error)"
      if let number = reason.firstMatch(of: /Number (\S+) is not representable/)?.1,
        let record = file.data.record(ofNumber: number)
      {
        throw Refusal("record \(record): the number \(number) is too large to be read")
      }
      if let found = file.data.uncountable {
        throw Refusal("record \(found.record): \(found.sentence)")
      }
      throw Refusal("the file is not JSON: \(reason)")
    }
    guard let objects = value as? [Any] else {
      throw Refusal(
        "the file is not an array of objects; for an object on each line, use --format jsonl"
      )
    }
    return objects
  }

  var columns: [String] { members.columns.names }

  mutating func read(_ record: inout ImportedRecord) throws -> Bool {
    switch elements {
    case .parsed(var rest, let number):
      guard let object = rest.popFirst() else { return false }
      elements = .parsed(rest, number: number + 1)
      record.begin(at: number + 1)
      try members.add(object, to: &record, called: Self.placeName)
    case .scanned(var scanner):
      let element = scanner.next()
      elements = .scanned(scanner)
      switch element {
      case .end: return false
      case .damage: throw try damage(at: scanner.number)
      case .text(let text):
        record.begin(at: scanner.number)
        let data = Data(text).escapingMarks(dropsFirst: false)
        // The parser of the whole file says why.
        guard let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        else { throw try damage(at: scanner.number) }
        try members.add(value, to: &record, called: Self.placeName)
      }
    }
    return true
  }

  /// The reason why an element cannot be read; the parser of the whole file knows it, unless the file is large.
  private func damage(at number: Int) throws -> Refusal {
    if file.bytes.count <= 1 << 20 { _ = try Self.parsed(file) }
    return Refusal("record \(number) is not JSON")
  }
}

/// The elements of an array in JSON, as the texts between its commas.
private struct JSONElements {
  private let bytes: UnsafeRawBufferPointer
  private var place: Int
  private(set) var number = 0

  enum Element {
    case text(UnsafeRawBufferPointer)
    case end
    /// The text is not an array of JSON from here on.
    case damage
  }

  /// `nil` for a file that is not UTF-8, or does not begin as an array.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.prefix(4).contains(0) else { return nil }
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    skipBlanks()
    guard place < bytes.count, bytes[place] == UInt8(ascii: "[") else { return nil }
    place += 1
  }

  private mutating func skipBlanks() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  mutating func next() -> Element {
    skipBlanks()
    // Behind the last element, its bracket has been read.
    if isClosed { return end() }
    // Foundation's parser takes a comma behind the last element.
    if place < bytes.count, bytes[place] == UInt8(ascii: "]") {
      place += 1
      return end()
    }
    number += 1
    let start = place
    guard let end = endOfElement() else { return .damage }
    isClosed = bytes[end] == UInt8(ascii: "]")
    place = end + 1
    return .text(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
  }

  private var isClosed = false

  private mutating func end() -> Element {
    isClosed = true
    skipBlanks()
    return place == bytes.count ? .end : .damage
  }

  /// The place of the comma or bracket that ends an element.
  private func endOfElement() -> Int? {
    var (place, depth, isInText) = (place, 0, false)
    while place < bytes.count {
      let byte = bytes[place]
      if isInText {
        if byte == UInt8(ascii: "\\") {
          place += 1
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: ",") where depth == 0, UInt8(ascii: "]") where depth == 0: return place
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        case _: break
        }
      }
      place += 1
    }
    return nil
  }
}

/// Records of a file with a JSON object on each line.
struct JSONLines: RecordReader {
  static let placeName = "line"

  private let file: ImportedFile
  private var members = JSONMembers()
  private var place = 0
  private var line = 0

  init(_ file: ImportedFile) throws {
    try file.requireText()
    self.file = file
  }

  var columns: [String] { members.columns.names }

  mutating func read(_ record: inout ImportedRecord) throws -> Bool {
    let bytes = file.bytes
    while place < bytes.count {
      let end = bytes.place(of: UInt8(ascii: "\n"), from: place) ?? bytes.count
      let text = UnsafeRawBufferPointer(rebasing: bytes[place..<end])
      place = end + 1
      line += 1
      if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      try read(text, to: &record)
      return true
    }
    return false
  }

  private mutating func read(
    _ text: UnsafeRawBufferPointer,
    to record: inout ImportedRecord
  ) throws {
    record.begin(at: line)
    if FlatJSON.read(text, to: &record, &members.columns) { return }
    record.begin(at: line)
    let value: Any
    do {
      let text = Data(text).escapingMarks(dropsFirst: line == 1)
      value = try JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
    } catch {
      if let found = Data(text).uncountable { throw Refusal("line \(line): \(found.sentence)") }
      throw Refusal("line \(line) is not JSON")
    }
    try members.add(value, to: &record, called: Self.placeName)
  }
}

/// The members of objects that a whole parser has read, as cells.
private struct JSONMembers {
  var columns = ColumnNames()
  private let room = TextRoom()

  mutating func add(
    _ value: Any,
    to record: inout ImportedRecord,
    called placeName: String
  ) throws {
    guard let object = value as? [String: Any] else {
      throw Refusal("\(placeName) \(record.place) is not an object")
    }
    room.empty()
    for (name, value) in object.sorted(by: { $0.key < $1.key }) {
      record.add(text(of: value), in: columns.column(name))
    }
  }

  private func text(of value: Any) -> ImportedText {
    switch value {
    case is NSNull: .nothing
    case let text as String: .text(room.keep(text))
    case let number as NSNumber where String(cString: number.objCType) == "c":
      .text(room.keep(number.boolValue ? "true" : "false"))
    case let number as NSNumber: .text(room.keep(number.stringValue))
    case let object as [String: Any]:
      (object["id"] as? String).map { ImportedText.identity(room.keep($0)) } ?? .nested
    default: .nested
    }
  }
}

extension Data {
  /// A sentence about the first word that means an infinite number, or NaN, and is not JSON; and the number of the
  /// record in an array that has it.
  fileprivate var uncountable: (sentence: String, record: Int)? {
    for word in Uncountable.wordsInJSON {
      guard let record = record(ofNumber: word[...]) else { continue }
      let sentence =
        "\(word) is not JSON; write null for no value, and \"inf\" or \"-inf\" for what is infinite"
      return (sentence, record)
    }
    return nil
  }

  /// Which record of an array has a number that is spelled so, outside of texts; the first is 1.
  fileprivate func record(ofNumber spelling: Substring) -> Int? {
    let number = [UInt8](spelling.utf8)
    var (word, record, depth) = ([UInt8](), 1, 0)
    var (isInText, isEscaped) = (false, false)
    for byte in self {
      if isInText {
        if byte == UInt8(ascii: "\""), !isEscaped { isInText = false }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        continue
      }
      if [UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-")].contains(byte)
        || byte.isLetterOrDigit
      {
        word.append(byte)
        continue
      }
      if word == number { return record }
      word = []
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 1: record += 1
      case _: break
      }
    }
    return nil
  }

  /// The same JSON with each U+FEFF escaped, which Foundation loses where it begins a text.
  ///
  /// At the beginning of a file it is not a character but the mark of its encoding.
  fileprivate func escapingMarks(dropsFirst: Bool) -> Data {
    let mark = Data([0xEF, 0xBB, 0xBF])
    // UTF-16 and UTF-32 have a zero among their first bytes, and other bytes for the character.
    guard !prefix(4).contains(0), range(of: mark) != nil else { return self }
    var (escaped, place) = (Data(), startIndex)
    if dropsFirst, starts(with: mark) { place += mark.count }
    while let found = range(of: mark, in: place..<endIndex) {
      escaped += self[place..<found.lowerBound]
      let slashes = self[..<found.lowerBound].reversed().prefix { $0 == UInt8(ascii: "\\") }
      // Text after an open escape is not JSON, and must not become JSON.
      escaped += slashes.count.isMultiple(of: 2) ? Data(#"\uFEFF"#.utf8) : mark
      place = found.upperBound
    }
    return escaped + self[place...]
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
