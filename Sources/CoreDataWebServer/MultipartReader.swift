import Foundation

/// A form with files while it arrives: each part goes to a file of its own.
///
///     --boundary ⏎
///     Content-Disposition: form-data; name="file"; filename="a.md" ⏎
///     ⏎
///     … content … ⏎
///     --boundary--
struct MultipartReader: Sendable {
  private enum Stage: Sendable {
    case preamble
    /// After a boundary: `--` ends the form, a line end begins a part.
    case border
    case fields
    case content(PartFields, UploadFile, count: Int)
    case done
  }

  private let delimiter: [UInt8]
  private let folder: URL
  private let limit: Int
  private var received = 0
  /// Bytes that may be the beginning of a boundary or of fields.
  private var waiting: [UInt8]
  private var stage = Stage.preamble
  private var parts: [(part: Part, file: UploadFile)] = []

  private static let fieldsLimit = 8_192
  private static let partsLimit = 200

  init(contentType: String?, folder: URL, limit: Int) throws(Problem) {
    guard let contentType, let type = FieldParameters(contentType),
      type.value.lowercased() == "multipart/form-data"
    else { throw Problem(415, "This takes a form with files (multipart/form-data).") }
    guard let boundary = type["boundary"], (1...70).contains(boundary.utf8.count) else {
      throw Problem(400, "The form does not say its boundary.")
    }
    delimiter = Array("\r\n--\(boundary)".utf8)
    // The first boundary is at the very beginning: with a line end before it, it is like the others.
    waiting = [0x0D, 0x0A]
    self.folder = folder
    self.limit = limit
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    received += bytes.count
    guard received <= limit else { throw .tooLarge(limit) }
    waiting.append(contentsOf: bytes)
    while try step() {}
  }

  func finish() throws(Problem) -> ([Part], [UploadFile]) {
    guard case .done = stage else { throw Problem(400, "The form ends too early.") }
    return (parts.map(\.part), parts.map(\.file))
  }
}

extension MultipartReader {
  /// Goes on by one piece; false when more bytes are needed.
  private mutating func step() throws(Problem) -> Bool {
    switch stage {
    case .preamble: skipPreamble()
    case .border: try readBorder()
    case .fields: try readFields()
    case .content(let fields, let file, let count): try readContent(fields, file, count)
    case .done: skipEpilogue()
    }
  }

  private mutating func skipPreamble() -> Bool {
    guard let start = waiting.firstIndex(of: delimiter) else {
      waiting.removeFirst(max(0, waiting.count - delimiter.count))
      return false
    }
    waiting.removeFirst(start + delimiter.count)
    stage = .border
    return true
  }

  private mutating func readBorder() throws(Problem) -> Bool {
    guard waiting.count >= 2 else { return false }
    if waiting.starts(with: [0x2D, 0x2D]) {
      stage = .done
      return true
    }
    let blanks = waiting.prefix { $0 == 0x20 || $0 == 0x09 }.count
    guard waiting.count >= blanks + 2 else { return false }
    guard waiting[blanks] == 0x0D, waiting[blanks + 1] == 0x0A, blanks < 100 else {
      throw Problem(400, "The form has a broken boundary.")
    }
    // The line end stays: a part without fields has an empty line at once.
    waiting.removeFirst(blanks)
    stage = .fields
    return true
  }

  private mutating func readFields() throws(Problem) -> Bool {
    guard let end = waiting.firstIndex(of: [0x0D, 0x0A, 0x0D, 0x0A]) else {
      guard waiting.count <= Self.fieldsLimit else {
        throw Problem(400, "A part of the form has too many fields.")
      }
      return false
    }
    guard parts.count < Self.partsLimit else {
      throw Problem(413, "The form has more than \(Self.partsLimit) parts.")
    }
    let fields = try PartFields(String(decoding: waiting[..<end], as: UTF8.self))
    waiting.removeFirst(end + 4)
    stage = .content(fields, try UploadFile(in: folder), count: 0)
    return true
  }

  private mutating func readContent(
    _ fields: PartFields,
    _ file: UploadFile,
    _ count: Int
  ) throws(Problem) -> Bool {
    if let end = waiting.firstIndex(of: delimiter) {
      try write(end, to: file)
      file.finish()
      waiting.removeFirst(end + delimiter.count)
      let part = Part(
        name: fields.name,
        filename: fields.filename,
        contentType: fields.contentType,
        file: file.url,
        byteCount: count + end
      )
      parts.append((part, file))
      stage = .border
      return true
    }
    // The last bytes may be the beginning of a boundary.
    let sure = max(0, waiting.count - delimiter.count + 1)
    try write(sure, to: file)
    waiting.removeFirst(sure)
    stage = .content(fields, file, count: count + sure)
    return false
  }

  private func write(_ count: Int, to file: UploadFile) throws(Problem) {
    // `withUnsafeBytes` gives any error on; this one is ours.
    let result = waiting.withUnsafeBytes { bytes in
      Result { () throws(Problem) in
        try file.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
      }
    }
    try result.get()
  }

  private mutating func skipEpilogue() -> Bool {
    waiting.removeAll(keepingCapacity: true)
    return false
  }
}

extension [UInt8] {
  /// The beginning of a run of bytes.
  fileprivate func firstIndex(of run: [UInt8]) -> Int? {
    withUnsafeBytes { bytes in
      run.withUnsafeBytes { run in
        guard let base = bytes.baseAddress, let start = run.baseAddress, let first = run.first,
          bytes.count >= run.count
        else {
          return nil
        }
        var position = 0
        while position <= bytes.count - run.count,
          let hit = memchr(base + position, Int32(first), bytes.count - run.count + 1 - position)
        {
          position = base.distance(to: UnsafeRawPointer(hit))
          if memcmp(hit, start, run.count) == 0 { return position }
          position += 1
        }
        return nil
      }
    }
  }
}
