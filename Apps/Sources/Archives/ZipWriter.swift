public import Foundation

/// Writes a zip archive, file by file, into an open file.
///
/// ```swift
/// var archive = ZipWriter(descriptor)
/// try archive.add("Reading/Slots.md", data, date: .now)
/// try archive.finish()
/// ```
///
/// One file at a time is in memory. Data that does not get smaller is stored as it is.
public struct ZipWriter: ~Copyable {
  private let descriptor: Int32
  private var offset = 0
  private var directory = Data()
  private var count = 0

  /// An archive in a file that is open for writing; the file stays open.
  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - path: The path in the archive, with `/` between its parts.
  ///   - data: The content, less than 4 GB.
  ///   - date: When it was changed last.
  ///   - isPressed: Whether to try to make it smaller, which is in vain for pictures.
  /// - Throws: An ``ArchiveError`` where the file cannot be written.
  public mutating func add(
    _ path: String,
    _ data: Data,
    date: Date,
    isPressed: Bool = true
  ) throws {
    let pressed = isPressed ? try Deflate.pressed(data) : nil
    let content = pressed ?? data
    let name = Data(path.utf8)
    guard data.count < Int(UInt32.max), name.count < Int(UInt16.max) else {
      throw ArchiveError("“\(path.prefix(80))” is too large for an archive.")
    }
    let (day, time) = ZipDate.numbers(of: date)
    var facts = Data()
    facts.append(20, bytes: 2)
    facts.append(0x800, bytes: 2)
    facts.append(pressed == nil ? 0 : 8, bytes: 2)
    facts.append(time, bytes: 2)
    facts.append(day, bytes: 2)
    facts.append(Deflate.checksum(data), bytes: 4)
    facts.append(content.count, bytes: 4)
    facts.append(data.count, bytes: 4)
    facts.append(name.count, bytes: 2)
    var stamp = Data()
    stamp.append(0x5455, bytes: 2)
    stamp.append(5, bytes: 2)
    stamp.append(1, bytes: 1)
    stamp.append(Int32(clamping: Int(date.timeIntervalSince1970.rounded())), bytes: 4)
    list(name, facts, stamp)
    var header = Data()
    header.append(0x0403_4b50, bytes: 4)
    header += facts
    header.append(stamp.count, bytes: 2)
    try write(header + name + stamp)
    try write(content)
  }

  /// Writes the list of files, without which nothing can be read.
  public consuming func finish() throws {
    let start = offset
    try write(directory)
    let isLarge = count >= 0xFFFF || start >= 0xFFFF_FFFF
    var end = Data()
    if isLarge {
      let record = offset
      end.append(0x0606_4b50, bytes: 4)
      end.append(44, bytes: 8)
      end.append(45, bytes: 2)
      end.append(45, bytes: 2)
      end.append(0, bytes: 8)
      end.append(count, bytes: 8)
      end.append(count, bytes: 8)
      end.append(directory.count, bytes: 8)
      end.append(start, bytes: 8)
      end.append(0x0706_4b50, bytes: 4)
      end.append(0, bytes: 4)
      end.append(record, bytes: 8)
      end.append(1, bytes: 4)
    }
    end.append(0x0605_4b50, bytes: 4)
    end.append(0, bytes: 4)
    end.append(min(count, 0xFFFF), bytes: 2)
    end.append(min(count, 0xFFFF), bytes: 2)
    end.append(min(directory.count, 0xFFFF_FFFF), bytes: 4)
    end.append(min(start, 0xFFFF_FFFF), bytes: 4)
    end.append(0, bytes: 2)
    try write(end)
  }

  private mutating func list(_ name: Data, _ facts: Data, _ stamp: Data) {
    var extra = stamp
    if offset >= 0xFFFF_FFFF {
      extra.append(0x0001, bytes: 2)
      extra.append(8, bytes: 2)
      extra.append(offset, bytes: 8)
    }
    directory.append(0x0201_4b50, bytes: 4)
    // Made by a Unix system.
    directory.append(0x031E, bytes: 2)
    directory += facts
    directory.append(extra.count, bytes: 2)
    directory.append(0, bytes: 6)
    directory.append(0o100644 << 16, bytes: 4)
    directory.append(min(offset, 0xFFFF_FFFF), bytes: 4)
    directory += name + extra
    count += 1
  }

  private mutating func write(_ data: Data) throws {
    let isWritten = data.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let part = Foundation.write(
          descriptor,
          bytes.baseAddress.map { $0 + sent },
          bytes.count - sent
        )
        if part < 0 && errno == EINTR { continue }
        if part <= 0 { return false }
        sent += part
      }
      return true
    }
    guard isWritten else {
      throw ArchiveError("The archive cannot be written: \(String(cString: strerror(errno))).")
    }
    offset += data.count
  }
}
