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
  private var place = 0
  private var line = 0

  init(_ bytes: Data) {
    self.bytes = bytes
  }

  var columns: [String]? { nil }

  mutating func next() throws -> ImportedRecord? {
    let bytes = bytes
    return try bytes.withUnsafeBytes { bytes in
      while place < bytes.count {
        let rest = bytes[place...]
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let text = UnsafeRawBufferPointer(rebasing: rest[..<end])
        place = end == bytes.count ? end : end + 1
        line += 1
        if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
        return try record(text)
      }
      return nil
    }
  }

  private func record(_ text: UnsafeRawBufferPointer) throws -> ImportedRecord {
    if let cells = FlatJSON.cells(of: text) {
      return ImportedRecord(place: line, cells: cells.sorted { $0.name < $1.name })
    }
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
    } catch {
      throw Refusal("line \(line) is not JSON")
    }
    return try ImportedRecord(json: value, at: line, called: Self.placeName)
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
      case let number as NSNumber where String(cString: number.objCType) == "c":
        .text(number.boolValue ? "true" : "false")
      case let number as NSNumber: .text(number.stringValue)
      default: .nested
      }
  }
}
