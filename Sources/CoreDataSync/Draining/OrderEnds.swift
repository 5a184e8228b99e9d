import CoreDataSyncCore

/// The places at the ends of ordered sets, each of which is looked for once, however many members come.
struct OrderEnds {
  private struct Order: Hashable {
    let owner: SyncID
    let property: PropertyID
  }

  private var last: [Order: String] = [:]

  /// A place behind all others of an order; `find` looks for the last of those.
  mutating func next(
    in owner: SyncID,
    _ property: PropertyID,
    jitter: UInt64,
    _ find: () throws -> String?
  ) rethrows -> String {
    let order = Order(owner: owner, property: property)
    let place = Places.between(try last[order] ?? find() ?? "", "", jitter: jitter)
    last[order] = place
    return place
  }
}
