public import Foundation

/// The files of a zip archive from any program.
///
/// ```swift
/// let archive = try ZipReader(Data(contentsOf: file, options: .alwaysMapped))
/// for entry in archive.entries { try archive.read(entry, limit: 4 << 20) }
/// ```
///
/// Archives come from strangers: no number in one is believed. A file that is read is never larger than its entry
/// says and the reader allows, and paths are names, in which no step leads up; nothing is written to a disk.
public struct ZipReader: Sendable {
  /// A file of an archive.
  public struct Entry: Sendable, Equatable {
    /// The path in the archive, with `/` between its parts, none of which is empty, `.` or `..`.
    public let path: String
    public let byteCount: Int
    /// When the file was changed last; `nil` if the archive does not say.
    public let date: Date?
    public let isLink: Bool
    fileprivate let offset: Int
    fileprivate let pressedCount: Int
    fileprivate let method: Int
    fileprivate let checksum: UInt32
    fileprivate let isLocked: Bool
  }

  /// The files in the order of the archive, without folders.
  public let entries: [Entry]
  private let data: Data

  /// How many files an archive may have.
  public static let maximumEntries = 250_000

  /// How large all files of an archive may be together, in bytes.
  public static let maximumSize = 8 << 30

  /// Reads the list of files.
  ///
  /// - Parameter data: The archive, best mapped into memory.
  /// - Throws: An ``ArchiveError`` if the data is not an archive, is damaged, or has too much in it.
  public init(_ data: Data) throws {
    self.data = data
    entries = try ZipDirectory(data).entries()
    var total = 0
    for entry in entries {
      // Before it is added: together they could be more than a number has room for.
      if entry.byteCount <= Self.maximumSize { total += entry.byteCount }
      guard entry.byteCount <= Self.maximumSize, total <= Self.maximumSize else {
        throw ArchiveError("The archive has more than \(Self.maximumSize >> 30) GB in it.")
      }
    }
  }

  /// The content of a file.
  ///
  /// - Parameters:
  ///   - entry: One of ``entries``.
  ///   - limit: How large it may be, in bytes.
  /// - Returns: The bytes of the file.
  /// - Throws: An ``ArchiveError`` for one that is larger, locked, damaged, or pressed in a way not known here.
  public func read(_ entry: Entry, limit: Int) throws -> Data {
    guard entry.byteCount <= limit else {
      throw ArchiveError("The file is larger than \(limit >> 20) MB.")
    }
    let content = try content(entry, wanted: .max)
    guard Deflate.checksum(content) == entry.checksum else {
      throw ArchiveError("It is damaged in the archive.")
    }
    return content
  }

  /// The content of a file that may be too large for memory.
  ///
  /// - Parameters:
  ///   - entry: One of ``entries``.
  ///   - limit: How large it may be, in bytes.
  ///   - folder: A folder on the disk where the content waits until the data are gone.
  /// - Returns: The bytes of the file, mapped into memory.
  /// - Throws: An ``ArchiveError``, as ``read(_:limit:)`` does, or if the disk is full.
  public func mapped(_ entry: Entry, limit: Int, in folder: URL) throws -> Data {
    guard entry.byteCount <= limit else {
      throw ArchiveError("The file is larger than \(limit >> 20) MB.")
    }
    let pressed = try pressed(entry)
    let content = try HeldData.data(in: folder) { descriptor in
      if entry.method == 0 {
        try pressed.withUnsafeBytes { try HeldData.write($0, to: descriptor) }
      } else {
        try Deflate.unpress(pressed, count: entry.byteCount) {
          try HeldData.write($0, to: descriptor)
        }
      }
    }
    guard content.count == entry.byteCount, Deflate.checksum(content) == entry.checksum else {
      throw ArchiveError("It is damaged in the archive.")
    }
    return content
  }

  /// The first bytes of a file.
  public func beginning(of entry: Entry, count: Int) throws -> Data {
    try content(entry, wanted: count)
  }

