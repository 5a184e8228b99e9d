import CoreData
import CoreDataSync
import CoreDataSyncServer
import Foundation

/// The files of a device and of a server that have nothing yet, made once: making them takes longer than most of what a
/// history does with them.
struct BlankFiles {
  let sidecar: Data
  let server: Data
  private let store: Data
  /// Where a store's identifier stands in its file.
  private let places: [Range<Int>]

  private static let made = Result { try BlankFiles() }

  static var ready: BlankFiles {
    get throws { try made.get() }
  }

  private init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-sync-blank-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // What stays of it is in the way of nobody.
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SimulatedModel.model)
    let opened = try coordinator.addStore(at: file("store"))
    let identifier = Data(opened.identifier.utf8)
    try coordinator.remove(opened)
    store = try Data(contentsOf: file("store"))
    places = store.places(of: identifier)

    // Whoever closes a file as the last has all of it in there.
    do { _ = try Sidecar(path: file("sidecar").path, isDurable: false) }
    sidecar = try Data(contentsOf: file("sidecar"))
    do { _ = try SQLiteZoneStorage(path: file("server").path, isDurable: false) }
    server = try Data(contentsOf: file("server"))
  }

  /// A store with an identifier of its own.
  func store(with identifier: UUID) -> Data {
    var copy = store
    for place in places { copy.replaceSubrange(place, with: identifier.uuidString.utf8) }
    return copy
  }
}

extension Data {
  fileprivate func places(of part: Data) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var rest = startIndex..<endIndex
    while let place = range(of: part, in: rest) {
      places.append(place)
      rest = place.upperBound..<endIndex
    }
    return places
  }
}
