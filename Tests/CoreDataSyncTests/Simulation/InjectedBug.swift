import CoreData
import CoreDataSyncCore

@testable import CoreDataSync

/// Something that a device does wrong in a simulation, to see whether that is found.
enum InjectedBug: CaseIterable {
  /// A pair that was added twice is one pair, so that removing it also removes what nobody had seen.
  case edgesWithoutDots
  /// What was deleted while others came to need it stays deleted.
  case noRepair

  /// The edits of people to whom it shows, and none that hide it: a pair whose tag was renamed proves nothing.
  var subject: [Int] {
    switch self {
    case .edgesWithoutDots: [0, 2, 14, 14, 14, 17, 17]
    case .noRepair: [0, 2, 20, 20, 28, 29]
    }
  }

  /// What happens in the histories in which it is looked for: nothing that would hide it.
  static let quiet: Set<Turn.Kind> = Set(Turn.Kind.allCases).subtracting([
    .save, .synchronize, .join,
  ])

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
