import CoreDataSQL

/// The keys of the rows of a batch insertion, reserved in blocks.
struct BatchKeys<Transaction: InsertingTransaction> {
  private let transaction: Transaction
  private let root: Int32
  /// The first key that was given; `nil` before that.
  private(set) var first: Int64?
  private var following: Int64 = 0
  private var end: Int64 = 0
  private var block = 64

  init(of layout: EntityLayout, in transaction: Transaction) {
    self.transaction = transaction
    root = layout.rootNumber
  }

  mutating func next() throws -> Int64 {
    if following == end {
      // The table shows the keys of written rows; reserved and unused ones are known by the end.
      following = try transaction.reserveKeys(root: root, count: block)
      end = following + Int64(block)
      block = min(block * 4, 65536)
    }
    defer { following += 1 }
    if first == nil { first = following }
    return following
  }

  /// Ends the reservation behind the last key that was given.
  func giveBack() throws {
    if following == end { return }
    try transaction.connection.run(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(.integer(following - 1)) \
      WHERE Z_ENT = \(.integer(Int64(root)))
      """
    )
  }
}
