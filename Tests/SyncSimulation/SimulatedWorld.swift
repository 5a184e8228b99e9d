import CoreData
import CoreDataSync
import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncServer
import Foundation

/// What was wrong in a simulated history.
struct Objection: Error, CustomStringConvertible {
  let description: String
}

/// Devices and a server, with everything that can happen between them, all of it decided by seeds.
final class SimulatedWorld {
  private let folder: URL
  private var devices: [SimulatedDevice] = []
  private var server: ZoneServer
  private var now: UInt64 = 1_700_000_000_000
  private var chance: Chance
  private var oracle = Oracle()
  private var nextText = 0
  private var backups: [Int: Int] = [:]
  /// Whether the server has forgotten something since its backup was made.
  private var hasForgottenSinceBackup = false
  private(set) var saves = 0
  private(set) var rounds = 0
  var trace: ((String) -> Void)?

  private let subject: [Int]

  private static let zone = "notes"

  private let bug: InjectedBug?

  private let focus: Int

  /// What is particular in histories that are about one thing.
  private let circumstances: Circumstances?

  /// The models of the program's versions; in three histories of four there is one.
  private let models: [SyncModel]

  /// A note of which a device shows half of a save.
  private let isHalf = NSPredicate(
    format: "left != right OR left == nil AND right != nil OR left != nil AND right == nil"
  )

  /// What encrypts the zone, in one history of three.
  private let seal: CellSeal?

  /// Makes devices whose people have a subject that the seed decides, or what the circumstances say.
  init(
    seed: UInt64,
    devices count: Int,
    _ circumstances: Circumstances? = nil,
    _ bug: InjectedBug? = nil
  ) throws {
    self.bug = bug
    self.circumstances = circumstances
    focus = circumstances == nil ? 60 : 100
    let key = ZoneKey((0..<32).map { UInt8(truncatingIfNeeded: seed &+ $0) })
    seal = seed % 3 == 1 ? key.map { CellSeal($0, zone: Self.zone) } : nil
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-sync-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    models = try SimulatedModel.versions.prefix(seed % 4 == 2 ? 2 : 1).map { try SyncModel($0) }
    chance = Chance(seed: seed ^ 0xABCD)
    let subjects = Person.subjects
    subject = circumstances?.edits ?? subjects[Int(seed / 3 % UInt64(subjects.count))]
    try BlankFiles.ready.server.write(to: folder.appendingPathComponent("server.sqlite"))
    server = ZoneServer(try Self.storage(in: folder), era: chance.next())
    for _ in 0..<count { try join() }
  }

  deinit {
    for device in devices { try? device.close() }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs a history to its end, until all devices agree.
  static func run(
    _ turns: [Turn],
    seed: UInt64,
    devices: Int,
    _ circumstances: Circumstances? = nil,
    _ bug: InjectedBug? = nil,
    trace: ((String) -> Void)? = nil
  ) throws -> SimulatedWorld {
    let world = try SimulatedWorld(seed: seed, devices: devices, circumstances, bug)
    world.trace = trace
    for turn in turns { try world.take(turn) }
    try world.heal()
    return world
  }
}

// MARK: - Turns

extension SimulatedWorld {
  private func take(_ turn: Turn) throws {
    var chance = Chance(seed: turn.seed)
    now += UInt64(chance.number(below: 500))
    let device = devices[turn.device % devices.count]
    trace?("\(turn) at device \(device.number)")
    switch turn.kind {
    case .save: try save(at: device, &chance)
    case .synchronize: try synchronize(device)
    case .crash: try crash(device, &chance)
    case .interrupt: try interrupt(device, &chance)
    case .lose: try lose(device, &chance)
    case .clock: device.skew = Int64(chance.number(below: 1_200_000)) - 600_000
    case .backUp: try backUp(device)
    case .restore: try restore(device, storeOnly: false)
    case .restoreStore: try restore(device, storeOnly: true)
    case .backUpServer: try backUpServer()
    case .restoreServer: try restoreServer()
    case .purge: try forget(&chance)
    case .join: if devices.count < 5 { try join() }
    case .reopen: try device.reopen()
    case .purgeHistory: try purgeHistory(of: device)
    case .migrate: try device.migrate()
    }
    if turn.kind != .save { try checkPairs(at: device) }
  }

