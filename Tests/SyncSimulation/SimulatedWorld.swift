import CoreData
import CoreDataSync
import CoreDataSyncCore
import CoreDataSyncCrypto
import Foundation

/// Devices and a server, with everything that can happen between them, all of it decided by seeds.
///
/// ```
/// Turn ─▶ people save, disks are put back, clocks go wrong      here
///      ─▶ a device and the server exchange changes              +Exchanging
///      ─▶ no device shows half of a save; in the end all agree  +Checking
/// ```
final class SimulatedWorld {
  private let folder: URL
  private(set) var devices: [SimulatedDevice] = []
  let server: SimulatedServer
  private(set) var now: UInt64 = 1_700_000_000_000
  var chance: Chance
  private(set) var oracle = Oracle()
  var acknowledgements = Acknowledgements()
  private var nextText = 0
  /// How much each device had written when its backup was made.
  private var backups: [Int: Int] = [:]
  /// When that was, if it has saves which the engine had not read.
  private var unreadBackups: [Int: Int] = [:]
  private(set) var saves = 0
  var trace: ((String) -> Void)?

  /// The most frequent actions of people, and how often of a hundred times.
  private let subject: [Int]
  private let focus: Int

  let bug: InjectedBug?

  /// Whether the server lacks titles for a while, as it may lack large values; in one history of five.
  let lacksTitles: Bool
  private var losses: Chance
  var isHealing = false

  /// The peculiarities of histories that are about one thing.
  let circumstances: Circumstances?

  /// The models of the program's versions; in three histories of four there is one.
  let models: [SyncModel]

  /// A note of which a device shows half of a save.
  let isHalf = NSPredicate(
    format: "left != right OR left == nil AND right != nil OR left != nil AND right == nil"
  )

  /// Makes devices whose people have a subject that the seed decides, or what the circumstances say.
  init(
    seed: UInt64,
    devices count: Int,
    _ circumstances: Circumstances? = nil,
    _ bug: InjectedBug? = nil
  ) throws {
    self.bug = bug
    lacksTitles = bug == nil && seed % 5 == 4
    losses = Chance(seed: seed ^ 0x1057)
    self.circumstances = circumstances
    focus = circumstances?.edits == nil ? 60 : 100
    let key = ZoneKey((0..<32).map { UInt8(truncatingIfNeeded: seed &+ $0) })
    // In one history of three the zone is encrypted.
    let seal = seed % 3 == 1 ? key.map { CellSeal($0, zone: SimulatedServer.zone) } : nil
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-sync-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    models = try SimulatedModel.versions.prefix(seed % 4 == 2 ? 2 : 1).map { try SyncModel($0) }
    chance = Chance(seed: seed ^ 0xABCD)
    let subjects = Person.subjects
    subject = circumstances?.edits ?? subjects[Int(seed / 3 % UInt64(subjects.count))]
    server = try SimulatedServer(in: folder, seal, bug, &chance)
    for _ in 0..<count { try join(latest: false) }
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

// MARK: - What the server lacks

extension SimulatedWorld {
  /// Whether the server does not have just now what it is asked for; in the end everything is there again.
  func isLost() -> Bool { !isHealing && losses.happens(percent: 30) }
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
    case .clock: setClock(of: device, &chance)
    case .backUp: try backUp(device)
    case .restore: try restore(device, storeOnly: false)
    case .restoreStore: try restore(device, storeOnly: true)
    case .backUpServer: try backUpServer()
    case .restoreServer: try restoreServer()
    case .purge: try forget(&chance)
    case .join: if devices.count < 5 { try join(latest: false) }
    case .reopen: try device.reopen()
    case .purgeHistory: try purgeHistory(of: device)
    case .migrate: try device.migrate()
    }
    if turn.kind != .save { try checkPairs(at: device) }
  }

  /// Sets a clock, unless there is a backup with saves that nobody had read: read by another clock, nobody could tell when
  /// they were.
  private func setClock(of device: SimulatedDevice, _ chance: inout Chance) {
    if device.isBackupUnread { return }
    device.skew = Int64(chance.number(below: 1_200_000)) - 600_000
  }

