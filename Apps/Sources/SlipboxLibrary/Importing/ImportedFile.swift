public import Foundation
import RichText

/// A file to make a note of.
public struct ImportedFile: Sendable {
  let name: String
  /// The content; nil when it is more than is taken.
  let data: Data?

  /// The largest text that is read, in bytes.
  static let limit = 4 << 20

  /// The largest text that may have files in itself.
  static let limitWithFiles = 32 << 20

  public init(name: String, file: URL, byteCount: Int) throws {
    self.init(
      name: name,
      data: byteCount > Library.fileLimit ? nil : try Data(contentsOf: file, options: .alwaysMapped)
    )
  }

  /// A file that may hold many notes, of any size.
  public init(name: String, archive file: URL) throws {
    self.init(name: name, data: try Data(contentsOf: file, options: .alwaysMapped))
  }

  public init(name: String, data: Data?) {
    self.name = name
    self.data = data
  }

  func contents(upTo limit: Int) throws -> Data {
    guard let data, data.count <= limit else {
      throw LibraryProblem.refused("The file is larger than \(limit >> 20) MB.")
    }
    return data
  }
}

/// The words of files, in whatever encoding they are.
enum ImportedText {
  /// A file of Markdown or plain text, which may be older than UTF-8.
  ///
  /// Files in the text itself do not count as words of it.
  static func text(_ data: Data) throws -> String {
    try checked(decoded(data) ?? (isWestern(data) ? windows(data) : nil))
  }

  /// Whether most letters are those of every code page: the rest would be read as other letters.
  private static func isWestern(_ data: Data) -> Bool {
    let isText = data.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    return isText && data.count(where: { $0 < 0x80 }) * 4 >= data.count * 3
  }

  private static func checked(_ text: String?) throws -> String {
    guard let text else { throw LibraryProblem.refused("The file is not text in UTF-8.") }
    guard
      text.utf8.count <= RichText.maximumSize
        || text.utf8.count - EmbeddedFile.byteCount(in: text) <= RichText.maximumSize
    else {
      throw LibraryProblem.refused("The text is longer than a note may be.")
    }
    return text
  }

  /// UTF-8, or UTF-16 where the file says so at its beginning.
  static func decoded(_ data: Data) -> String? {
    if data.count.isMultiple(of: 2),
      data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
    {
      return String(data: data, encoding: .utf16)
    }
    return String(data: data, encoding: .utf8)
  }

  /// A page of the web, which may be older than UTF-8: first the encoding of its first bytes, then the one it names,
  /// then UTF-8, and Windows 1252, which is meant if none is named.
  static func page(_ data: Data) throws -> String {
    guard !hasMark(data), let charset = PageCharset(of: data) else {
      return decoded(data) ?? windows(data)
    }
    guard let encoding = charset.encoding else {
      // One of letters that all encodings have is read all the same.
      let isPlain = data.allSatisfy { $0 < 0x80 && $0 != 0x1B }
      if isPlain { return String(decoding: data, as: UTF8.self) }
      throw LibraryProblem.refused(
        "The page is in “\(charset.name)”, which cannot be read here. Save it in UTF-8, and import it again."
      )
    }
    // Some name an encoding that they are not in.
    return String(data: data, encoding: encoding) ?? decoded(data) ?? windows(data)
  }

  /// Whether the first bytes say which encoding this is.
  private static func hasMark(_ data: Data) -> Bool {
    [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]].contains { data.starts(with: $0) }
  }

  /// Text in Windows 1252; five bytes mean nothing there.
  private static func windows(_ data: Data) -> String {
    let letters: Data = data.filter { ![0x81, 0x8D, 0x8F, 0x90, 0x9D].contains($0) }
    return String(data: letters, encoding: .windowsCP1252) ?? ""
  }
}
