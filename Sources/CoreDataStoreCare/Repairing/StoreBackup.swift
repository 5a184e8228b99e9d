import CoreData
import CoreDataSQLite
package import Foundation

/// A copy of a store's database beside it, as it was at one moment.
///
/// ```
/// Notes.sqlite
/// Notes-before-repair-20261120-121909.sqlite
/// ```
///
/// Data in files is not copied: a repair moves such files and removes none.
package struct StoreBackup {
  private let store: URL
  private let date: Date
  private let occasion: String

  /// - Parameters:
  ///   - store: The store's file.
  ///   - date: The time that is in the name of the copy.
  ///   - occasion: A word for the event before which the copy is made.
  package init(of store: URL, at date: Date, before occasion: String = "repair") {
    self.store = store
    self.date = date
    self.occasion = occasion
  }

  /// Makes the copy, with everything in a write-ahead log, and returns its place.
  func make() throws -> URL {
    let copy = freePlace
    do {
      let source = try Connection(path: store.path, mode: .readOnly)
      source.setBusyTimeout(milliseconds: 10_000)
      FileMode(of: store.path)?.makeFile(at: copy.path)
      try Connection(path: copy.path).copyEverything(from: source, timeout: 10_000)
    } catch {
      // Half a copy would look like a whole one.
      try? FileManager.default.removeItem(at: copy)
      throw error
    }
    return copy
  }

  /// Copies a write-ahead log that is damaged, and returns the copy's place; `nil` for one that is
  /// whole.
  ///
  /// SQLite takes the readable part of a log into the file and removes the log: the rest, in which
  /// somebody might still find something, would be gone.
  func keepDamagedLog() throws -> URL? {
    guard let log = WriteAheadLog(besides: store), log.isDamaged else { return nil }
    // Another ending than -wal, for SQLite would take it for the log of the copy.
    let copy = freePlace.appendingPathExtension("log")
    if FileManager.default.fileExists(atPath: copy.path) {
      try FileManager.default.removeItem(at: copy)
    }
    try FileManager.default.copyItem(atPath: store.path + "-wal", toPath: copy.path)
    return copy
  }

  /// A name beside the store that no file has.
  package var freePlace: URL {
    let stamp = DateFormatter()
    stamp.locale = Locale(identifier: "en_US_POSIX")
    stamp.timeZone = .gmt
    stamp.dateFormat = "yyyyMMdd-HHmmss"
    let name = store.deletingPathExtension().lastPathComponent
    let ending = store.pathExtension.isEmpty ? "" : ".\(store.pathExtension)"
    let beginning = "\(name)-before-\(occasion)-\(stamp.string(from: date))"
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
