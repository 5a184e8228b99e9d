import CoreData

/// The place of the work: a store with rows, of which each round gets copies.
///
/// The framework makes the file; the rows come in by plain SQLite. So both sides have the same tables, the
/// same indexes and the same bytes.
struct Stand {
  let count: Int
  let model: NSManagedObjectModel
  private let folder: URL

  static let shelfCount = 1000
  static let labelCount = 1000
  static let labelsOfEach = 2

  init(count: Int) throws {
    self.count = count
    model = try Self.model()
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let coordinator = try coordinator(at: empty)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    try FileManager.default.copyItem(at: empty, to: filled)
    let plain = PlainTables(path: filled.path)
    plain.fill(count)
    plain.close()
  }

  static func model() throws -> NSManagedObjectModel {
    guard let url = Bundle.module.url(forResource: "Measures", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { throw CocoaError(.fileReadNoSuchFile) }
    return model
  }

  func remove() {
    // Leftovers in the folder for temporary files harm nobody.
    try? FileManager.default.removeItem(at: folder)
  }

  /// A store without rows.
  var empty: URL { folder.appendingPathComponent("empty.sqlite") }
  /// A store with `count` entries, which nobody changes.
  var filled: URL { folder.appendingPathComponent("filled.sqlite") }

  /// A copy to write to.
  func copy(of file: URL, _ name: String) throws -> URL {
    let copy = folder.appendingPathComponent("\(name).sqlite")
    for suffix in ["", "-wal", "-shm"] {
      let path = copy.path + suffix
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    try FileManager.default.copyItem(at: file, to: copy)
    return copy
  }

  func coordinator(at url: URL) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    return coordinator
  }

  /// A new context over a store of its own, whose caches are cold.
  func context(at url: URL) throws -> NSManagedObjectContext {
    context(try coordinator(at: url))
  }

  func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}
