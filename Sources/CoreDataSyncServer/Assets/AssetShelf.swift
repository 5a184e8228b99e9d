import CoreDataSyncCore
import CoreDataSyncCrypto
import Foundation
import Synchronization

/// The large values of zones in a folder, each in a file that is named by the hash of its content.
///
/// ```
/// assets/Notes/6f1c…           complete, and looked at: its content has this hash
/// assets/Notes/6f1c….part      as much as has come
/// ```
final class AssetShelf: AssetStorage {
  private let folder: URL
  private let isDurable: Bool
  /// Held while a file changes; a part is small.
  private let turn = Mutex(())
  /// As many bytes of a file are in memory at once while it is looked at.
  private static let piece = 1 << 20
  /// The bytes of all files of a zone, once somebody has asked; forgotten when one of them is deleted.
  private let sizes = Mutex<[String: Int]>([:])

  init(in folder: URL, isDurable: Bool) {
    self.folder = folder
    self.isDurable = isDurable
  }

  private func file(_ hash: ContentHash, _ zone: String) -> URL {
    folder.appending(path: zone).appending(path: hash.text)
  }

  private func begun(_ hash: ContentHash, _ zone: String) -> URL {
    file(hash, zone).appendingPathExtension("part")
  }
}

// MARK: - What is there

extension AssetShelf {
  func size(of zone: String) throws -> Int {
    try sizes.withLock { sizes in
      if let known = sizes[zone] { return known }
      let files = try names(of: zone).map { folder.appending(path: zone).appending(path: $0) }
      let size = files.reduce(0) { $0 + (self.size(of: $1) ?? 0) }
      sizes[zone] = size
      return size
    }
  }

  func has(_ asset: AssetReference, zone: String) -> Bool {
    size(of: file(asset.hash, zone)) == asset.size
  }

  /// The bytes of a file; `nil` if there is none.
  private func size(of file: URL) -> Int? {
    var facts = stat()
    return stat(file.path, &facts) == 0 ? Int(facts.st_size) : nil
  }

  func part(
    of hash: ContentHash,
    _ range: ClosedRange<Int>?,
    zone: String
  ) throws -> (bytes: [UInt8], whole: Int) {
    let file = file(hash, zone)
    guard let whole = size(of: file) else { throw ServiceRefusal.missingAsset(hash) }
    let part = try AssetLimits.part(range, of: whole)
    let reading = try FileHandle(forReadingFrom: file)
    defer { try? reading.close() }  // Nothing was written.
    try reading.seek(toOffset: UInt64(part.lowerBound))
    return (Array(try reading.read(upToCount: part.count) ?? Data()), whole)
  }
}

// MARK: - What comes

extension AssetShelf {
  func take(
    _ part: [UInt8],
    of asset: AssetReference,
    from start: Int?,
    zone: String,
    checking check: (Int) throws -> Void
  ) throws -> Int {
    try turn.withLock { _ in
      if has(asset, zone: zone) {
        // The disk may have changed since the asset was checked at its arrival. A device that offers it again mends it.
        if try hasContent(of: asset.hash, file(asset.hash, zone)) { return asset.size }
        try remove(file(asset.hash, zone), of: zone)
      }
      let begun = begun(asset.hash, zone)
      let there = size(of: begun) ?? 0
      // A server that was killed may have all of it, and has not looked at it.
      if there > 0, there >= asset.size {
        try finish(asset, zone)
        return asset.size
      }
      guard let start, !part.isEmpty, start == there else { return there }
      guard part.count <= AssetLimits.part, part.count <= asset.size - there else {
        throw ServiceRefusal.wrongPart
      }
      try check(asset.size - there)
      if there == 0 { try makeRoom(for: zone) }
      try sizes.withLock { sizes in
        try append(part, to: begun)
        sizes[zone] = sizes[zone].map { $0 + part.count }
      }
      if there + part.count == asset.size { try finish(asset, zone) }
      return there + part.count
    }
  }

