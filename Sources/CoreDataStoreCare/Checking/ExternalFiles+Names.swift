import CoreData
import Foundation

extension ExternalFiles {
  /// The files that are there, except links and files whose names are not Core Data's.
  static func names(besides store: URL) -> Set<String> {
    // A folder that is not there is as good as an empty one.
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder(besides: store).path)
    return Set(
      (names ?? []).filter { UUID(uuidString: $0) != nil && size(named: $0, besides: store) != nil }
    )
  }

  /// Moves files that no row names to a folder beside the store, and gives the folder.
  static func moveToLostAndFound(_ names: Set<String>, besides store: URL) throws -> URL {
    let name = "\(store.deletingPathExtension().lastPathComponent).lost+found"
    let target = store.deletingLastPathComponent().appendingPathComponent(name)
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    for name in names.sorted() {
      try FileManager.default.moveItem(
        at: folder(besides: store).appendingPathComponent(name),
        to: target.appendingPathComponent(name)
      )
    }
    return target
  }
}
