import Foundation

/// The bytes of a file that is imported: UTF-8 that stays in its place as long as this lives.
final class ImportedFile {
  let bytes: UnsafeRawBufferPointer
  private let contents: NSData

  init(_ url: URL) throws {
    try Self.requireReadable(url)
    do {
      contents = try NSData(contentsOf: url, options: .mappedIfSafe)
    } catch let error as NSError {
      throw Refusal("\(url.path) cannot be read: \(error.wordsOfTheTool)")
    }
    bytes = UnsafeRawBufferPointer(start: contents.bytes, count: contents.length)
  }

  /// Throws if the errors of reading would name neither the file nor a remedy.
  private static func requireReadable(_ url: URL) throws {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    if isThere, isFolder.boolValue {
      throw Refusal("\(url.path) is a folder; name the file with the records")
    }
    if isThere, !FileManager.default.isReadableFile(atPath: url.path) {
      throw Refusal("\(url.path): you do not have permission to read the file")
    }
  }

  var data: Data { contents as Data }

  /// Throws a ``Refusal`` that names the first line that is not text.
  func requireText() throws {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw Refusal("the file is UTF-16; convert it, such as with iconv -f UTF-16 -t UTF-8")
    }
    do {
      _ = try UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span)
    } catch {
      let line = 1 + bytes[..<error.byteOffsets.lowerBound].count { $0 == UInt8(ascii: "\n") }
      throw Refusal(
        "line \(line) is not UTF-8; convert the file, such as with iconv -f WINDOWS-1252 -t UTF-8"
      )
    }
  }
}

/// Texts that are not in a file as they are, such as those with escapes; each stays in its place until the room is
/// emptied.
final class TextRoom {
  private var parts: [UnsafeMutableRawBufferPointer] = []
  /// How much of the last part is taken.
  private var taken = 0
  private static let size = 65_536

  deinit {
    for part in parts { part.deallocate() }
  }

  func empty() {
    guard parts.count > 1 else {
      taken = 0
      return
    }
    for part in parts { part.deallocate() }
    parts = []
  }

  func keep(_ text: String) -> UnsafeRawBufferPointer {
    var text = text
    return text.withUTF8 { keep(UnsafeRawBufferPointer($0)) }
  }

  func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if parts.last.map({ $0.count - taken < bytes.count }) ?? true {
      parts.append(.allocate(byteCount: max(bytes.count, Self.size), alignment: 1))
      taken = 0
    }
    let place = UnsafeMutableRawBufferPointer(rebasing: parts[parts.count - 1][taken...])
    place.copyMemory(from: bytes)
    taken += bytes.count
    return UnsafeRawBufferPointer(rebasing: place[..<bytes.count])
  }
}
