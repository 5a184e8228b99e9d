import CoreData
import CoreDataSync
import CoreDataSyncCore

/// Something that is done wrong in a simulation, to see whether that is found.
enum InjectedBug: CaseIterable {
  /// A pair that was added twice is one pair, so that removing it also removes what nobody had seen.
  case edgesWithoutDots
  /// What was deleted while others came to need it stays deleted.
  case noRepair
  /// Saves have the time of a device's clock, whatever was seen before.
  case wallClock
  /// What is sent counts as confirmed, although the server has not got it.
  case earlyConfirmation
  /// The place in the server's changes moves on, and what was there is not kept.
  case cursorFirst
  /// Each page is applied by itself, as if there were no more.
  case pageByPage

  /// The edits of people to whom it shows, and none that hide it: a pair whose tag was renamed proves nothing.
  var subject: [Int] {
    switch self {
    case .edgesWithoutDots: [0, 2, 14, 14, 14, 17, 17]
    case .noRepair: [0, 2, 20, 20, 28, 29]
    case .wallClock, .earlyConfirmation, .cursorFirst, .pageByPage: []
    }
  }

  /// What happens in the histories in which it is looked for: nothing that would hide it.
  static let quiet: Set<Turn.Kind> = Set(Turn.Kind.allCases).subtracting([
    .save, .synchronize, .join,
  ])

  /// Answers a request instead of the server, sometimes.
  func answer(to request: SyncRequest, round: Int, at time: UInt64) -> SyncResponse? {
    guard self == .earlyConfirmation, round % 5 == 0, case .push(let push) = request else {
      return nil
    }
    return .pushed(.init(head: push.seen, time: time))
  }

  func spoil(_ response: inout SyncResponse, round: Int) {
    guard case .page(var page) = response else { return }
    switch self {
    case .cursorFirst: if round % 5 == 0 { page.cells = [] }
    case .pageByPage: page.isLast = true
    case .edgesWithoutDots, .noRepair, .wallClock, .earlyConfirmation: break
    }
    response = .page(page)
  }

  /// Spoils what a device knows before it exchanges changes.
  func spoil(_ sidecar: Sidecar) throws {
    guard self == .wallClock else { return }
    try sidecar.transact { try sidecar.set(HybridClock(last: 0)) }
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
