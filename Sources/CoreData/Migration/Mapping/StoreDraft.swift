import Foundation

/// A store in the making, in a folder beside its final place.
///
/// ```
/// .Notes.sqlite.unfinished-6B29FC40/Notes.sqlite    until commit()
/// Notes.sqlite                                      from then on
/// ```
struct StoreDraft {
  /// Where the store is made.
  let end: MappingEnd
  /// Whether there is no store in the final place yet.
  let isNew: Bool
  private let place: URL
  private let folder: URL

  /// Makes the folder, and in it a copy of what is at the place.
  init(of target: MappingEnd) throws {
    place = target.url
    folder = place.deletingLastPathComponent().appendingPathComponent(
      ".\(place.lastPathComponent).unfinished-\(UUID().uuidString.prefix(8))"
    )
    let url = folder.appendingPathComponent(place.lastPathComponent)
    end = MappingEnd(url: url, type: target.type, options: target.options)
    let size = try FileManager.default.size(of: place)
    isNew = size == 0
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    guard !isNew else { return }
    do {
      try KindsOfStores.kind(target.type, at: place.path)
        .replace(at: url, target.options, with: place, target.options)
    } catch {
      discard()
      throw error
    }
  }

  func commit() throws {
    try StoreReplacement(of: place, by: end.url, type: end.type, options: end.options).perform()
  }

  /// Forgets everything that was made so far.
  func clear() throws {
    discard()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  func discard() {
    // If this fails, the folder's name says what it is.
    try? FileManager.default.removeItem(at: folder)
  }
}

extension FileManager {
  /// The size of a file in bytes; 0 if it does not exist.
  func size(of url: URL) throws -> Int {
    guard fileExists(atPath: url.path) else { return 0 }
    return (try attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue ?? 0
  }
}
