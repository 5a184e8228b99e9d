package import CoreData
import CoreDataSQLite
package import CoreDataSyncCore
import Foundation

/// The engine on a store, as its driver sees it: with this machine's clock and random numbers.
///
/// Used by one thread at a time.
package final class SyncSession {
  private let engine: SyncEngine
  private let door: StoreDoor
  private let lock: DatabaseLock
  private var sidecar: Sidecar { engine.sidecar }

  /// Opens the store's sidecar, and creates it if it does not exist.
  ///
  /// The device's name is shown to people; the framework supplies the numbers of tokens.
  ///
  /// Throws if another program uses it.
  package init(
    _ coordinator: NSPersistentStoreCoordinator,
    _ store: NSPersistentStore,
    sidecar path: String,
    deviceName: String = "",
    tokens: TokenNumbers? = nil,
    pass: @escaping (SyncMoment) throws -> Void = { _ in }
  ) throws {
    guard let lock = try Self.lock(ofSidecarAt: path) else {
      throw SyncFailure.usedElsewhere(store.url?.lastPathComponent ?? path)
    }
    self.lock = lock
    door = StoreDoor(coordinator: coordinator, store: store)
    var world = SyncWorld(
      time: { UInt64(max(Date().timeIntervalSince1970, 0) * 1000) },
      random: { UInt64.random(in: 0...UInt64.max) }
    )
    world.deviceName = deviceName
    world.tokens = tokens
    world.pass = pass
    engine = try SyncFailure.explaining(door, sidecar: path) { [door] in
      try SyncEngine(door, sidecar: path, world)
    }
  }

  /// Brings store and server to the same state; without sending changes, only the store to the server's.
  package func synchronize(
    sendsChanges: Bool = true,
    _ send: (SyncRequest) throws -> SyncResponse
  ) throws {
    try SyncFailure.explaining(door, sidecar: sidecar.connection.path) {
      // Later saves of the program may not be seen any more.
      let begun = engine.world.time()
      if sendsChanges { try engine.synchronize(send) } else { try engine.follow(send) }
      // With a token that only reads, or if the server has since forgotten the device, cells still wait.
      let isComplete = try sidecar.mode == .changes && sidecar.unsentCount == 0
      if isComplete { try sidecar.noteConfirmed(begun) }
    }
  }

  /// Whether somebody else than the engine has saved since the last time.
  package var hasLocalChanges: Bool {
    get throws { try !engine.isDrained() }
  }

  /// Whether the server has sent the device back to the beginning, and not all was fetched since.
  package var isBeginningAnew: Bool {
    get throws { try engine.isBeginningAnew }
  }

  /// The number of the last change of the server that the store has.
  package var position: UInt64 {
    get throws { try sidecar.cursor.position }
  }

  /// When store and server were last known to be in the same state.
  package var confirmed: Date? {
    get throws { try sidecar.confirmed }
  }

  /// The payload of a cell that is known with the life, stamp and base of another; of that one the payload is not
  /// looked at.
  package func payload(of key: CellKey, _ other: Cell) throws -> [UInt8]? {
    guard let cell = try sidecar.cells(of: key.object)?[key.field], cell.epoch == other.epoch,
      cell.stamp == other.stamp, cell.base == other.base
    else { return nil }
    return cell.payload
  }

  /// Keeps a cell as it came whose payload the server lacks.
  ///
  /// - Returns: The known cell in its place, which the server has; `nil` for none, and if the server was put back: then
  ///   nobody knows what it has.
  package func putAside(_ keyed: KeyedCell, as key: CellKey) throws -> Cell? {
    try sidecar.putAside(keyed, as: key)
  }

  /// Some of the cells that were put aside, as they came; those first that were not asked for longest.
  package func cellsAside(limit: Int) throws -> [KeyedCell] {
    try sidecar.takeTurn(ofCellsAside: limit)
  }

  package var hasCellsAside: Bool {
    get throws { try sidecar.asideCount > 0 }
  }

  /// The path of a store's sidecar.
  package static func sidecar(ofStoreAt path: String) -> String { "\(path)-sync" }

  /// The folder of large values while they arrive.
  package static func parts(ofStoreAt path: String) -> String { "\(path)-sync-parts" }

  /// Deletes a sidecar, so that its store begins again.
  ///
  /// Throws if another program uses it.
  package static func deleteSidecar(ofStoreAt path: String) throws {
    let sidecar = sidecar(ofStoreAt: path)
    guard let lock = try lock(ofSidecarAt: sidecar) else {
      throw SyncFailure.usedElsewhere(URL(filePath: path).lastPathComponent)
    }
    try withExtendedLifetime(lock) {
      for suffix in ["", "-wal", "-shm"] {
        let file = sidecar + suffix
        guard FileManager.default.fileExists(atPath: file) else { continue }
        try FileManager.default.removeItem(atPath: file)
      }
      let parts = parts(ofStoreAt: path)
      guard FileManager.default.fileExists(atPath: parts) else { return }
      try FileManager.default.removeItem(atPath: parts)
    }
  }

  /// Keeps other programs from a sidecar: two engines on one would take each other's saves for the program's.
  private static func lock(ofSidecarAt path: String) throws -> DatabaseLock? {
    do {
      return try DatabaseLock(at: "\(path)-lock")
    } catch {
      throw SyncFailure.unusableLock(error.path, error.reason)
    }
  }

  package var facts: SyncFacts {
    get throws {
      SyncFacts(
        pending: try sidecar.pendingCount,
        pendingSaves: try sidecar.unsentSaveCount,
        conflicts: try sidecar.conflictCount,
        quarantined: try sidecar.quarantineCount
      )
    }
  }

  /// The synchronized part of a model, a line for each entity.
  package static func explain(_ model: NSManagedObjectModel) throws -> String {
    let entities = try SyncModel(model).entities.values.sorted { $0.name < $1.name }
    return entities.map { entity in
      let names = entity.attributes.map(\.name) + entity.roles.compactMap(\.name)
      return "\(entity.name): \(names.sorted().joined(separator: ", "))"
    }.joined(separator: "\n")
  }
}