  private func content(_ entry: Entry, wanted: Int) throws -> Data {
    let pressed = try pressed(entry)
    guard entry.method == 8 else { return Data(pressed.prefix(wanted)) }
    return try Deflate.unpressed(pressed, count: entry.byteCount, wanted: wanted)
  }

  /// The bytes in the archive, which may be compressed.
  private func pressed(_ entry: Entry) throws -> Data {
    guard !entry.isLocked else { throw ArchiveError("It is locked with a password.") }
    guard data.number(at: entry.offset, bytes: 4) == 0x0403_4b50,
      let name = data.number(at: entry.offset + 26, bytes: 2),
      let extra = data.number(at: entry.offset + 28, bytes: 2)
    else { throw ArchiveError("It is damaged in the archive.") }
    let start = entry.offset + 30 + name + extra
    guard start <= data.count, entry.pressedCount <= data.count - start else {
      throw ArchiveError("It is damaged in the archive.")
    }
    guard entry.method == 0 || entry.method == 8 else {
      throw ArchiveError("It is pressed in a way that is not known here.")
    }
    guard entry.method == 8 || entry.pressedCount == entry.byteCount else {
      throw ArchiveError("It is damaged in the archive.")
    }
    let first = data.startIndex + start
    return data[first..<(first + entry.pressedCount)]
  }
}

// MARK: - The list of files

/// The list at the end of an archive.
private struct ZipDirectory {
  let data: Data
  private var count = 0
  private var offset = 0

  init(_ data: Data) throws {
    self.data = data
    guard let end = Self.end(of: data), let count = data.number(at: end + 10, bytes: 2),
      let offset = data.number(at: end + 16, bytes: 4)
    else {
      throw ArchiveError("This is no zip archive, or its end is missing.")
    }
    (self.count, self.offset) = (count, offset)
    if count == 0xFFFF || offset == 0xFFFF_FFFF { readLargeEnd(before: end) }
    guard self.count <= ZipReader.maximumEntries else {
      throw ArchiveError("The archive has more than \(ZipReader.maximumEntries) files in it.")
    }
  }

  /// The place of the record at the end, which a comment may follow.
  private static func end(of data: Data) -> Int? {
    guard data.count >= 22 else { return nil }
    for offset in stride(from: data.count - 22, through: max(0, data.count - 22 - 0xFFFF), by: -1)
    where data.number(at: offset, bytes: 4) == 0x0605_4b50 { return offset }
    return nil
  }

  /// An archive with many files, or a large one, has a second record with larger numbers.
  private mutating func readLargeEnd(before end: Int) {
    guard data.number(at: end - 20, bytes: 4) == 0x0706_4b50,
      let record = data.number(at: end - 12, bytes: 8),
      data.number(at: record, bytes: 4) == 0x0606_4b50,
      let count = data.number(at: record + 32, bytes: 8),
      let offset = data.number(at: record + 48, bytes: 8)
    else { return }
    (self.count, self.offset) = (count, offset)
  }

  func entries() throws -> [ZipReader.Entry] {
    var entries: [ZipReader.Entry] = []
    var position = offset
    for _ in 0..<count {
      guard data.number(at: position, bytes: 4) == 0x0201_4b50,
        let name = data.number(at: position + 28, bytes: 2),
        let extra = data.number(at: position + 30, bytes: 2),
        let comment = data.number(at: position + 32, bytes: 2),
        position + 46 + name + extra + comment <= data.count
      else { throw ArchiveError("The list of files in the archive is damaged.") }
      if let entry = entry(at: position, nameLength: name, extraLength: extra) {
        entries.append(entry)
      }
      position += 46 + name + extra + comment
    }
    return entries
  }

