package import Foundation

/// The files in a ZIP archive, such as an `.ipa`, read one by one and trusted in nothing.
///
/// ```swift
/// let archive = try ZipArchive(contentsOf: url)
/// for entry in archive.entries where entry.name.hasSuffix(".mom") { try archive.data(of: entry) }
/// ```
///
/// Archives of more than 4 GB, encrypted files, and files of more than 32 MB are refused.
package struct ZipArchive {
  package let entries: [Entry]
  private let file: FileHandle

  /// A file in the archive.
  package struct Entry: Hashable, Sendable {
    /// The path, as the archive has it; no place to write to.
    package let name: String
    /// The size of the file.
    package let size: Int
    fileprivate let method: Int
    fileprivate let isEncrypted: Bool
    fileprivate let packedSize: Int
    fileprivate let offset: UInt64
  }

  private static let greatestFile = 32 << 20
  private static let greatestDirectory = 64 << 20
  private static let greatestCount = 200_000

  /// Reads the list of files.
  ///
  /// - Throws: A `ModelError` for a file that is not a ZIP archive, or one that is damaged.
  package init(contentsOf url: URL) throws(ModelError) {
    let strange = ModelError(
      ModelProblem(
        file: url.lastPathComponent,
        message: "the file is not a ZIP archive, or is damaged"
      )
    )
    do {
      file = try FileHandle(forReadingFrom: url)
      let length = try file.seekToEnd()
      let tail = min(length, 22 + 65_535)
      try file.seek(toOffset: length - tail)
      let end = Reader(try file.read(upToCount: Int(tail)) ?? Data())
      guard let place = end.lastPlace(of: 0x0605_4B50), place + 22 <= end.count else {
        throw strange
      }
      let (count, size) = (end.short(place + 10), end.long(place + 12))
      let start = end.long(place + 16)
      guard count <= Self.greatestCount, size <= Self.greatestDirectory,
        UInt64(start) + UInt64(size) <= length
      else { throw strange }
      try file.seek(toOffset: UInt64(start))
      let directory = Reader(try file.read(upToCount: size) ?? Data())
      guard let entries = Self.entries(in: directory, count) else { throw strange }
      self.entries = entries
    } catch let error as ModelError {
      throw error
    } catch {
      throw ModelError(
        ModelProblem(
          file: url.lastPathComponent,
          message: "the file cannot be read: \(error.localizedDescription)"
        )
      )
    }
  }

  private static func entries(in directory: Reader, _ count: Int) -> [Entry]? {
    var entries: [Entry] = []
    var place = 0
    for _ in 0..<count {
      guard place + 46 <= directory.count, directory.long(place) == 0x0201_4B50 else { return nil }
      let nameLength = directory.short(place + 28)
      let next = place + 46 + nameLength + directory.short(place + 30) + directory.short(place + 32)
      guard next <= directory.count else { return nil }
      entries.append(
        Entry(
          name: directory.text(place + 46, nameLength),
          size: directory.long(place + 24),
          method: directory.short(place + 10),
          isEncrypted: directory.short(place + 8) & 1 == 1,
          packedSize: directory.long(place + 20),
          offset: UInt64(directory.long(place + 42))
        )
      )
      place = next
    }
    return entries
  }

  /// Reads a file of the archive.
  ///
  /// - Throws: A `ModelError` for a file that is too large, encrypted or damaged.
  package func data(of entry: Entry) throws(ModelError) -> Data {
    func problem(_ words: String) -> ModelError {
      ModelError(ModelProblem(file: (entry.name as NSString).lastPathComponent, message: words))
    }
    guard entry.size <= Self.greatestFile, entry.packedSize <= Self.greatestFile else {
      throw problem("the file in the archive has more than 32 MB")
    }
    if entry.isEncrypted { throw problem("the file in the archive is encrypted") }
    do {
      try file.seek(toOffset: entry.offset)
      let head = Reader(try file.read(upToCount: 30) ?? Data())
      guard head.count == 30, head.long(0) == 0x0403_4B50 else {
        throw problem("the archive is damaged")
      }
      try file.seek(toOffset: entry.offset + 30 + UInt64(head.short(26) + head.short(28)))
      let packed = try file.read(upToCount: entry.packedSize) ?? Data()
      guard packed.count == entry.packedSize else { throw problem("the archive ends too early") }
      switch entry.method {
      case 0: return packed
      case 8: return try RawDeflate.inflate(packed)
      case _: throw problem("the file in the archive is packed in a way that is not known here")
      }
    } catch let error as ModelError {
      throw error
    } catch {
      throw problem("the file in the archive cannot be read: \(error)")
    }
  }

  /// Numbers of an archive, the least byte first.
  private struct Reader {
    private let bytes: [UInt8]

    init(_ data: Data) { bytes = [UInt8](data) }

    var count: Int { bytes.count }

    func short(_ place: Int) -> Int { Int(bytes[place]) | (Int(bytes[place + 1]) << 8) }

    func long(_ place: Int) -> Int { short(place) | (short(place + 2) << 16) }

    func text(_ place: Int, _ length: Int) -> String {
      String(decoding: bytes[place..<place + length], as: UTF8.self)
    }

    func lastPlace(of mark: Int) -> Int? {
      guard count >= 4 else { return nil }
      return (0...(count - 4)).last { long($0) == mark }
    }
  }
}
