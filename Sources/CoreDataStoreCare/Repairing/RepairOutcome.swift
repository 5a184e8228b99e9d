import CoreData
package import Foundation

/// The result of a repair.
package struct RepairOutcome: Sendable {
  /// The store as it was, in a file of its own; `nil` if none was wanted or nothing had to be done.
  package let backup: URL?
  package let before: CheckReport
  package let after: CheckReport
  /// Every step that was made, in its order; a later round may have found more to do.
  package let performed: [RepairPlan.Step]
  /// Steps that the database refused, each with its words.
  package let refused: [(step: RepairPlan.Step, reason: String)]
  /// How many objects were deleted, by their entity.
  package let deletedRows: [String: Int]
  package let lostAndFound: URL?
  package let movedFiles: [String]
  /// False when the repair would have made the store worse: then everything is as it was.
  package let wasKept: Bool
  /// Sentences about values that could be read before the repair and not after it.
  ///
  /// If there are any, the repair was taken back.
  package let losses: [String]
  /// A damaged write-ahead log as it was: a file that is opened for writing loses it.
  package internal(set) var damagedLog: URL?
  /// Whether the store keeps a history, which does not have the repair.
  package let bypassesHistory: Bool
}
