import Foundation

/// Records of a JSON file: an array of objects.
struct JSONRecords: RecordReader {
  static let placeName = "record"

  private let objects: [Any]
  private var members = JSONMembers()
  private var number = 0

  init(_ file: ImportedFile) throws {
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
    self.objects = objects
  }

  var columns: [String] { members.columns.names }

  mutating func read(_ record: inout ImportedRecord) throws -> Bool {
    guard number < objects.count else { return false }
    number += 1
    record.begin(at: number)
    try members.add(objects[number - 1], to: &record, called: Self.placeName)
    return true
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
