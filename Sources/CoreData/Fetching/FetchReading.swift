import CoreDataPredicates
import Foundation

/// What a fetch asks of the stores: complete before the first statement, so that it can be read on any
/// thread.
///
/// ```
/// request ─▶ FetchReading ─▶ FoundRows ─▶ objects, identities, dictionaries or a number
///  context's queue   any thread        context's queue
/// ```
struct FetchReading: Sendable {
  /// Without a range where the context has to take it, after its unsaved changes were seen.
  var plan: FetchPlan
  let stores: [NSPersistentStore]
  let form: Form

  enum Form: Sendable {
    case rows
    case records(RecordPlan)
    case count
  }

  /// What the stores have, each under its store.
  enum FoundRows: Sendable {
    case rows([(store: NSPersistentStore, rows: [Row])])
    case records([(store: NSPersistentStore, records: [Record])])
    case count(Int)
  }

  func perform() throws -> FoundRows {
    if plan.control?.isCancelled == true { throw FetchFailure.cancelled }
    do {
      let found = try read()
      if plan.control?.isCancelled == true { throw FetchFailure.cancelled }
      return found
    } catch {
      throw plan.control?.isCancelled == true ? FetchFailure.cancelled : error
    }
  }

  private func read() throws -> FoundRows {
    switch form {
    case .rows:
      return .rows(
        try stores.map { store in
          let rows = try store.rows.rows(for: plan)
          if plan.includesValues, plan.slots == nil { store.rowCache.set(rows, of: store.number) }
          return (store, rows)
        }
      )
    case .records(var records):
      records.rows.control = plan.control
      return .records(try stores.map { ($0, try $0.rows.records(for: records)) })
    case .count:
      if stores.count == 1 { return .count(try stores[0].rows.count(for: plan)) }
      var unranged = plan
      unranged.limit = nil
      unranged.offset = 0
      let count = try stores.reduce(0) { try $0 + $1.rows.count(for: unranged) } - plan.offset
      return .count(max(0, min(count, plan.limit ?? count)))
    }
  }
}
