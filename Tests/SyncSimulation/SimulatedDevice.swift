import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation

/// The program on a simulated device has ended.
struct Crash: Error {}

/// The network has lost a request or an answer.
struct ConnectionLost: Error {}

/// A device: a store, a sidecar and the engine between them.
final class SimulatedDevice {
  let number: Int
  let folder: URL
  /// The models of the program's versions, as the engine sees them.
  private let models: [SyncModel]
  private let versions: [NSManagedObjectModel]
  /// Which version of the program the device has.
  private(set) var version: Int
  private(set) var coordinator: NSPersistentStoreCoordinator
  private(set) var engine: SyncEngine?
  /// By how many milliseconds the clock is wrong.
  var skew: Int64
  var world: SyncWorld
  /// Whether the device has memory for a few objects at once only.
  var readsInPortions: Bool { world.objectsPerPortion < 10 }
  /// Whether the store is older than the sidecar, and nobody has looked yet.
  var isRestored = false
  private var isBackupRestored = false
  /// Whether all files were put back to a backup.
  private(set) var wasPutBack = false
  /// Whether the program has saved since the engine has read the store, and whether its history was purged since.
  var isUnread = false
  var isPurged = false
  /// Whether the backup has changes that the engine had not read.
  private(set) var isBackupUnread = false
  /// When saves were, by the machine's clock and by that of the device.
  private var times: [(real: Date, told: Date)] = []
  /// The pairs that were taken apart here since the store was last read as a whole.
  var unlinked: Set<Oracle.Link> = []
  private var unlinkedInBackup: Set<Oracle.Link> = []
  /// The texts written here, for the record of the losses of a restored backup.
  var written: [String] = []
  /// The number of them that it has forgotten, as it was put back or has begun again since.
  var forgotten = 0
  /// Whether the server was put back to a backup, and the device has not exchanged changes to the end since.
  var isBehindRestoredServer = false
  /// The deliberate mistake of this device.
  var bug: InjectedBug?
  /// The store's history, with the liberties that the framework takes.
  let history = LooseHistory()
  /// How SQLite treats the store's file.
  var pragmas = NSPersistentStoreCoordinator.simulatedPragmas

  init(
    _ number: Int,
    in folder: URL,
    skew: Int64,
    _ world: SyncWorld,
    _ models: [SyncModel],
    of versions: [NSManagedObjectModel] = SimulatedModel.versions,
    version: Int = 0
  ) throws {
    self.number = number
    self.folder = folder
    self.skew = skew
    self.world = world
    self.world.tokens = TokenNumbers(number: { $0[$1] }, moved: { $0.advanced(to: $1, in: $2) })
    self.world.deviceName = "device \(number)"
    self.models = models
    self.versions = versions
    self.version = version
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: versions[version])
    if versions == SimulatedModel.versions { try putBlankFiles() }
    try open()
  }

  private func putBlankFiles() throws {
    let blank = try BlankFiles.ready
    try blank.store(of: version, with: UUID()).write(to: storeFile)
    try blank.sidecar.write(to: sidecarFile)
  }

  var objectModel: NSManagedObjectModel { versions[version] }

  var storeFile: URL { folder.appendingPathComponent("Notes.sqlite") }
  private var sidecarFile: URL { folder.appendingPathComponent("Notes.sync") }

  private func open() throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: objectModel)
    try coordinator.addStore(at: storeFile, pragmas)
  }

  /// The engine, opened if it is not.
  func running() throws -> SyncEngine {
    if let engine { return engine }
    guard let store = coordinator.persistentStores.first else { throw Crash() }
    var (world, model) = (world, models[version])
    if history.looseness.contains(.opaqueTokens) { world.tokens = nil }
    bug?.spoil(&world)
    bug?.spoil(&model)
    let engine = try SyncEngine(
      StoreDoor(
        coordinator: coordinator,
        store: store,
        reading: history.read,
        leaving: history.leave
      ),
      sidecar: sidecarFile.path,
      world,
      isDurable: false,
      model: model
    )
    bug?.spoil(engine)
    self.engine = engine
    return engine
  }

  /// Ends the program, without a word.
  func crash() {
    engine = nil
  }

  func close() throws {
    engine = nil
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  func reopen() throws {
    try close()
    try open()
  }

  /// Starts the program's latest version in place of the one that runs.
  func migrate() throws {
    if version == models.count - 1 { return }
    try close()
    version = models.count - 1
    try open()
  }

  func noteTime() {
    times.append((Date(), Date(timeIntervalSince1970: Double(world.time()) / 1000)))
  }

  func told(_ real: Date) -> Date {
    times.last { $0.real <= real }?.told ?? Date(timeIntervalSince1970: Double(world.time()) / 1000)
  }

  /// Whether the store may have the object with a text, and not yet the rest of the same save.
  ///
  /// Some devices read objects that others have written in portions. Saves made here are whole, unless the store was
  /// put back since.
  func mayHaveHalf(of text: String) throws -> Bool {
    if !readsInPortions || written.dropFirst(forgotten).contains(text) { return false }
    let sidecar = try engine?.sidecar ?? Sidecar(reading: sidecarFile.path, .besideEngine)
    return try sidecar.isAnythingInInbox || sidecar.isAnythingDirty
  }

  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
    return context
  }
}

// MARK: - Backups

extension SimulatedDevice {
  /// Copies the files aside, as they are between two instructions.
  func backUp() throws {
    try close()
    try? FileManager.default.removeItem(at: backup)
    try FileManager.default.createDirectory(at: backup, withIntermediateDirectories: true)
    for file in try files() { try copy(file, to: backup) }
    isBackupUnread = isUnread
    isBackupRestored = isRestored
    unlinkedInBackup = unlinked
    try open()
  }

  var hasBackup: Bool { FileManager.default.fileExists(atPath: backup.path) }

  /// Whether the backup has changes that nobody has read yet.
  var hasBackupOfUnread: Bool { isUnread && isBackupUnread }

  /// Puts the copies back.
  func restore(storeOnly: Bool) throws {
    try close()
    for file in try files() where !storeOnly || !file.lastPathComponent.contains(".sync") {
      try FileManager.default.removeItem(at: file)
    }
    for file in try FileManager.default.contentsOfDirectory(
      at: backup,
      includingPropertiesForKeys: nil
    )
    where !storeOnly || !file.lastPathComponent.contains(".sync") {
      try copy(file, to: folder)
    }
    isUnread = isUnread || isBackupUnread
    unlinked.formUnion(unlinkedInBackup)
    isPurged = false
    isRestored = storeOnly || isBackupRestored
    if !storeOnly { wasPutBack = true }
    try open()
  }

  private var backup: URL { folder.appendingPathComponent("backup") }

  private func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasPrefix("Notes.") }
  }

  private func copy(_ file: URL, to folder: URL) throws {
    let target = folder.appendingPathComponent(file.lastPathComponent)
    try FileManager.default.copyItem(at: file, to: target)
  }
}

extension NSPersistentStoreCoordinator {
  /// It does not wait for the disk: only programs end here.
  static let simulatedPragmas = ["synchronous": "OFF"]

  /// Opens a store that keeps its history.
  @discardableResult
  func addStore(
    at file: URL,
    _ pragmas: [String: String] = simulatedPragmas
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: [
        NSPersistentHistoryTrackingKey: NSNumber(value: true),
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
        NSSQLitePragmasOption: pragmas,
      ]
    )
  }
}
