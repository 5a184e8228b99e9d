import Foundation

/// What every kind of store can do with rows; contexts and coordinators speak to it alone.
///
/// Called from any thread; a store sees to its own order.
package protocol RowStore: AnyObject, Sendable {
  /// The rows that match, in the plan's order and range.
  func rows(for plan: FetchPlan) throws -> [Row]
  /// How many rows match, the plan's range considered.
  func count(for plan: FetchPlan) throws -> Int
  /// The row with that key; nil when there is none.
  func row(for number: Int64, of layout: EntityLayout) throws -> Row?
  /// The rows that a to-many relationship leads to, in its order if it has one.
  func members(of number: Int64, in layout: EntityLayout, at slot: Int) throws -> [Row]
  /// Begins to write; other writers wait until the transaction ends.
  func beginSave() throws -> any SaveTransaction
  /// The rows as they are now, whatever is saved later; nil where a store cannot hold a moment.
  func pinned() throws -> (any RowStore)?
  /// Whether others than this coordinator have written since the last question.
  func hasForeignWrites() -> Bool
  /// Lets go of files; nothing is asked of the store afterwards.
  func close()

  // The same questions, with the context that asks: authors of stores are told of it.
  func rows(for plan: FetchPlan, askedBy context: NSManagedObjectContext) throws -> [Row]
  func count(for plan: FetchPlan, askedBy context: NSManagedObjectContext) throws -> Int
  func row(
    for number: Int64,
    of layout: EntityLayout,
    askedBy context: NSManagedObjectContext
  ) throws -> Row?
  func members(
    of number: Int64,
    in layout: EntityLayout,
    at slot: Int,
    askedBy context: NSManagedObjectContext
  ) throws -> [Row]

  /// The values that dictionaries are made of, in the plan's order and range.
  func records(for plan: RecordPlan, askedBy context: NSManagedObjectContext) throws -> [Record]
  /// The rows with those keys, in any order; those that do not exist are missing.
  func rows(
    _ numbers: [Int64],
    of layout: EntityLayout,
    askedBy context: NSManagedObjectContext
  ) throws -> [Row]
  /// The members of many owners at once; each owner's are in their order.
  func members(
    of owners: [Int64],
    in layout: EntityLayout,
    at slot: Int,
    askedBy context: NSManagedObjectContext
  ) throws -> [MemberRow]
}

extension RowStore {
  package func close() {}

  package func hasForeignWrites() -> Bool { false }

  package func pinned() throws -> (any RowStore)? { nil }

  package func rows(
    for plan: FetchPlan,
    askedBy context: NSManagedObjectContext
  ) throws -> [Row] {
    try rows(for: plan)
  }

  package func count(
    for plan: FetchPlan,
    askedBy context: NSManagedObjectContext
  ) throws -> Int {
    try count(for: plan)
  }

  package func row(
    for number: Int64,
    of layout: EntityLayout,
    askedBy context: NSManagedObjectContext
  ) throws -> Row? {
    try row(for: number, of: layout)
  }

  package func members(
    of number: Int64,
    in layout: EntityLayout,
    at slot: Int,
    askedBy context: NSManagedObjectContext
  ) throws -> [Row] {
    try members(of: number, in: layout, at: slot)
  }

  /// One question for each row: stores that can ask for many at once do.
  package func rows(
    _ numbers: [Int64],
    of layout: EntityLayout,
    askedBy context: NSManagedObjectContext
  ) throws -> [Row] {
    try numbers.compactMap { try row(for: $0, of: layout, askedBy: context) }
  }

  /// One question for each owner: stores that can ask for many at once do.
  package func members(
    of owners: [Int64],
    in layout: EntityLayout,
    at slot: Int,
    askedBy context: NSManagedObjectContext
  ) throws -> [MemberRow] {
    try owners.flatMap { owner in
      try members(of: owner, in: layout, at: slot, askedBy: context)
        .map { MemberRow(owner: owner, row: $0) }
    }
  }
}

/// A member of a to-many relationship, and the key of the object that has it.
package struct MemberRow: Sendable {
  package let owner: Int64
  package let row: Row
}

/// One save in one store: reserve, perform, and commit or roll back.
package protocol SaveTransaction: AnyObject {
  /// Whether what is written goes into a history.
  var keepsHistory: Bool { get }
  /// Says who writes, for the history.
  func sign(_ origin: HistoryOrigin)
  /// Reserves keys that no row ever had, and gives the first.
  func reserveKeys(root: Int32, count: Int) throws -> Int64
  /// Puts data into a file beside the store, and gives the file's name; nil where it shall stand in the
  /// row. A rollback removes the file.
  func keepInFile(_ data: Data) throws -> String?
  /// Puts what the store shall say of itself beside the rows; called before `perform`.
  func setMetadata(_ metadata: [String: Any]) throws
  /// The rows that have one of these values where values must be unique.
  func rows(with values: [UniqueValues], in constraint: UniqueConstraint) throws -> [Row]
  /// The rows that have other versions than the plan expects; writes nothing.
  func conflicts(with plan: SavePlan) throws -> [RowConflict]
  /// Writes the plan. Throws ``SaveConflicts`` when rows have other versions than expected.
  func perform(_ plan: SavePlan) throws -> SaveReceipt
  func commit() throws
  /// Undoes everything since the transaction began; never fails.
  func rollback()
}

extension SaveTransaction {
  package var keepsHistory: Bool { false }
  package func sign(_ origin: HistoryOrigin) {}
  package func keepInFile(_ data: Data) throws -> String? { nil }
}

/// A transaction in a store that others have written: its author thinks in objects, not in rows.
protocol ObjectTransaction: SaveTransaction {
  /// Whether what was performed stays, whatever happens to other stores.
  var isIrrevocable: Bool { get }
  /// The keys of new objects, one for each.
  func reserveKeys(for objects: [NSManagedObject]) throws -> [Int64]
  /// Writes the plan, with the objects it speaks of; new ones have their permanent identities
  /// meanwhile.
  func perform(_ outcome: SavePlanner.Outcome) throws -> SaveReceipt
}
