import Foundation

/// Records of a JSON file: an array of objects.
struct JSONRecords: RecordReader {
  static let placeName = "record"

  private let objects: [Any]
  private var number = 0

  init(_ bytes: Data) throws {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: bytes)
    } catch {
      throw Refusal(
        "the file is not JSON: \((error as NSError).userInfo[NSDebugDescriptionErrorKey] ?? error)"
      )
    }
    guard let objects = value as? [Any] else {
      throw Refusal(
        "the file is not an array of objects; for an object on each line, use --format jsonl"
      )
    }
    self.objects = objects
  }

  var columns: [String]? { nil }

  mutating func next() throws -> ImportedRecord? {
    guard number < objects.count else { return nil }
    number += 1
    return try ImportedRecord(json: objects[number - 1], at: number, called: Self.placeName)
  }
}

/// Records of a file with a JSON object on each line.
struct JSONLines: RecordReader {
  static let placeName = "line"

  private let bytes: Data
  private var place: Data.Index
  private var line = 0

  init(_ bytes: Data) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  var columns: [String]? { nil }

  mutating func next() throws -> ImportedRecord? {
    while place < bytes.endIndex {
      let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      let text = bytes[place..<end]
      place = end == bytes.endIndex ? end : end + 1
      line += 1
      if text.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
      let value: Any
      do {
        value = try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
      } catch {
        throw Refusal("line \(line) is not JSON")
      }
      return try ImportedRecord(json: value, at: line, called: Self.placeName)
    }
    return nil
  }
}

extension ImportedRecord {
  fileprivate init(json: Any, at place: Int, called placeName: String) throws {
    guard let object = json as? [String: Any] else {
      throw Refusal("\(placeName) \(place) is not an object")
    }
    self.place = place
    cells = object.sorted { $0.key < $1.key }
      .map { Cell(name: $0.key, text: ImportedText(json: $0.value)) }
  }
}

extension ImportedText {
  fileprivate init(json value: Any) {
    self =
      switch value {
      case is NSNull: .nothing
      case let text as String: .text(text)
      case let flag as Bool where type(of: value) == Bool.self: .text(flag ? "true" : "false")
      case let number as NSNumber: .text(number.stringValue)
      default: .nested
      }
  }
}
