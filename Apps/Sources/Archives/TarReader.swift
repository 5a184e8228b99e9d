public import Foundation

/// The files of a tar archive, such as a `.jex` of Joplin.
///
/// ```
/// 512 bytes  the file's name, size, kind and date        then its content, in blocks of 512 bytes
/// ```
///
/// As in a ``ZipReader``, no number in an archive is believed, and paths are names, in which no step leads up. The
/// content of a file is part of the archive's own bytes, so that it takes no memory while the archive is mapped.
public struct TarReader: Sendable {
  /// A file of an archive.
  public struct Entry: Sendable, Equatable {
    /// The path in the archive, with `/` between its parts, none of which is empty, `.` or `..`.
    public let path: String
    public let byteCount: Int
    public let date: Date?
    public let isLink: Bool
    fileprivate let offset: Int
  }

  /// The files in the order of the archive, without folders.
  public let entries: [Entry]
  private let data: Data

  /// Whether data begin as a tar archive does: with a header that has the letters “ustar”.
  public static func isArchive(_ data: Data) -> Bool {
    data.dropFirst(257).prefix(5).elementsEqual("ustar".utf8)
  }

  /// Reads the headers of all files.
  ///
  /// - Parameter data: The archive, best mapped into memory.
  /// - Throws: An ``ArchiveError`` if a header is damaged, or the archive ends in the middle of a file.
  public init(_ data: Data) throws {
    self.data = data
    var list = TarList(data)
    entries = try list.read()
  }

  /// Returns the content of a file.
  ///
  /// - Throws: An ``ArchiveError`` if the file has more bytes than `limit`.
  public func read(_ entry: Entry, limit: Int) throws -> Data {
    Data(try mapped(entry, limit: limit))
  }

  /// Returns the content of a file as a part of the archive's bytes.
  ///
  /// - Throws: An ``ArchiveError`` if the file has more bytes than `limit`.
  public func mapped(_ entry: Entry, limit: Int) throws -> Data {
    guard entry.byteCount <= limit else {
      throw ArchiveError("The file is larger than \(limit >> 20) MB.")
    }
    return beginning(of: entry, count: entry.byteCount)
  }

  /// Returns the first bytes of a file.
  public func beginning(of entry: Entry, count: Int) -> Data {
    let start = data.startIndex + entry.offset
    return data[start..<(start + min(max(count, 0), entry.byteCount))]
  }
}

/// The headers of an archive, one after the other.
private struct TarList {
  private let data: Data
  private var position = 0

  /// The name for the next file that a header of its own has, because it is too long for the file's header.
  private var longName: String?
  private var entries: [TarReader.Entry] = []

  private static let blockSize = 512
  /// No system has longer names.
  private static let longestName = 64 << 10

  init(_ data: Data) {
    self.data = data
  }

  mutating func read() throws -> [TarReader.Entry] {
    while position < data.count {
      guard let header = TarHeader(data, at: position) else {
        // Two empty blocks end an archive; other programs fill the rest with anything.
        if isEmptyBlock { break }
        throw ArchiveError("This is no tar archive, or it is damaged.")
      }
      try take(header)
    }
    return entries
  }

  private var isEmptyBlock: Bool {
    let start = data.startIndex + position
    return data[start..<min(start + Self.blockSize, data.endIndex)].allSatisfy { $0 == 0 }
  }

  private mutating func take(_ header: TarHeader) throws {
    let start = position + Self.blockSize
    guard header.byteCount <= data.count - start else {
      throw ArchiveError("The archive ends in the middle of a file.")
    }
    let blocks = (header.byteCount + Self.blockSize - 1) / Self.blockSize
    position = min(start + blocks * Self.blockSize, data.count)
    switch header.kind {
    case UInt8(ascii: "L"): longName = text(at: start, header.byteCount)
    case UInt8(ascii: "x"):
      longName = Self.path(inRecords: text(at: start, header.byteCount)) ?? longName
    case UInt8(ascii: "0"), 0, UInt8(ascii: "7"), UInt8(ascii: "1"), UInt8(ascii: "2"):
      try add(header, at: start)
    default: longName = nil
    }
  }

  private mutating func add(_ header: TarHeader, at start: Int) throws {
    let name = longName ?? header.name
    longName = nil
    let path = ZipNames.path(name)
    guard !path.isEmpty, !name.hasSuffix("/") else { return }
    guard entries.count < ZipReader.maximumEntries else {
      throw ArchiveError("The archive has more than \(ZipReader.maximumEntries) files in it.")
    }
    entries.append(
      TarReader.Entry(
        path: path,
        byteCount: header.byteCount,
        date: header.date,
        isLink: header.isLink,
        offset: start
      )
    )
  }

  private func text(at start: Int, _ count: Int) -> String {
    let first = data.startIndex + start
    let bytes = data[first..<(first + min(count, Self.longestName))]
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Returns the path in the records of a header, `30 path=folder/a long name`.
  private static func path(inRecords text: String) -> String? {
    text.split(separator: "\n").lazy.compactMap { record -> String? in
      guard let blank = record.firstIndex(of: " ") else { return nil }
      let pair = record[record.index(after: blank)...]
      return pair.hasPrefix("path=") ? String(pair.dropFirst("path=".count)) : nil
    }.first
  }
}

/// The header of a file.
private struct TarHeader {
  let name: String
  let byteCount: Int
  let date: Date?
  let kind: UInt8

  var isLink: Bool { kind == UInt8(ascii: "1") || kind == UInt8(ascii: "2") }

  /// Nil if these are not the bytes of a header: its checksum has to be right.
  init?(_ data: Data, at position: Int) {
    guard position <= data.count - 512 else { return nil }
    let start = data.startIndex + position
    let bytes = data[start..<(start + 512)]
    func field(_ offset: Int, _ count: Int) -> Data {
      bytes[(start + offset)..<(start + offset + count)]
    }
    func text(_ offset: Int, _ count: Int) -> String {
      ZipNames.text(of: Data(field(offset, count).prefix { $0 != 0 }), isUTF8: false)
    }
    var sum = 8 * 0x20
    for (index, byte) in bytes.enumerated() where !(148..<156).contains(index) { sum += Int(byte) }
    guard Self.number(field(148, 8)) == sum, let size = Self.number(field(124, 12)) else {
      return nil
    }
    kind = bytes[start + 156]
    byteCount = isHeld(kind) ? size : 0
    date = Self.number(field(136, 12)).map { Date(timeIntervalSince1970: Double($0)) }
    // Other versions of the format have something else where this one has the beginning of a long path.
    let hasFolder = text(257, 5) == "ustar" && bytes[start + 262] == 0
    let folder = hasFolder ? text(345, 155) : ""
    name = folder.isEmpty ? text(0, 100) : "\(folder)/\(text(0, 100))"

    /// Links and folders have no content, whatever their size is.
    func isHeld(_ kind: UInt8) -> Bool { !"123456".utf8.contains(kind) }
  }

  /// Returns a number in octal digits, or in bytes if its first bit is set; `nil` for one that no file can have.
  private static func number(_ field: Data) -> Int? {
    if let first = field.first, first & 0x80 != 0 {
      guard first == 0x80, field.dropFirst().dropLast(7).allSatisfy({ $0 == 0 }) else { return nil }
      return field.suffix(7).reduce(0) { ($0 << 8) | Int($1) }
    }
    let digits = field.drop { $0 == 0x20 || $0 == 0 }.prefix { (0x30...0x37).contains($0) }
    return digits.reduce(0) { ($0 << 3) | Int($1 - 0x30) }
  }
}