/// The numbers of the things that people want to know about.
package struct SyncFacts: Hashable, Sendable {
  package let pending: Int
  package let pendingSaves: Int
  package let conflicts: Int
  package let quarantined: Int
}

// MARK: - Conflicts

/// A value that lost, with its name in the model.
package struct LostValue: Sendable {
  package let number: Int64
  package let objectID: NSManagedObjectID?
  package let entityName: String?
  package let propertyName: String?
  package let text: String
  /// The object of the store that the value leads to.
  package let end: NSManagedObjectID?
  package let date: Date
  /// The name of the device that has written it, if that has sent its name.
  package let device: String?
}

/// Something that the store refuses.
package struct RefusedValue: Sendable {
  package let objectID: NSManagedObjectID?
  package let propertyName: String?
  package let reason: String
}

extension SyncSession {
  /// Forgets the conflict that has a number and whose value was written then.
  package func dismiss(_ number: Int64, writtenAt date: Date) throws {
    if try conflict(number, writtenAt: date) != nil { try sidecar.forgetConflict(number) }
  }

  /// `nil` if it was forgotten, even if another has its number since.
  private func conflict(_ number: Int64, writtenAt date: Date) throws -> KeyedCell? {
    try sidecar.keptConflicts().first {
      $0.number == number && $0.keyed.cell.stamp.date == date
    }?.keyed
  }

  /// Gives a property the value that lost, as a save of the program's would; an object that was deleted comes back as
  /// it was, with that value.
  ///
  /// Where it throws, the conflict is kept, and nothing has changed.
  package func takeBack(_ number: Int64, writtenAt date: Date) throws {
    try SyncFailure.explaining(door, sidecar: sidecar.connection.path) {
      guard let lost = try conflict(number, writtenAt: date) else { return }
      if try sidecar.cells(of: lost.key.object)?.isAlive == false {
        try engine.bringBack(lost)
      } else {
        try writeBack(lost)
      }
      try sidecar.forgetConflict(number)
    }
  }