  /// Forgets what was begun long ago; refuses more where too much has begun.
  private func makeRoom(for zone: String) throws {
    try FileManager.default.createDirectory(
      at: folder.appending(path: zone),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    guard try forgetBegunLongAgo(of: zone) < AssetLimits.unfinished else {
      throw ServiceRefusal.tooManyAssets
    }
  }

  /// Forgets what was begun long ago; says how many have begun besides.
  private func forgetBegunLongAgo(of zone: String) throws -> Int {
    var count = 0
    for name in try names(of: zone) where name.hasSuffix(".part") {
      let file = folder.appending(path: zone).appending(path: name)
      var facts = stat()
      guard stat(file.path, &facts) == 0 else { continue }
      if Date().timeIntervalSince1970 - Double(facts.secondsOfChange) > AssetLimits.patience {
        try remove(file, of: zone)
      } else {
        count += 1
      }
    }
    return count
  }

  private func append(_ part: [UInt8], to file: URL) throws {
    let before = size(of: file) ?? 0
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.unwritable }
    defer { close(descriptor) }
    guard Self.writeAll(part, to: descriptor), !isDurable || fsync(descriptor) == 0 else {
      let refusal = Self.unwritable
      // The existing bytes stay as they were, however far the part was written.
      truncate(file.path, off_t(before))
      throw refusal
    }
  }

  /// Writes all bytes; if that is not possible, the system's reason is in `errno`.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        // A disk with little room takes a piece, and says at the next that it is full.
        let count = write(
          descriptor,
          UnsafeRawBufferPointer(rebasing: rest).baseAddress,
          rest.count
        )
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  private static var unwritable: ServiceRefusal {
    let number = errno
    if [ENOSPC, EDQUOT, EFBIG].contains(number) { return .fullDisk }
    return ServiceRefusal(
      507,
      "The server cannot keep the asset (\(String(cString: strerror(number))))."
    )
  }

  /// Believes nobody: a content of another hash is thrown away.
  private func finish(_ asset: AssetReference, _ zone: String) throws {
    let begun = begun(asset.hash, zone)
    guard try hasContent(of: asset.hash, begun) else {
      try remove(begun, of: zone)
      throw ServiceRefusal.otherContent
    }
    // Otherwise code that adds up the sizes at the same time would find neither of the names.
    try sizes.withLock { _ in
      guard rename(begun.path, file(asset.hash, zone).path) == 0 else { throw Self.unwritable }
    }
    if isDurable { try keepNames(in: begun.deletingLastPathComponent()) }
  }

  private func hasContent(of hash: ContentHash, _ file: URL) throws -> Bool {
    let reading = try FileHandle(forReadingFrom: file)
    defer { try? reading.close() }  // Nothing was written.
    var hasher = ContentHasher()
    while let piece = try reading.read(upToCount: Self.piece), !piece.isEmpty {
      piece.withUnsafeBytes { hasher.update($0) }
    }
    return hasher.finish() == hash
  }

  /// Has the names of a folder's files on disk, as their contents are: cells will refer to them.
  private func keepNames(in folder: URL) throws {
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unwritable }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Self.unwritable }
  }
}

// MARK: - What nobody needs

extension AssetShelf {
  func hashes(of zone: String) throws -> [ContentHash] {
    try names(of: zone).compactMap { ContentHash(text: $0) }
  }

  private func names(of zone: String) throws -> [String] {
    let folder = folder.appending(path: zone)
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }

  func delete(_ hash: ContentHash, zone: String) throws { try remove(file(hash, zone), of: zone) }

  private func remove(_ file: URL, of zone: String) throws {
    try FileManager.default.removeItem(at: file)
    sizes.withLock { $0[zone] = nil }
  }

  func forgetBegun(of zone: String) throws {
    try turn.withLock { _ in _ = try forgetBegunLongAgo(of: zone) }
  }
}

extension stat {
  /// The time of the last change, in seconds since 1970.
  fileprivate var secondsOfChange: Int {
    #if canImport(Darwin)
    Int(st_mtimespec.tv_sec)
    #else
    Int(st_mtim.tv_sec)
    #endif
  }
}