  /// Lets the server forget what all know to be deleted who are not given up.
  private func forget(_ chance: inout Chance) throws {
    let (percent, longest) = (circumstances?.givenUp ?? 40, circumstances?.longestSilence ?? 20_000)
    let silence = chance.happens(percent: percent) ? now - UInt64(chance.number(below: longest)) : 0
    if try server.purge(Self.zone, silentSince: silence) > 0 { hasForgottenSinceBackup = true }
  }

  private func join() throws {
    let number = devices.count
    let skew = Int64(chance.number(below: 1_200_000)) - 600_000
    var random = Chance(seed: chance.next())
    var world = SyncWorld(time: { 0 }, random: { random.next() })
    world.cellsPerPage = 1 + chance.number(below: 40)
    // A save is at most in one message, so that nobody sees half of it.
    world.cellsPerPush = 100
    // Some devices have memory for everything at once, others for next to nothing.
    if number % 2 == 1 { world.objectsPerPortion = 1 + number % 3 }
    let device = try SimulatedDevice(
      number,
      in: folder.appendingPathComponent("device \(number)"),
      skew: skew,
      world,
      models,
      version: chance.happens(percent: 20) ? models.count - 1 : 0
    )
    device.bug = bug
    device.world.time = { [unowned self, unowned device] in
      UInt64(Int64(now) + device.skew)
    }
    device.world.timeOfSave = { [unowned device] in device.told($0) }
    devices.append(device)
  }

  private func backUp(_ device: SimulatedDevice) throws {
    if device.isUnread, device.isPurged { return }
    backups[device.number] = device.written.count
    try device.backUp()
  }

  private func restore(_ device: SimulatedDevice, storeOnly: Bool) throws {
    guard let count = backups[device.number], device.hasBackup else { return }
    oracle.lost.formUnion(device.written[min(count, device.written.count)...])
    try device.restore(storeOnly: storeOnly)
    device.isRestored = storeOnly
  }

  private func purgeHistory(of device: SimulatedDevice) throws {
    // What was written to an older store is known from its history alone. And what has no history gets a name by
    // chance, which a device that is restored from before that does not give it again.
    if device.isRestored || device.hasBackupOfUnread { return }
    let context = device.context()
    try context.performAndWait {
      _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date() + 60))
    }
    device.isPurged = true
  }
}

// MARK: - The server's backups

extension SimulatedWorld {
  private static func storage(in folder: URL) throws -> any ZoneStorage {
    let path = folder.appendingPathComponent("server.sqlite").path
    return try SQLiteZoneStorage(path: path, isDurable: false)
  }

  /// Closes the server's file for a while.
  private func closeServer(_ work: () throws -> Void) throws {
    server = ZoneServer(NoStorage(), era: 0)
    try work()
    server = ZoneServer(try Self.storage(in: folder), era: chance.next())
  }

  private var serverBackup: URL { folder.appendingPathComponent("server backup") }

  private func backUpServer() throws {
    hasForgottenSinceBackup = false
    try closeServer {
      try? FileManager.default.removeItem(at: serverBackup)
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent("server.sqlite"),
        to: serverBackup
      )
    }
  }

  private func restoreServer() throws {
    guard FileManager.default.fileExists(atPath: serverBackup.path) else { return }
    if hasForgottenSinceBackup { oracle.mayReturnWhatWasForgotten = true }
    try closeServer {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(
          at: folder.appendingPathComponent("server.sqlite\(suffix)")
        )
      }
      try FileManager.default.copyItem(
        at: serverBackup,
        to: folder.appendingPathComponent("server.sqlite")
      )
    }
  }

  private final class NoStorage: ZoneStorage {
    func transact<Result>(
      on zone: String,
      _ work: (any ZoneTransaction) throws -> Result
    ) throws -> Result {
      throw ConnectionLost()
    }

    func zones() throws -> [String] { throw ConnectionLost() }
  }
}

// MARK: - Synchronizing

extension SimulatedWorld {
  private func send(_ request: SyncRequest) throws -> SyncResponse {
    rounds += 1
    if let answer = bug?.answer(to: request, round: rounds, at: now) { return answer }
    var response = try answer(to: request)
    if response == .refused(.resync), case .push(let push) = request, bug == .pushBeforeResync {
      response = try take(push)
    }
    bug?.spoil(&response, round: rounds)
    return try opened(response)
  }