  private func writeBack(_ lost: KeyedCell) throws {
    let key = lost.key
    guard let id = try sidecar.objectID(of: key.object, engine.model, door),
      let name = try engine.model.names(of: key, sidecar).property,
      let value = CellValue(payload: lost.cell.payload)
    else { throw SyncFailure.nothingToTakeBackTo }
    let context = door.context()
    context.transactionAuthor = "CoreDataSync.takeBack"
    try context.performAndWait {
      // An object that is gone, or cannot be read, does not have a value to be taken back to.
      guard let object = try? context.existingObject(with: id),
        let entity = engine.model.entity(of: object)
      else { throw SyncFailure.nothingToTakeBackTo }
      if let attribute = entity.attribute(named: name) {
        guard let new = attribute.storeValue(of: value) else {
          throw SyncFailure.nothingToTakeBackTo
        }
        object.setValue(new, forKey: name)
      } else {
        guard entity.role(named: name) != nil else { throw SyncFailure.nothingToTakeBackTo }
        object.setValue(try end(of: value, in: context), forKey: name)
      }
      try context.save()
    }
  }

  /// The object that a reference led to; nil only for one that led nowhere.
  private func end(
    of value: CellValue,
    in context: NSManagedObjectContext
  ) throws -> NSManagedObject? {
    if value == .null { return nil }
    // An object that cannot be read any more is gone.
    guard let target = value.reference,
      let id = try sidecar.objectID(of: target, engine.model, door),
      let end = try? context.existingObject(with: id)
    else { throw SyncFailure.endIsGone }
    return end
  }
}

extension Sidecar {
  /// The object of a store that has an identity, or that represents the object that has it.
  func objectID(
    of id: SyncID,
    _ model: SyncModel,
    _ door: StoreDoor?
  ) throws -> NSManagedObjectID? {
    guard let door else { return nil }
    if let address = try address(of: id) { return door.objectID(at: address) }
    let visible = try Projector(CellOverlay(on: self, model.schema), model.schema).visible(id)
    return try visible.flatMap { try address(of: $0) }.flatMap { door.objectID(at: $0) }
  }
}

extension LostValue {
  static func all(
    in sidecar: Sidecar,
    _ model: SyncModel,
    _ objectID: (SyncID) throws -> NSManagedObjectID?
  ) throws -> [LostValue] {
    try sidecar.keptConflicts().map { kept in
      let named = try model.names(of: kept.keyed.key, sidecar)
      let cell = kept.keyed.cell
      let value = CellValue(payload: cell.payload)
      return LostValue(
        number: kept.number,
        objectID: try objectID(kept.keyed.key.object),
        entityName: named.entity?.description.name,
        propertyName: named.property,
        text: value?.words ?? "",
        end: try value?.reference.flatMap(objectID),
        date: cell.stamp.date,
        device: try sidecar.deviceName(ofWriter: cell.stamp.writer)
      )
    }
  }
}

extension SyncModel {
  /// The model's names for the object and the property of a cell.
  func names(
    of key: CellKey,
    _ sidecar: Sidecar
  ) throws -> (entity: SyncEntity?, property: String?) {
    guard let name = try sidecar.cells(of: key.object)?.entity, let entity = entities[name] else {
      return (nil, nil)
    }
    let property: PropertyID
    switch key.field {
    case .value(let value), .lost(let value, _): property = value
    case .life, .member, .place: return (entity, nil)
    }
    let attribute = entity.attributes.first { $0.property == property }?.name
    let role = entity.roles.first { $0.property == property && $0.kind == .reference }
    return (entity, attribute ?? role?.name)
  }
}

extension Stamp {
  var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension CellValue {
  /// The value as people read it.
  var words: String {
    switch self {
    case .null: ""
    case .boolean(let value): value ? "yes" : "no"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .decimal(let text), .text(let text), .address(let text), .entity(let text),
      .place(let text):
      text
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds).ISO8601Format()
    case .uuid(let id): "\(id)"
    case .parts(let parts): parts.map(\.value.words).joined(separator: ", ")
    case .reference(let id, _): "\(id)"
    }
  }
}
