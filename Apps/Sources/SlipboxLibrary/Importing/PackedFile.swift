import Archives
import Foundation

/// A file in an archive of any kind.
struct PackedFile: Sendable {
  private enum Place: Sendable {
    case zip(ZipReader, ZipReader.Entry)
    case tar(TarReader, TarReader.Entry)
  }

  let path: String
  let byteCount: Int
  let date: Date?
  let isLink: Bool
  private let place: Place

  /// The most bytes that a compressed tar archive may have in it.
  private static let maximumSize = 2 << 30

  /// Returns the files of an archive, whose first bytes tell its kind.
  ///
  /// - Throws: An ``ArchiveError`` if it cannot be read.
  static func files(of archive: Data, in folder: URL) throws -> [PackedFile] {
    if Gzip.isCompressed(archive) {
      let content = try Gzip.unpacked(archive, limit: maximumSize, in: folder)
      return try files(of: TarReader(content))
    }
    if TarReader.isArchive(archive) { return files(of: try TarReader(archive)) }
    let zip = try ZipReader(archive)
    return zip.entries.map { PackedFile($0, .zip(zip, $0)) }
  }

  /// Whether data begin as one of these archives does.
  static func isArchive(_ beginning: Data) -> Bool {
    beginning.prefix(4).elementsEqual([0x50, 0x4B, 0x03, 0x04]) || Gzip.isCompressed(beginning)
      || TarReader.isArchive(beginning)
  }

  /// The number of bytes that ``isArchive(_:)`` needs.
  static let beginningCount = 262

  private static func files(of tar: TarReader) -> [PackedFile] {
    tar.entries.map { entry in
      PackedFile(
        path: entry.path,
        byteCount: entry.byteCount,
        date: entry.date,
        isLink: entry.isLink,
        place: .tar(tar, entry)
      )
    }
  }

  private init(path: String, byteCount: Int, date: Date?, isLink: Bool, place: Place) {
    self.path = path
    self.byteCount = byteCount
    self.date = date
    self.isLink = isLink
    self.place = place
  }

  private init(_ entry: ZipReader.Entry, _ place: Place) {
    self.init(
      path: entry.path,
      byteCount: entry.byteCount,
      date: entry.date,
      isLink: entry.isLink,
      place: place
    )
  }

  func read(_ limit: Int) throws -> Data {
    switch place {
    case .zip(let archive, let entry): try archive.read(entry, limit: limit)
    case .tar(let archive, let entry): try archive.read(entry, limit: limit)
    }
  }

  func mapped(_ limit: Int, in folder: URL) throws -> Data {
    switch place {
    case .zip(let archive, let entry): try archive.mapped(entry, limit: limit, in: folder)
    case .tar(let archive, let entry): try archive.mapped(entry, limit: limit)
    }
  }

  func beginning(_ count: Int) throws -> Data {
    switch place {
    case .zip(let archive, let entry): try archive.beginning(of: entry, count: count)
    case .tar(let archive, let entry): Data(archive.beginning(of: entry, count: count))
    }
  }
}