  /// An answer whose cells can be read, as a device has it from its exchange with the zone.
  private func opened(_ response: SyncResponse) throws -> SyncResponse {
    guard let seal, case .page(var page) = response else { return response }
    page.cells = try page.cells.map { try seal.opened($0) }
    return .page(page)
  }

  private func answer(to request: SyncRequest) throws -> SyncResponse {
    // What goes over the wire is bytes.
    let bytes = (seal?.sealed(request) ?? request).bytes
    let answer = try server.answer(SyncRequest(bytes: bytes), of: Self.zone, at: now).bytes
    return try SyncResponse(bytes: answer)
  }

  /// Has the server take what it has refused, from a device that is given all changes but does not read them.
  private func take(_ push: SyncRequest.Push) throws -> SyncResponse {
    let pull = SyncRequest.Pull(
      replica: push.replica,
      after: .start,
      seen: push.seen,
      acknowledged: .start,
      isSnapshot: true,
      limit: WireLimits.cells
    )
    guard case .page(let page) = try answer(to: .pull(pull)), page.isLast else {
      return .refused(.resync)
    }
    var push = push
    push.cursor = page.next
    return try answer(to: .push(push))
  }

  private func synchronize(_ device: SimulatedDevice) throws {
    let engine = try device.running()
    try bug?.spoil(engine.sidecar)
    try engine.synchronize(send)
    device.isRestored = false
    device.isUnread = false
    device.isPurged = false
    device.untagged = []
  }

  private func crash(_ device: SimulatedDevice, _ chance: inout Chance) throws {
    var left = chance.number(below: 24)
    var own = chance
    do {
      let engine = try device.running()
      engine.world.pass = { _ in
        left -= 1
        if left < 0 { throw Crash() }
      }
      try engine.synchronize(send)
    } catch is Crash {
      trace?("  ends")
    }
    // A full disk ends what is done, and not the program.
    if own.happens(percent: 70) { device.crash() } else { device.engine?.world.pass = { _ in } }
    if own.happens(percent: 50) { try save(at: device, &own) }
  }

  private func interrupt(_ device: SimulatedDevice, _ chance: inout Chance) throws {
    var left = chance.number(below: 20)
    var own = chance
    let engine = try device.running()
    engine.world.pass = { [unowned self] moment in
      left -= 1
      guard left == 0 else { return }
      trace?("  saves at \(moment)")
      try save(at: device, &own)
    }
    defer { engine.world.pass = { _ in } }
    try engine.synchronize(send)
  }

  private func lose(_ device: SimulatedDevice, _ chance: inout Chance) throws {
    var own = chance
    do {
      try device.running().synchronize { [unowned self] request in
        if own.happens(percent: 10) { throw ConnectionLost() }
        if own.happens(percent: 20) { _ = try send(request) }
        let response = try send(request)
        if own.happens(percent: circumstances?.lostAnswers ?? 10) { throw ConnectionLost() }
        // Somebody else pushes between two pages.
        if own.happens(percent: 20), let other = own.one(of: devices), other !== device {
          try synchronize(other)
        }
        return response
      }
    } catch is ConnectionLost {
      trace?("  connection lost")
    }
  }
}

// MARK: - Healing

extension SimulatedWorld {
  private func heal() throws {
    trace?("heal")
    try join()
    for device in devices { try device.migrate() }
    for round in 0... {
      if round > 30 { throw Objection(description: "It does not come to rest.") }
      let before = rounds
      for device in devices { try synchronize(device) }
      // Each has asked once, and had nothing to say.
      if rounds == before + devices.count, try devices.allSatisfy({ try $0.running().isAtRest }) {
        break
      }
    }
    for device in devices { try checkDenials(at: device) }
    let graphs = try devices.map { try graph(of: $0) }
    guard let first = graphs.last else { return }
    for (device, graph) in zip(devices, graphs) where graph != first {
      throw Objection(
        description: "Device \(device.number) differs from a new one: \(difference(graph, first))"
      )
    }
    if let objection = oracle.objection(to: first) { throw Objection(description: objection) }
  }

