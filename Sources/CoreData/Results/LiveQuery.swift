import Foundation

/// A request that is bound to a context, fetched at its first use, and followed from then on: the core of
/// `@FetchRequest` and `@SectionedFetchRequest`.
///
/// The results are touched on the context's queue only; values that are set elsewhere are carried there.
final class LiveQuery<Result> {
  let request: NSFetchRequest<NSManagedObject>
  /// How the next fetch divides the results into sections.
  var sectioning: ResultsRule.Sectioning
  private(set) var context: NSManagedObjectContext?
  /// The failure of the last fetch; the results stayed as they were.
  private(set) var error: (any Error)?
  /// The order in Swift's own descriptors, if it was given so.
  var swiftOrder: [SortDescriptor<Result>] = []
  private var current: LiveResults?
  private var typed = TypedObjects<Result>()

  init(
    _ request: NSFetchRequest<Result>,
    _ sectioning: ResultsRule.Sectioning,
    in context: NSManagedObjectContext?
  ) {
    self.request = request.retyped(NSManagedObject.self)
    self.sectioning = sectioning
    self.context = context
  }

  /// Leaves the context of before, if there was one; its readers are at their end.
  func attach(to context: NSManagedObjectContext) {
    current?.readers.end(with: nil)
    current = nil
    self.context = context
  }

  /// The results, fetched if they were not yet.
  var live: LiveResults {
    if let current { return current }
    let live = LiveResults(requiredContext)
    live.survivesReset = true
    current = live
    requiredContext.performAndWait { fetch(into: live) }
    return live
  }

  /// The objects in order.
  var objects: [Result] {
    let live = live
    return live.arrangement.map { typed.objects(of: $0, live.revision) } ?? []
  }

  /// Changes the request and fetches again, on the context's queue.
  private func change(_ body: (NSFetchRequest<NSManagedObject>) -> Void) {
    guard let current, let context else { return body(request) }
    context.performAndWait {
      body(request)
      fetch(into: current)
    }
  }

  var predicate: NSPredicate? {
    get { request.predicate }
    set { change { $0.predicate = newValue } }
  }

  var sortDescriptors: [NSSortDescriptor] {
    get { request.sortDescriptors ?? [] }
    set {
      swiftOrder = []
      change { $0.sortDescriptors = newValue }
    }
  }

  var swiftSortDescriptors: [SortDescriptor<Result>] {
    get { swiftOrder }
    set {
      sortDescriptors = newValue.map { NSSortDescriptor($0) }
      swiftOrder = newValue
    }
  }

  private func fetch(into live: LiveResults) {
    do {
      let typedRequest = request.retyped(Result.self)
      let layout = requiredContext.layout(for: typedRequest)
      guard request.resultType == .managedObjectResultType else {
        throw ResultsFailure.notObjects(entity: layout.name).error
      }
      let copy = request.retyped(NSManagedObject.self)
      copy.entity = layout.description
      let rule = ResultsRule(copy, of: layout, sectioning)
      if live.arrangement == nil {
        let found = try requiredContext.fetch(copy.retyped(Result.self))
        let objects = (found as? [NSManagedObject]) ?? []
        live.adopt(try Arrangement(objects, by: rule), by: rule)
      } else {
        try live.refetch(by: rule)
      }
      error = nil
    } catch {
      self.error = error
      live.readers.end(with: error)
    }
  }

  private var requiredContext: NSManagedObjectContext {
    guard let context else {
      stop(
        """
        a @FetchRequest for \(request.entityName ?? "\(Result.self)") has no context; give it one \
        with in:, or call attach(to:) before its first use
        """
      )
    }
    return context
  }
}
