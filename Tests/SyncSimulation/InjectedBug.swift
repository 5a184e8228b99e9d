import CoreData
import CoreDataSync
import CoreDataSyncCore

/// A deliberate mistake in a simulation, to see whether it is found.
///
/// Further mistakes that one might look for:
///
/// ```
/// ties that the first wins     two saves never have one stamp: each run draws its writer's bits
/// a restored device goes on    it is below what the server has forgotten, and begins again by that
/// what waits is acknowledged   a device asks only when it has sent all
/// ```
enum InjectedBug: CaseIterable {
  /// A pair that was added twice is one pair, so that removing it also removes what nobody had seen.
  case edgesWithoutDots
  /// An object that was deleted while others came to need it stays deleted.
  case noRepair
  /// Saves have the time of a device's clock, whatever was seen before.
  case wallClock
  /// Sent cells count as confirmed, although the server has not got them.
  case earlyConfirmation
  /// The place in the server's changes moves on, and the cells before it are not kept.
  case cursorFirst
  /// Changes have their numbers before they are there, so that a place moves on over some that are not there yet.
  case numbersAsCursor
  /// Each page is applied by itself, as if there were no more.
  case pageByPage
  /// A device that has to begin again merges the received cells into those that it knows.
  case resyncKeepsState
  /// A device that has to begin again sends its cells before it knows which were forgotten.
  case pushBeforeResync
  /// A device that has to begin again sends again the cells that the server has had, and may have forgotten.
  case resyncResends
  /// A device that was put back to a backup sends again what the server has had, and may have forgotten.
  case restoreResends
  /// A device that has to begin again brings back as the same object one that the server has forgotten.
  case staleUndelete
  /// A number becomes another one on the way, which all take for the written one, even its writer.
  case changedOnTheWay
  /// A value that has lost is not kept.
  case forgottenConflicts
  /// The server does not report values that a device has replaced without having seen them.
  case untoldLosses

  /// Changes an answer of the server before a device sees it.
  func spoil(_ response: inout SyncResponse, round: Int) {
    guard case .page(var page) = response else { return }
    switch self {
    case .cursorFirst: if round % 5 == 0 { page.cells = [] }
    case .numbersAsCursor: if round % 3 == 0 { page.leaveOutWhatIsLate() }
    case .pageByPage: page.isLast = true
    case .resyncResends: page.watermarks = [:]
    case .untoldLosses: page.cells.removeAll { $0.lostValue != nil }
    case .edgesWithoutDots, .noRepair, .wallClock, .earlyConfirmation, .resyncKeepsState,
      .pushBeforeResync, .restoreResends, .staleUndelete, .changedOnTheWay, .forgottenConflicts:
      break
    }
    response = .page(page)
  }

  /// Answers a request instead of the server, sometimes.
  func answer(to request: SyncRequest, round: Int, at time: UInt64) -> SyncResponse? {
    guard self == .earlyConfirmation, round % 5 == 0, case .push(let push) = request else {
      return nil
    }
    return .pushed(.init(head: push.seen, time: time))
  }

  /// Changes a request on its way to the server.
  func spoil(_ request: inout SyncRequest) {
    guard self == .changedOnTheWay, case .push(var push) = request else { return }
    for place in push.cells.indices { push.cells[place].cell.payload.becomeLarger() }
    request = .push(push)
  }

  /// Spoils what a device knows before it exchanges changes.
  func spoil(_ sidecar: Sidecar) throws {
    switch self {
    case .wallClock: try sidecar.transact { try sidecar.set(HybridClock(last: 0)) }
    case .forgottenConflicts:
      for kept in try sidecar.keptConflicts() { try sidecar.forgetConflict(kept.number) }
    case .edgesWithoutDots, .noRepair, .earlyConfirmation, .cursorFirst, .numbersAsCursor,
      .pageByPage, .resyncKeepsState, .pushBeforeResync, .resyncResends, .restoreResends,
      .staleUndelete, .changedOnTheWay, .untoldLosses:
      break
    }
  }

  /// Spoils an engine that has just been opened.
  func spoil(_ engine: SyncEngine) {
    guard self == .resyncKeepsState else { return }
    engine.world.pass = { [unowned engine] moment in
      guard moment == .beforeApply, try engine.sidecar.mode == .snapshot else { return }
      try engine.sidecar.set(.changes)
    }
  }

  func spoil(_ world: inout SyncWorld) {
    guard self == .edgesWithoutDots else { return }
    world.dot = { _ in Stamp(moment: 1, writer: 1) }
  }

  func spoil(_ model: inout SyncModel) {
    guard self == .noRepair else { return }
    for (name, rules) in model.schema.entities {
      var rules = rules
      for property in rules.references.keys { rules.references[property]?.protectsTarget = false }
      for property in rules.memberships.keys {
        rules.memberships[property]?.protectsMember = false
        rules.memberships[property]?.protectsOwner = false
      }
      model.schema.entities[name] = rules
    }
  }
}

extension SyncResponse.Page {
  /// Leaves out what the first writer has sent, where another has written behind it.
  fileprivate mutating func leaveOutWhatIsLate() {
    guard let late = cells.first?.cell.stamp.writer else { return }
    let others = cells.filter { $0.cell.stamp.writer != late }
    if !others.isEmpty { cells = others }
  }
}

extension [UInt8] {
  /// Makes a number one that wins against it.
  fileprivate mutating func becomeLarger() {
    guard case .integer(let number)? = CellValue(payload: self) else { return }
    let larger = CellValue.integer(number + (1 << 32)).payload
    if lexicographicallyPrecedes(larger) { self = larger }
  }
}
