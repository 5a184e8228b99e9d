import CoreData
import CoreDataSQL

/// A repair for a finding, complete before anything is done.
///
/// Every statement finds its rows by itself, so it does nothing the second time.
package struct Remedy: Hashable, Sendable {
  /// The effect, as in "takes the key out of them".
  package let sentence: String
  let phase: Phase
  let work: Work
  /// Whether objects are lost by it: it is only done for who asked.
  package let deletesObjects: Bool

  /// Repairs are made in this order, so that each finds its preconditions met.
  enum Phase: Int, Hashable, Sendable, Comparable {
    case tables, entities, deletions, keys, inverses, pairs, orders, values, derivedValues
    case indexes, triggers, bookkeeping, history, files

    static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
  }

  enum Work: Hashable, Sendable {
    case statements([SQLFragment])
    /// The rows `t0` of an entity's table for which the condition holds, by the model's delete rules.
    case deleteRows(entity: Int, SQLFragment)
    /// The files that no row names.
    case moveOrphans
  }

  init(
    _ sentence: String,
    _ phase: Phase,
    _ statements: [SQLFragment]
  ) {
    self.init(sentence, phase, .statements(statements), deletesObjects: false)
  }

  init(_ sentence: String, _ phase: Phase, _ work: Work, deletesObjects: Bool) {
    self.sentence = sentence
    self.phase = phase
    self.work = work
    self.deletesObjects = deletesObjects
  }

  static func deletion(of entity: EntityMap, where condition: SQLFragment) -> Remedy {
    Remedy(
      "deletes them, following the delete rules (only with --delete-broken)",
      .deletions,
      .deleteRows(entity: entity.number, condition),
      deletesObjects: true
    )
  }
}