  /// A file; nil for a folder.
  private func entry(at position: Int, nameLength: Int, extraLength: Int) -> ZipReader.Entry? {
    func number(_ offset: Int, _ bytes: Int) -> Int {
      data.number(at: position + offset, bytes: bytes) ?? 0
    }
    let first = data.startIndex + position + 46
    let name = data[first..<(first + nameLength)]
    let flags = number(8, 2)
    let text = ZipNames.text(of: Data(name), isUTF8: flags & 0x800 != 0)
    guard !text.hasSuffix("/"), !text.hasSuffix("\\") else { return nil }
    let path = ZipNames.path(text)
    guard !path.isEmpty else { return nil }
    let extra = ZipExtra(
      Data(data[(first + nameLength)..<(first + nameLength + extraLength)]),
      sizes: (number(24, 4), number(20, 4), number(42, 4))
    )
    return ZipReader.Entry(
      path: path,
      byteCount: extra.size,
      date: extra.date ?? ZipDate.date(day: number(14, 2), time: number(12, 2)),
      isLink: number(5, 1) == 3 && (number(38, 4) >> 16) & 0o170000 == 0o120000,
      offset: extra.offset,
      pressedCount: extra.pressedSize,
      method: number(10, 2),
      checksum: UInt32(truncatingIfNeeded: number(16, 4)),
      isLocked: flags & 1 != 0
    )
  }
}

/// Names of files as archives have them.
enum ZipNames {
  /// Programs write UTF-8 whether they say so or not, and old ones a code page of their system.
  static func text(of name: Data, isUTF8: Bool) -> String {
    if isUTF8 { return String(decoding: name, as: UTF8.self) }
    return String(data: name, encoding: .utf8) ?? String(data: name, encoding: .windowsCP1252)
      ?? String(decoding: name, as: UTF8.self)
  }

  /// The path without steps that lead nowhere or up, and with one sign between its parts.
  static func path(_ text: String) -> String {
    text.replacing("\\", with: "/").split(separator: "/")
      .filter { $0 != "." && $0 != ".." }
      .map {
        String(
          $0.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init)
        )
      }
      .filter { !$0.isEmpty }
      .joined(separator: "/").precomposedStringWithCanonicalMapping
  }
}

/// The additions to an entry: large numbers, and a date with its time zone.
private struct ZipExtra {
  private(set) var size: Int
  private(set) var pressedSize: Int
  private(set) var offset: Int
  private(set) var date: Date?

  init(_ data: Data, sizes: (size: Int, pressed: Int, offset: Int)) {
    (size, pressedSize, offset) = sizes
    var position = 0
    while let kind = data.number(at: position, bytes: 2),
      let length = data.number(at: position + 2, bytes: 2), position + 4 + length <= data.count
    {
      switch kind {
      case 0x0001: readLarge(data, from: position + 4)
      case 0x5455 where length >= 5:
        if let flags = data.number(at: position + 4, bytes: 1), flags & 1 != 0,
          let seconds = data.number(at: position + 5, bytes: 4)
        {
          date = Date(timeIntervalSince1970: Double(Int32(truncatingIfNeeded: seconds)))
        }
      default: break
      }
      position += 4 + length
    }
  }

  private mutating func readLarge(_ data: Data, from start: Int) {
    var position = start
    func next() -> Int? {
      defer { position += 8 }
      return data.number(at: position, bytes: 8)
    }
    if size == 0xFFFF_FFFF { size = next() ?? size }
    if pressedSize == 0xFFFF_FFFF { pressedSize = next() ?? pressedSize }
    if offset == 0xFFFF_FFFF { offset = next() ?? offset }
  }
}

/// Dates in two numbers, in the time of where the archive was made; here they count as UTC.
enum ZipDate {
  static func date(day: Int, time: Int) -> Date? {
    guard day > 0 else { return nil }
    var parts = DateComponents()
    parts.year = 1980 + (day >> 9)
    parts.month = (day >> 5) & 15
    parts.day = day & 31
    parts.hour = time >> 11
    parts.minute = (time >> 5) & 63
    parts.second = time % 32 * 2
    return calendar.date(from: parts)
  }

  static func numbers(of date: Date) -> (day: Int, time: Int) {
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
    let year = min(max(parts.year ?? 1980, 1980), 2107)
    let day = ((year - 1980) << 9) | ((parts.month ?? 1) << 5) | (parts.day ?? 1)
    let time = ((parts.hour ?? 0) << 11) | ((parts.minute ?? 0) << 5) | ((parts.second ?? 0) / 2)
    return (day, time)
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    return calendar
  }()
}
