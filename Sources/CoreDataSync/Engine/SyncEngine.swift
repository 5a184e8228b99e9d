import CoreData
package import CoreDataSyncCore
import Foundation

/// Keeps one store in step with a zone of a server.
///
/// ```
/// drain   the store's history ─▶ stamped cells
/// push    cells that were not confirmed ─▶ the server
/// pull    the server ─▶ pages in the inbox, until its head
/// apply   the inbox ─▶ one save of the store
/// mark    cells, cursor and identities ─▶ the sidecar
/// ```
///
/// The engine has no clock, no threads and no network of its own. Each step is on disk before the next begins, and does
/// no harm if it is repeated after the program has ended at any instruction.
///
/// Used by one thread at a time.
package final class SyncEngine {
  let door: StoreDoor
  package let sidecar: Sidecar
  let model: SyncModel
  package var world: SyncWorld
  /// The bits of this run's stamps.
  private(set) var writer: UInt64
  /// Whether all that waits is applied in one save, because a part of it was refused, or would be half of a change.
  var appliesAtOnce = false
  /// The lives that the store lacks, while waiting cells are applied.
  var lacked: LackedLives?
  /// Whether cells got other stamps already, because this device's clock was ahead.
  var hasRestamped = false
  /// The bytes of cells that go in one message, as far as is known.
  var bytesPerPush = WireLimits.portion

  /// Opens a store's sidecar, and finishes what an earlier run has begun.
  package init(
    _ door: StoreDoor,
    sidecar path: String,
    _ world: SyncWorld,
    isDurable: Bool = true,
    model: SyncModel? = nil
  ) throws {
    self.door = door
    self.world = world
    sidecar = try Sidecar(path: path, isDurable: isDurable)
    self.model = try model ?? door.model
    writer = world.random() | 1
    try open()
  }

  /// Has the stamps of this run tell whose they are.
  func beWriter(_ device: DeviceTag) { writer = device.writer(run: writer) }

  /// Brings the store and the server to the same state, as it is at this moment.
  ///
  /// `send` sends a request and returns the answer. An error that it throws ends the synchronization; the steps before
  /// it stay done, and the rest is done the next time.
  package func synchronize(_ send: (SyncRequest) throws -> SyncResponse) throws {
    hasRestamped = false
    try finishSave()
    try getAcquainted(send)
    try drain()
    try push(send)
    try fetch(send)
    try push(send)
    if try isBeginningAnew {
      // A server may have forgotten the device, or be put back, since it was asked.
      try fetch(send)
      try push(send)
    }
    try forgetOldConflicts()
  }

  private func fetch(_ send: (SyncRequest) throws -> SyncResponse) throws {
    if try pull(send) { try pull(send) }
    try correctStamps()
    try applyAll()
  }

  /// Whether all that the server has is still to be fetched, before anything is sent.
  var isBeginningAnew: Bool {
    get throws { try sidecar.mode != .changes }
  }

  /// Brings the store to the server's state, except for the changes made here, which wait.
  func follow(_ send: (SyncRequest) throws -> SyncResponse) throws {
    try finishSave()
    try getAcquainted(send)
    try drain()
    try fetch(send)
    try forgetOldConflicts()
  }
}

// MARK: - Applying until it is done

extension SyncEngine {
  /// Applies the inbox; if the program saves at the same time, its changes are read first.
  func applyAll() throws {
    lacked = nil
    defer {
      appliesAtOnce = false
      lacked = nil
    }
    var attempts = 0
    while attempts < Self.patience {
      switch try apply() {
      case .done: return
      case .more: continue
      case .again:
        attempts += 1
        lacked = nil
        try drain()
      }
    }
    throw SyncFailure.endlessChanges
  }

  static let patience = 50
}