  /// Nothing that somebody needs, and that cannot be deleted meanwhile, is deleted.
  private func checkDenials(at device: SimulatedDevice) throws {
    let engine = try device.running()
    // By the rules of the model, whatever the device makes of them.
    let repair = DenialRepair(engine.sidecar, models[models.count - 1].schema)
    let needed = try repair.needed(among: engine.sidecar.identities(in: .cell))
    if let id = needed.first {
      throw Objection(
        description: "\(id) is deleted at device \(device.number), although it is needed."
      )
    }
  }

  private func difference(_ one: [GraphObject], _ other: [GraphObject]) -> String {
    let here = Set(one).subtracting(other).sorted().prefix(3).map(\.line)
    let there = Set(other).subtracting(one).sorted().prefix(3).map(\.line)
    return
      "\nhere  \(here.joined(separator: "\n      "))\nthere \(there.joined(separator: "\n      "))"
  }

  private func checkPairs(at device: SimulatedDevice) throws {
    let context = device.context()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = isHalf
      guard let note = try context.fetch(request).min(by: { $0.mark < $1.mark }) else { return }
      throw Objection(description: "Device \(device.number) shows half of a save in \(note.mark).")
    }
  }
}

extension SyncEngine {
  /// Whether nothing waits, in either direction.
  fileprivate var isAtRest: Bool {
    get throws {
      try sidecar.unsentCount == 0 && sidecar.mode == .changes
        && sidecar.identities(in: .dirty).isEmpty
        && sidecar.received == sidecar.cursor
    }
  }
}

// MARK: - People

extension SimulatedWorld {
  private func save(at device: SimulatedDevice, _ chance: inout Chance) throws {
    let context = device.context()
    let count = 1 + chance.number(below: 3)
    try context.performAndWait {
      var person = Person(
        context,
        chance,
        nextText: nextText,
        subject,
        focus: focus,
        untagged: device.untagged
      )
      for _ in 0..<count { try person.edit() }
      device.noteTime()
      do {
        try context.save()
      } catch let error as CocoaError
        where (1550...1699).contains(error.code.rawValue)
        || error.code.rawValue == NSManagedObjectConstraintMergeError
      {
        // What the model forbids, nobody does.
        nextText = person.nextText
        return
      }
      nextText = person.nextText
      for note in person.notes { note(&oracle) }
      device.written += person.written
      device.untagged = person.untagged
      device.isUnread = true
      saves += 1
      trace?("  device \(device.number): \(person.deeds.joined(separator: "; "))")
    }
  }

  private func graph(of device: SimulatedDevice) throws -> [GraphObject] {
    let engine = try device.running()
    let context = device.context()
    return try context.performAndWait {
      var all: [GraphObject] = []
      for entity in device.objectModel.entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        for object in try context.fetch(request) {
          all.append(try GraphObject(object, engine.sidecar))
        }
      }
      return all.sorted()
    }
  }
}

extension GraphObject {
  init(_ object: NSManagedObject, _ sidecar: Sidecar) throws {
    func name(_ object: NSManagedObject) throws -> String {
      let address = object.objectID.address
      return try sidecar.identity(at: address).map { String($0.description.prefix(8)) } ?? "unknown"
    }
    var texts: [String: String] = [:]
    for attribute in object.entity.attributesByName.keys {
      if let value = object.value(forKey: attribute) { texts[attribute] = "\(value)" }
    }
    var ends: [String: String] = [:]
    for (relationship, description) in object.entity.relationshipsByName {
      if description.isToMany {
        let members = try object.members(named: relationship).map(name)
        ends[relationship] = (description.isOrdered ? members : members.sorted()).joined(
          separator: " "
        )
      } else if let end = object.value(forKey: relationship) as? NSManagedObject {
        ends[relationship] = try name(end)
      }
    }
    let parts = texts.merging(ends) { first, _ in first }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value)" }
    line = "\(object.entity.name ?? "?") \(try name(object)) \(parts.joined(separator: " "))"
    key = object.entity.name == "Tag" ? nil : texts["key"]
    self.texts = texts
    let tags = object.entity.relationshipsByName["tags"] == nil ? [] : object.members(named: "tags")
    self.tags = Set(tags.compactMap { $0.value(forKey: "name") as? String })
    let isLabelled = object.entity.relationshipsByName["label"] != nil
    label = isLabelled ? object.value(forKeyPath: "label.key") as? String : nil
  }
}
