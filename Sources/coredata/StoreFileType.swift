import CoreData
import Foundation

/// The kind of a store file, by its first bytes.
///
/// ```
/// Notes.sqlite   SQLite format 3…               a file of another kind is refused when it is opened
/// Notes.xml      <?xml … <!DOCTYPE database …
/// Notes.binary   open core data binary store 1
/// ```
enum StoreFileType: String {
  case sqlite, xml, binary

  init(of url: URL) {
    // A file that cannot be read says why when it is opened.
    let bytes = (try? FileHandle(forReadingFrom: url).read(upToCount: 400)) ?? Data()
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("open core data binary store ") {
      self = .binary
    } else if text.hasPrefix("<?xml"),
      text.contains("<!DOCTYPE database") || text.contains("<database>")
    {
      self = .xml
    } else {
      self = .sqlite
    }
  }

  var type: NSPersistentStore.StoreType {
    switch self {
    case .sqlite: .sqlite
    case .xml: .xml
    case .binary: .binary
    }
  }

  /// As in "Notes.xml is an XML store".
  var words: String {
    switch self {
    case .sqlite: "a SQLite store"
    case .xml: "an XML store"
    case .binary: "a binary store"
    }
  }
}

extension OpenedStore {
  /// Warns where the write-ahead log beside a store belongs to another one, or is damaged.
  ///
  /// SQLite leaves out what is behind the damage, which is the newest of the store, without a word.
  static func warnOfLog(at url: URL) {
    if warnOfLogOfAnother(at: url) { return }
    guard let log = WriteAheadLog(besides: url), log.isDamaged else { return }
    let damage =
      log.isHeaderDamaged || log.damagedCount > 0
      ? "is damaged, and what was written last is missing"
      : "ends inside a frame; if it was cut off, what was written last is missing"
    CoreDataCommand.complain(
      "\(url.relativePath): the -wal file beside it \(damage); copy the two files together once more from"
        + " where they came"
    )
  }

  /// Warns where the write-ahead log beside a store belongs to another one; true if it does.
  @discardableResult
  static func warnOfLogOfAnother(at url: URL) -> Bool {
    guard StoreFacts.hasLogOfAnother(at: url) else { return false }
    CoreDataCommand.complain(
      "\(url.relativePath): the -wal file beside it seems to be another store's, so that what is read"
        + " may be neither's; put the two files together that belong together"
    )
    return true
  }

  /// Throws if the write-ahead log beside a store belongs to another one, before somebody can write.
  ///
  /// SQLite moves the log into the file when the last program that could have written closes it, whether anything was
  /// written or not.
  static func refuseLogOfAnother(at url: URL) throws {
    guard StoreFacts.isSpoiledByLog(at: url) else { return }
    throw Refusal(
      """
      \(url.relativePath): the -wal file beside it is another store's, and writing would move it into the store.
      Put the store's own -wal file beside it, or move this one away if the store was closed without one.
      """
    )
  }

  /// Throws for a store of another type than SQLite's, with its type, and the possible actions.
  static func requireSQLite(_ url: URL) throws {
    try requireStore(url)
    let type = StoreFileType(of: url)
    guard type != .sqlite else { return }
    let entities = StoreHashes(ofStoreAt: url).hashes.keys.sorted()
    let list =
      entities.isEmpty ? "" : ", with the entities \(entities.joined(separator: ", ").inOneLine)"
    let name = url.relativePath
    throw Refusal(
      """
      \(name) is \(type.words) of Core Data\(list); this command is for SQLite stores.
      Make one of it, or print its objects, with its model or the SQLite store it was made from:
        coredata copy \(name) NEW.sqlite --as sqlite --model MODEL
        coredata dump \(name) --model MODEL
      """
    )
  }
}
