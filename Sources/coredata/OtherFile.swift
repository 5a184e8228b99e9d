import Foundation

/// A thing that was named as a store and cannot be one, and the advice what to do instead.
///
/// ```
/// Notes.momd    a data model     coredata model print describes it
/// Notes.zip     a ZIP archive    unpack it
/// Documents     a folder         name the store in it
/// ```
enum OtherFile {
  case folder, model, archive
  /// A store of the type NSBinaryStoreType that Apple's framework has written.
  case appleBinary
  /// A pipe or a device, which can be read once, from its beginning to its end.
  case stream

  /// `nil` for a file that may be a store; opening it says whether it is.
  init?(at url: URL) {
    var state = stat()
    // Opening a file that cannot be examined says why.
    guard stat(url.path, &state) == 0 else { return nil }
    switch state.st_mode & S_IFMT {
    case S_IFDIR:
      let isModel = ["momd", "xcdatamodeld", "xcdatamodel"].contains(url.pathExtension)
      self = isModel ? .model : .folder
    case S_IFREG:
      // A file that cannot be read says why when it is opened.
      let bytes = (try? FileHandle(forReadingFrom: url).read(upToCount: 10)) ?? Data()
      if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
        self = .archive
      } else if bytes.starts(with: Array("CoreData".utf8) + [0, 0]) {
        self = .appleBinary
      } else if url.pathExtension == "mom", bytes.starts(with: "bplist00".utf8) {
        self = .model
      } else {
        return nil
      }
    case _: self = .stream
    }
  }

  func words(at url: URL) -> String {
    let name = url.relativePath
    return switch self {
    case .appleBinary:
      "\(name) is a binary store of Apple's Core Data, whose format is not documented; let the app or a program on a Mac "
        + "copy it into a SQLite or XML store, with migratePersistentStore"
    case .folder:
      "\(url.path) is a folder; name the store in it"
        + (Self.stores(in: url).first.map { ", such as \($0)" } ?? "")
    case .model: "\(url.path) is a data model; coredata model print \(name) describes it"
    case .archive: "\(url.path) is a ZIP archive; unpack it, and name the store that was in it"
    case .stream:
      "\(url.path) is not a file but a pipe or a device; write the store to a file, and name that"
    }
  }

  /// The paths of files that are named like stores.
  private static func stores(in folder: URL) -> [String] {
    // A folder that cannot be read does not offer names.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appendingPathComponent($0) }
      .filter { ["sqlite", "store", "db", "storedata"].contains($0.pathExtension) }
      .map(\.relativePath)
  }
}
