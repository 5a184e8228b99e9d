import CoreDataPredicates
import Foundation

/// The questions of a fetch to the stores: complete before the first statement, so that it can be read on any thread.
///
/// ```
/// request ─▶ PreparedFetch ─▶ FoundRows ─▶ objects, identities, dictionaries or a number
///  context's queue   any thread        context's queue
/// ```
struct PreparedFetch: Sendable {
  /// Without a range where the context has to take it, after its unsaved changes were seen.
  var plan: FetchPlan
  let sources: Sources
  let form: Form
  /// How often the context had given up all changes, if it has changes to be merged into the rows; `nil` if it has
  /// none.
  var changesMerged: Int?
  /// How the context sees the stores.
  private let freshness: Freshness

  init(plan: FetchPlan, sources: Sources, form: Form, context: NSManagedObjectContext) {
    self.plan = plan
    self.sources = sources
    self.form = form
    freshness = context.freshness
  }

  /// The sources that are asked.
  enum Sources: Sendable {
    case stores([NSPersistentStore])
    case parent(ParentQuestion)

    /// Whether results have to be put together.
    var areSeveral: Bool { if case .stores(let stores) = self { stores.count > 1 } else { false } }
  }

  enum Form: Sendable {
    case rows
    case records(RecordPlan)
    case count
  }

  /// Whether the stores must be asked on the context's queue, as their authors may use the context.
  var needsContextQueue: Bool {
    guard case .stores(let stores) = sources else { return false }
    return stores.contains { $0.backend is any AnsweringStore }
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
    switch sources {
    case .stores(let stores): try read(stores.compactMap(freshness.view))
    case .parent(let question):
      switch form {
      case .rows: .rows([try question.rows()])
      case .count: .count(try question.count())
      case .records: .records([])
      }
    }
  }

  private func read(_ stores: [StoreView]) throws -> FoundRows {
    switch form {
    case .rows:
      return .rows(try stores.map(rows))
    case .records(var records):
      records.source.control = plan.control
      return .records(
        try stores.map { view in
          view.notice()
          return (view.store, try view.records(for: records))
        }
      )
    case .count:
      for view in stores { view.notice() }
      if stores.count == 1 { return .count(try stores[0].count(for: plan)) }
      var unranged = plan
      unranged.limit = nil
      unranged.offset = 0
      let whole = try stores.reduce(0) { sum, store in
        try sum + store.count(for: unranged)
      }
      let count = whole - plan.offset
      return .count(max(0, min(count, plan.limit ?? count)))
    }
  }

  private func rows(of view: StoreView) throws -> PassedRows {
    view.notice()
    return PassedRows(try view.rows(for: plan), of: view.store)
  }
}