  /// Lets the server forget what all know to be deleted who are not given up.
  private func forget(_ chance: inout Chance) throws {
    let (percent, longest) = (circumstances?.givenUp ?? 40, circumstances?.longestSilence ?? 20_000)
    let silence = chance.happens(percent: percent) ? now - UInt64(chance.number(below: longest)) : 0
    let hasForgotten = try server.purge(silentSince: silence)
    // A device that has not learned yet that the server was put back sends all that it lacks, and perhaps for this
    // reason.
    if hasForgotten, devices.contains(where: \.isBehindRestoredServer) { noteReturn() }
  }

  /// Things that everybody has forgotten may come back.
  private func noteReturn() {
    oracle.mayReturnWhatWasForgotten = true
    acknowledgements.mayReturnWhatWasForgotten = true
  }

  /// Adds a device that has nothing yet, with the program's latest version or with any.
  func join(latest: Bool) throws {
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
      version: chance.happens(percent: 20) || latest ? models.count - 1 : 0
    )
    device.bug = bug
    if let circumstances { device.history.looseness = circumstances.looseness }
    device.world.time = { [unowned self, unowned device] in
      UInt64(Int64(now) + device.skew)
    }
    device.world.timeOfSave = { [unowned device] in device.told($0) }
    devices.append(device)
  }

  private func backUp(_ device: SimulatedDevice) throws {
    if device.isUnread, device.isPurged { return }
    backups[device.number] = device.written.count
    unreadBackups[device.number] = device.isUnread ? acknowledgements.moment : nil
    try device.backUp()
  }

  private func restore(_ device: SimulatedDevice, storeOnly: Bool) throws {
    guard let count = backups[device.number], device.hasBackup else { return }
    oracle.lost.formUnion(device.written[min(count, device.written.count)...])
    try device.restore(storeOnly: storeOnly)
    acknowledgements.noteIsPutBack(device.number)
    if !storeOnly, let moment = unreadBackups[device.number] {
      acknowledgements.noteUnreadIsPutBack(device.number, madeAt: moment)
    }
    device.forgotten = device.written.count
  }

  private func backUpServer() throws {
    try server.backUp(&chance)
    acknowledgements.noteServerBackup()
  }

  private func restoreServer() throws {
    guard server.hasBackup else { return }
    if server.hasForgottenSinceBackup { noteReturn() }
    try server.restore(&chance)
    for device in devices { device.isBehindRestoredServer = true }
    acknowledgements.noteServerIsPutBack()
  }

  private func purgeHistory(of device: SimulatedDevice) throws {
    // Changes of an older store are known from its history alone. And an object without a history gets a random name,
    // which a device that is restored from before that does not give it again.
    if device.isRestored || device.hasBackupOfUnread { return }
    let context = device.context()
    try context.performAndWait {
      _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date() + 60))
    }
    device.isPurged = true
  }
}

// MARK: - People

extension SimulatedWorld {
  func save(at device: SimulatedDevice, _ chance: inout Chance) throws {
    let context = device.context()
    let count = 1 + chance.number(below: 3)
    try context.performAndWait {
      var person = Person(
        context,
        chance,
        nextText: nextText,
        subject,
        focus: focus,
        unlinked: device.unlinked,
        isHalfRead: device.mayHaveHalf
      )
      for _ in 0..<count { try person.edit() }
      device.noteTime()
      do {
        try context.save()
      } catch let error as CocoaError
        where (1550...1699).contains(error.code.rawValue)
        || error.code.rawValue == NSManagedObjectConstraintMergeError
      {
        // A person does nothing that the model forbids.
        nextText = person.nextText
        return
      }
      nextText = person.nextText
      for note in person.notes { note(&oracle) }
      device.written += person.written
      device.unlinked = person.unlinked
      device.isUnread = true
      saves += 1
      trace?("  device \(device.number): \(person.deeds.joined(separator: "; "))")
    }
  }
}
