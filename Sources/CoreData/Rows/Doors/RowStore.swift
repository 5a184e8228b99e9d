/// The operations on rows that every kind of store has; contexts and coordinators use this protocol alone.
///
/// Contexts read through a ``StoreView``. An ability that only some kinds have is a protocol of its own in `Abilities/`.
///
/// Called from any thread; a store sees to its own order.
package protocol RowStore: AnyObject, Sendable {
  /// The rows that match, in the plan's order and range.
  func rows(for plan: FetchPlan) throws -> [Row]
  /// How many rows match, the plan's range considered.
  func count(for plan: FetchPlan) throws -> Int
  /// The values that dictionaries are made of, in the plan's order and range.
  func records(for plan: RecordPlan) throws -> [Record]
  /// The row with that key; `nil` if it does not exist.
  func row(_ primaryKey: Int64, for plan: RowPlan) throws -> Row?
  /// The rows with those keys, in any order; those that do not exist are missing.
  func rows(_ primaryKeys: [Int64], for plan: RowPlan) throws -> [Row]
  /// The members that one owner has, in their order if they have one.
  func members(of owner: Int64, for plan: MemberPlan) throws -> [Row]
  /// The members of many owners at once; each owner's are in their order.
  func members(of owners: [Int64], for plan: MemberPlan) throws -> [MemberRow]
  /// The number of members of each owner up to which one question about several owners is faster than one about each;
  /// 0 if it never is.
  var mostMembersTogether: Int { get }
  /// Whether its author's methods want to know which context asks.
  var wantsContext: Bool { get }
  /// Begins to write; other writers wait until the transaction ends, or for the rows that it writes.
  func beginSave() throws -> any SaveTransaction
  /// Whether transactions of several threads may be open at once, because writers wait for each other's rows only.
  var admitsWritersBesideEachOther: Bool { get }
  /// Whether others than this coordinator have written since the last question.
  func hasForeignWrites() -> Bool
  /// Lets go of files; nothing is asked of the store afterwards.
  func close()
}

extension RowStore {
  package var mostMembersTogether: Int { 0 }

  package var wantsContext: Bool { false }

  package var admitsWritersBesideEachOther: Bool { false }

  package func close() {}

  package func hasForeignWrites() -> Bool { false }

  /// One question for each row: stores that can ask for many at once do.
  package func rows(_ primaryKeys: [Int64], for plan: RowPlan) throws -> [Row] {
    try primaryKeys.compactMap { try row($0, for: plan) }
  }

  /// One question for each owner: stores that can ask for many at once do.
  package func members(of owners: [Int64], for plan: MemberPlan) throws -> [MemberRow] {
    try owners.flatMap { owner in
      try members(of: owner, for: plan).map { MemberRow(owner: owner, row: $0) }
    }
  }
}
