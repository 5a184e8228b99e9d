import CoreData
import CoreDataSync
import CoreDataSyncServer
import Foundation

/// The files of a device and of a server that are still empty, made once: making them takes longer than most of a
/// history's work with them.
struct BlankFiles {
  let sidecar: Data
  let server: Data
  /// Those of each version of the program.
  private let stores: [BlankStore]

  private static let made = Result { try BlankFiles() }

  static var ready: BlankFiles {
    get throws { try made.get() }
  }

  private init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-sync-blank-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Leftovers of it do no harm.
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    stores = try SimulatedModel.versions.indices.map { version in
      try BlankStore(SimulatedModel.versions[version], at: file("store \(version)"))
    }

    // The last program to close a file moves all of the log into it.
    do { _ = try Sidecar(path: file("sidecar").path, isDurable: false) }
    sidecar = try Data(contentsOf: file("sidecar"))
    do { _ = try SQLiteZoneStorage(path: file("server").path, isDurable: false) }
    server = try Data(contentsOf: file("server"))
  }

  /// A store with an identifier of its own.
  func store(of version: Int, with identifier: UUID) -> Data { stores[version].copy(identifier) }
}

/// A store without objects.
private struct BlankStore {
  private let file: Data
  /// The places of a store's identifier in its file.
  private let places: [Range<Int>]

  init(_ model: NSManagedObjectModel, at url: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addStore(at: url)
    let identifier = Data(opened.identifier.utf8)
    try coordinator.remove(opened)
    file = try Data(contentsOf: url)
    places = file.places(of: identifier)
  }

  func copy(_ identifier: UUID) -> Data {
    var copy = file
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
