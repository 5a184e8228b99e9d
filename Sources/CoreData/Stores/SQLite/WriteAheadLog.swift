import Foundation

/// A store's write-ahead log as a file: how much of it SQLite is going to believe.
///
/// ```
/// header   magic, page size, two salts, checksum                      32 bytes
/// frame    page number, pages after a commit, the salts, checksum     24 bytes, and the page
/// frame    …each checksum goes on from the one before
/// ```
///
/// SQLite reads up to the last commit before the first frame that is damaged, and does not report the frames after
/// it. Frames at the end are fine if they are left from before a checkpoint, which have other salts, or from a
/// transaction that was rolled back, which do not contain a commit.
package struct WriteAheadLog: Hashable, Sendable {
  /// The frames that were written since the log was last restarted.
  package private(set) var frameCount = 0
  /// Those of them whose salts or checksum are not what they should be.
  package private(set) var damagedCount = 0
  /// How many SQLite reads: up to the last commit that it can reach.
  package private(set) var readCount = 0
  package private(set) var isHeaderDamaged = false
  package private(set) var endsInsideFrame = false

  /// Whether something that was written may not be read.
  package var isDamaged: Bool { isHeaderDamaged || damagedCount > 0 || endsInsideFrame }

  private static let headerSize = 32
  private static let frameHeaderSize = 24
  /// Behind so many frames that are not the log's no other is looked for: a gigabyte of pages as stores have them.
  ///
  /// A file may have any length without taking room, if nothing but a hole is in it.
  private static let longestGap = 1 << 18
}

// MARK: - Reading

extension WriteAheadLog {
  /// `nil` if a store does not have a log, or an empty one, and while somebody is writing it.
  ///
  /// Only the log is opened: to close another of the files would take away the locks that this
  /// program has on it.
  package init?(besides store: URL) {
    var looks: [WriteAheadLog] = []
    // A damaged log stays damaged; one that is being written changes.
    for _ in 0..<4 {
      guard let look = Self.look(at: store.path + "-wal") else { return nil }
      if !look.isDamaged || looks.last == look {
        self = look
        return
      }
      looks.append(look)
      usleep(30_000)
    }
    return nil
  }

  private static func look(at path: String) -> WriteAheadLog? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { file.closeFile() }
    // A log that cannot be read shows that when the store is opened.
    guard let bytes = try? file.read(upToCount: headerSize), !bytes.isEmpty else { return nil }
    var log = WriteAheadLog()
    guard bytes.count == headerSize, let header = Header([UInt8](bytes)) else {
      log.isHeaderDamaged = true
      return log
    }
    log.walk(file, header)
    return log
  }

  private mutating func walk(_ file: FileHandle, _ header: Header) {
    var sum = header.sum
    var (place, damaged, unbroken, hasLostCommit) = (0, 0, 0, false)
    defer {
      if damaged > 0, !hasLostCommit { (frameCount, damagedCount) = (unbroken, 0) }
    }
    // A log that cannot be read any further ends there, as it does for SQLite.
    while place - frameCount < Self.longestGap,
      let bytes = try? file.read(upToCount: Self.frameHeaderSize)
    {
      var frame = [UInt8](bytes)
      let isWhole = frame.count == Self.frameHeaderSize
      if isWhole, Array(frame[8..<16]) != header.salts {
        place += 1
        damaged += 1
        sum = Checksum(frame[16..<24])
        guard Self.skip(header.pageSize, in: file) else { return }
        continue
      }
      // A page that cannot be read is as good as cut off.
      if isWhole { frame += (try? file.read(upToCount: header.pageSize)) ?? Data() }
      guard frame.count == Self.frameHeaderSize + header.pageSize else {
        endsInsideFrame = place == frameCount && isCutOff(frame, header)
        return
      }
      place += 1
      let computed = sum.adding(frame[..<8], header.isBigEndian)
        .adding(frame[Self.frameHeaderSize...], header.isBigEndian)
      sum = Checksum(frame[16..<24])
      if computed != sum { damaged += 1 }
      (frameCount, damagedCount) = (place, damaged)
      if damaged == 0 { unbroken = place }
      guard frame[4..<8].contains(where: { $0 != 0 }) else { continue }
      if damaged == 0 { readCount = place } else { hasLostCommit = true }
    }
  }

  private static func skip(_ count: Int, in file: FileHandle) -> Bool {
    do {
      try file.seek(toOffset: try file.offset() + UInt64(count))
      return true
    } catch {
      // A file in which nobody can go on ends there.
      return false
    }
  }

  /// Whether the rest of a file is that of a frame which had been whole.
  ///
  /// SQLite writes a frame's header and then its page: the header alone is left of a program that ended
  /// between the two, and had committed nothing that is missing. Old frames may end anywhere.
  private func isCutOff(_ rest: [UInt8], _ header: Header) -> Bool {
    if rest.count < 16 { return !rest.isEmpty }
    return rest.count != Self.frameHeaderSize && Array(rest[8..<16]) == header.salts
  }
}

/// The beginning of a log; nil for one whose checksum says that it is damaged.
private struct Header {
  let isBigEndian: Bool
  let pageSize: Int
  let salts: [UInt8]
  let sum: Checksum

  init?(_ bytes: [UInt8]) {
    let magic = bytes[..<4].number
    isBigEndian = magic == 0x377F_0683
    pageSize = Int(bytes[8..<12].number)
    salts = Array(bytes[16..<24])
    sum = Checksum(bytes[24..<32])
    guard isBigEndian || magic == 0x377F_0682, (512...65_536).contains(pageSize),
      Checksum().adding(bytes[..<24], isBigEndian) == sum
    else { return nil }
  }
}

/// Two sums over pairs of words, each taking the other in.
private struct Checksum: Hashable {
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  init() {}

  /// In the order of bytes of the file.
  init(_ bytes: ArraySlice<UInt8>) {
    first = bytes.prefix(4).number
    second = bytes.dropFirst(4).number
  }

  func adding(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> Checksum {
    var sum = self
    bytes.withUnsafeBytes { bytes in
      for place in stride(from: 0, to: bytes.count & ~7, by: 8) {
        let one = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        let other = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        sum.first &+= (isBigEndian ? one.bigEndian : one.littleEndian) &+ sum.second
        sum.second &+= (isBigEndian ? other.bigEndian : other.littleEndian) &+ sum.first
      }
    }
    return sum
  }
}

extension ArraySlice<UInt8> {
  /// The bytes as a number, the greatest first.
  fileprivate var number: UInt32 { reduce(0) { ($0 << 8) | UInt32($1) } }
}
