import CoreData
import CoreDataModel
import CoreDataSync
import CoreDataSyncCore
import Foundation

/// A device that keeps a store in step with a server which answers whatever it likes: the engine, up to the store.
struct PageTarget: FuzzTarget {
  private let model: NSManagedObjectModel
  /// The cells of a device that has objects of everything.
  private let cells: [KeyedCell]
  private let folder: URL
  private static let time: UInt64 = 1_700_000_000_000

  init() {
    do {
      model = NSManagedObjectModel(schema: SeedModel.schema.withoutClasses)
      folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID())")
      let seed = try SeedStore(SeedModel.schema, type: NSSQLiteStoreType)
      var server = HonestServer(time: Self.time)
      var dice = Dice(seed: 1, number: 0)
      let device = try Device(seed.model, at: seed.file, sidecar: folder, &dice)
      try device.engine.synchronize { server.answer($0) }
      cells = server.cells
    } catch {
      fatalError("A device cannot be made: \(error)")
    }
  }

  func run(_ dice: inout Dice) {
    let place = folder.appending(path: "device")
    defer { try? FileManager.default.removeItem(at: place) }
    do {
      let file = place.appending(path: "Notes.sqlite")
      let device = try Device(model, at: file, sidecar: place, &dice)
      var server = HostileServer(cells, time: Self.time, dice)
      // If it fails, the next exchange goes on with the result so far.
      for _ in 0..<3 { try? device.engine.synchronize { try server.answer($0) } }
      try device.close()
    } catch {
      fatalError("A device that somebody has deceived cannot be opened: \(error)")
    }
  }
}

/// A store with its engine.
private struct Device {
  let engine: SyncEngine
  private let coordinator: NSPersistentStoreCoordinator

  init(
    _ model: NSManagedObjectModel,
    at file: URL,
    sidecar folder: URL,
    _ dice: inout Dice
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      type: .sqlite,
      at: file,
      options: [NSPersistentHistoryTrackingKey: true]
    )
    var chance = Dice(seed: dice.next(), number: 1)
    let world = SyncWorld(time: { 1_700_000_000_000 }, random: { chance.next() })
    engine = try SyncEngine(
      StoreDoor(coordinator: coordinator, store: store),
      sidecar: folder.appending(path: "Notes.sync").path,
      world,
      isDurable: false
    )
  }

  func close() throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}

/// Takes what is sent, and has nothing.
private struct HonestServer {
  let time: UInt64
  private(set) var cells: [KeyedCell] = []

  init(time: UInt64) {
    self.time = time
  }

  mutating func answer(_ request: SyncRequest) -> SyncResponse {
    switch request {
    case .push(let push):
      cells += push.cells
      return .pushed(.init(head: Cursor(position: UInt64(cells.count), era: 5), time: time))
    case .pull:
      let next = Cursor(position: UInt64(cells.count), era: cells.isEmpty ? 0 : 5)
      return .page(.init(cells: [], next: next, isLast: true, time: time))
    }
  }
}

/// Answers with cells that are like those of a device, and damaged in their values or as bytes.
private struct HostileServer {
  private let cells: [KeyedCell]
  private let time: UInt64
  private var dice: Dice
  private var answers = 0

  init(_ cells: [KeyedCell], time: UInt64, _ dice: Dice) {
    (self.cells, self.time, self.dice) = (cells, time, dice)
  }

  /// After so many answers it is silent.
  private static let patience = 24

  mutating func answer(_ request: SyncRequest) throws -> SyncResponse {
    answers += 1
    if answers > Self.patience { throw CancellationError() }
    let answer: SyncResponse =
      switch request {
      case .push: dice.once(in: 4) ? refusal : .pushed(.init(head: cursor, time: clock))
      case .pull: dice.once(in: 8) ? refusal : .page(page)
      }
    let bytes = answer.bytes
    return try SyncResponse(bytes: dice.once(in: 2) ? dice.damaged(bytes) : bytes)
  }

  private var refusal: SyncResponse {
    mutating get { .refused(dice.one(of: [.resync, .rewound, .clockAhead(clock)])) }
  }

  private var cursor: Cursor {
    mutating get {
      Cursor(position: UInt64(dice.number(0..<50)), era: UInt64(dice.number(0..<3)))
    }
  }

  private var clock: UInt64 {
    mutating get { dice.one(of: [time, 0, 1, time + 86_400_000, HybridClock.latest]) }
  }

  private var page: SyncResponse.Page {
    mutating get {
      var some: [KeyedCell] = []
      for _ in 0..<dice.number(0..<60) { some.append(cell) }
      let (next, now) = (cursor, clock)
      return .init(cells: some, next: next, isLast: !dice.once(in: 4), time: now)
    }
  }

  private var cell: KeyedCell {
    mutating get {
      var keyed = dice.one(of: cells)
      switch dice.number(0..<9) {
      case 0: keyed.cell.payload = dice.one(of: cells).cell.payload
      case 1: keyed.cell.payload = dice.damaged(keyed.cell.payload)
      case 2: keyed.cell.epoch = UInt16(dice.one(of: [0, 1, 2, 3, 255, 65_534, 65_535]))
      case 3: keyed.cell.stamp.moment = dice.one(of: [0, 1, HybridClock.latestMoment, time << 16])
      case 4: keyed.cell.base = dice.one(of: [0, 1, Stamp.latestMoment, time << 16])
      case 5: keyed.key = CellKey(dice.one(of: cells).key.object, keyed.key.field)
      case 6:
        let field = dice.one(of: cells).key.field
        if field != .life { keyed.key = CellKey(keyed.key.object, field) }
      case _: break
      }
      return keyed
    }
  }
}
