import CoreData

extension Library {
  /// Does something that can be undone, and gives the token to undo it with.
  ///
  /// `texts` are notes whose text it is about; others whose text it changes are found.
  func act<Result: Sendable>(
    by author: String?,
    texts: [UUID] = [],
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> (result: Result, undo: String) {
    let (controller, acts, outlines, now) = (controller, acts, outlines, now())
    // In the writing context's queue: nothing else is written at the same time.
    return try await writing.perform {
      let act = Act(controller.container.newBackgroundContext())
      let result = try act.perform(by: author, texts: texts, block)
      outlines.forget()
      return (result, acts.keep(act, at: now))
    }
  }

  /// Undoes an act, and gives the token that does it again.
  ///
  /// Throws ``LibraryProblem/expired(_:)`` for a token that is not good any more. If the store
  /// cannot be written at the moment, the token stays good.
  public func undo(_ token: String, by author: String?) async throws -> String {
    let (acts, outlines, now) = (acts, outlines, now())
    return try await writing.perform {
      let act = try acts.take(token, at: now)
      do {
        try act.turn(by: author)
      } catch let error as CocoaError {
        acts.putBack(act, as: token, at: now)
        throw error
      }
      outlines.forget()
      return acts.keep(act, at: now)
    }
  }
}
