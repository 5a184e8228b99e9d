import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncServer
import Foundation

/// The server of a simulated history: a zone in a file, which is backed up and put back.
///
/// ```
/// request ─▶ sealed ─▶ bytes ─▶ ZoneServer ─▶ bytes ─▶ opened ─▶ response
///                               server.sqlite ◀─▶ server backup
/// ```
final class SimulatedServer {
  private let folder: URL
  private var server: ZoneServer
  /// Encrypts the zone.
  private let seal: CellSeal?
  private let bug: InjectedBug?
  /// Whether something was forgotten since the backup was made.
  private(set) var hasForgottenSinceBackup = false
  /// How many requests there were.
  private(set) var rounds = 0

  static let zone = "notes"

  /// Makes a server whose file is in a folder.
  init(
    in folder: URL,
    _ seal: CellSeal?,
    _ bug: InjectedBug?,
    _ chance: inout Chance
  ) throws {
    self.folder = folder
    self.seal = seal
    self.bug = bug
    try BlankFiles.ready.server.write(to: Self.file(in: folder))
    server = ZoneServer(try Self.storage(in: folder), era: chance.next())
  }

  /// Forgets what all know to be deleted who have asked since then; gives the others up.
  ///
  /// - Returns: Whether there was any such thing.
  func purge(silentSince time: UInt64) throws -> Bool {
    guard try server.purge(Self.zone, silentSince: time) > 0 else { return false }
    hasForgottenSinceBackup = true
    return true
  }
}

// MARK: - Answering

extension SimulatedServer {
  /// Answers as a device has it from its exchange with the zone: with cells that it can read.
  func send(_ request: SyncRequest, at now: UInt64) throws -> SyncResponse {
    rounds += 1
    var request = request
    bug?.spoil(&request)
    if let answer = bug?.answer(to: request, round: rounds, at: now) { return answer }
    var response = try answer(to: request, at: now)
    if response == .refused(.resync), case .push(let push) = request, bug == .pushBeforeResync {
      response = try take(push, at: now)
    }
    bug?.spoil(&response, round: rounds)
    return try opened(response)
  }

  private func opened(_ response: SyncResponse) throws -> SyncResponse {
    guard let seal, case .page(var page) = response else { return response }
    page.cells = try page.cells.map { try seal.opened($0) }
    return .page(page)
  }

  private func answer(to request: SyncRequest, at now: UInt64) throws -> SyncResponse {
    // Bytes go over the wire.
    let bytes = (seal?.sealed(request) ?? request).bytes
    let answer = try server.answer(SyncRequest(bytes: bytes), of: Self.zone, at: now).bytes
    return try SyncResponse(bytes: answer)
  }

  /// Takes what was refused, from a device that is given all changes but does not read them.
  private func take(_ push: SyncRequest.Push, at now: UInt64) throws -> SyncResponse {
    let pull = SyncRequest.Pull(
      replica: push.replica,
      after: .start,
      seen: push.seen,
      acknowledged: .start,
      isSnapshot: true,
      limit: WireLimits.cells
    )
    guard case .page(let page) = try answer(to: .pull(pull), at: now), page.isLast else {
      return .refused(.resync)
    }
    var push = push
    push.cursor = page.next
    return try answer(to: .push(push), at: now)
  }
}

// MARK: - Backups

extension SimulatedServer {
  private static func file(in folder: URL) -> URL {
    folder.appendingPathComponent("server.sqlite")
  }

  private var file: URL { Self.file(in: folder) }

  private var backup: URL { folder.appendingPathComponent("server backup") }

  var hasBackup: Bool { FileManager.default.fileExists(atPath: backup.path) }

  func backUp(_ chance: inout Chance) throws {
    hasForgottenSinceBackup = false
    try closed(&chance) {
      try? FileManager.default.removeItem(at: backup)
      try FileManager.default.copyItem(at: file, to: backup)
    }
  }

  func restore(_ chance: inout Chance) throws {
    try closed(&chance) {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file.path + suffix)
      }
      try FileManager.default.copyItem(at: backup, to: file)
    }
  }

  private static func storage(in folder: URL) throws -> any ZoneStorage {
    try SQLiteZoneStorage(path: file(in: folder).path, isDurable: false)
  }

  /// Closes the file for a while.
  private func closed(_ chance: inout Chance, _ work: () throws -> Void) throws {
    server = ZoneServer(NoStorage(), era: 0)
    try work()
    server = ZoneServer(try Self.storage(in: folder), era: chance.next())
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
