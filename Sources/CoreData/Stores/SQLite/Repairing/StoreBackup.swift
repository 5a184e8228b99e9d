import CoreDataSQLite
import Foundation

/// A copy of a store's database beside it, as it was at one moment.
///
/// ```
/// Notes.sqlite
/// Notes-before-repair-20261120-121909.sqlite
/// ```
///
/// Data in files is not copied: a repair moves such files and removes none.
struct StoreBackup {
  private let store: URL
  private let date: Date

  init(of store: URL, at date: Date) {
    self.store = store
    self.date = date
  }

  /// Makes the copy, with all that stands in a write-ahead log, and gives its place.
  func make() throws -> URL {
    let copy = freePlace
    do {
      let source = try Connection(path: store.path, mode: .readOnly)
      source.setBusyTimeout(milliseconds: 10_000)
      try Connection(path: copy.path).copyEverything(from: source, timeout: 10_000)
    } catch {
      // Half a copy would look like a whole one.
      try? FileManager.default.removeItem(at: copy)
      throw error
    }
    return copy
  }

  private var freePlace: URL {
    let stamp = DateFormatter()
    stamp.locale = Locale(identifier: "en_US_POSIX")
    stamp.timeZone = .gmt
    stamp.dateFormat = "yyyyMMdd-HHmmss"
    let name = store.deletingPathExtension().lastPathComponent
    let ending = store.pathExtension.isEmpty ? "" : ".\(store.pathExtension)"
    let beginning = "\(name)-before-repair-\(stamp.string(from: date))"
    let folder = store.deletingLastPathComponent()
    var place = folder.appendingPathComponent(beginning + ending)
    var number = 2
    while FileManager.default.fileExists(atPath: place.path) {
      place = folder.appendingPathComponent("\(beginning)-\(number)\(ending)")
      number += 1
    }
    return place
  }
}
