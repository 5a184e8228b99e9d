// MARK: - Rows from values that arrive

extension NSPersistentContainer {
  /// Inserts a row for each value of an asynchronous sequence: for all of them, or for none.
  ///
  /// ```swift
  /// struct Draft: Codable {
  ///   let title: String
  /// }
  ///
  /// func takeIn(_ lines: AsyncStream<String>, to container: NSPersistentContainer) async throws -> Int {
  ///   try await container.insert(lines.map { Draft(title: $0) }, into: "Note")
  /// }
  /// ```
  ///
  /// The values are encoded as those of ``NSBatchInsertRequest/init(entityName:values:)``, each when it has arrived. At most
  /// a few hundred of them wait in memory; the sequence is not asked for more until there is room. Others see
  /// nothing before the last value has arrived. If the sequence or a row fails, or the task is canceled, nothing
  /// remains.
  ///
  /// Other writers of the store wait until the last value has arrived: blocks of ``write(author:_:)`` for their turn, other
  /// processes until their timeout. If values arrive slowly, collect them first.
  ///
  /// Call this method from any task. It costs the statements of the batch request, in one transaction. In the meantime it
  /// occupies a separate thread, which is not one of Swift's.
  ///
  /// - Parameters:
  ///   - values: The values, whose coding keys are the names of the entity's properties.
  ///   - entityName: The name of the entity.
  ///   - author: The transaction author for the persistent history; `nil`, which is the default, for none.
  ///   - updatingExisting: Whether a value whose row exists already, by a uniqueness constraint, updates this row; `false`,
  ///     which is the default, makes it an error.
  /// - Returns: The number of rows that were inserted or updated.
  /// - Throws: The error of the sequence; the errors of `NSManagedObjectContext.execute(_:)` with such a request;
  ///   `CancellationError` if the task is canceled.
  @discardableResult
  public func insert<Values: AsyncSequence>(
    _ values: Values,
    into entityName: String,
    author: String? = nil,
    updatingExisting: Bool = false
  ) async throws -> Int where Values.Element: Encodable & Sendable {
    let arrivals = Arrivals<Values.Element>()
    async let inserted = insert(
      from: arrivals,
      into: entityName,
      author: author,
      updatingExisting: updatingExisting
    )
    var failure: (any Error)?
    do {
      for try await value in values {
        // A sequence that never looks may go on for ever.
        try Task.checkCancellation()
        guard await arrivals.add(value) else { break }
      }
      // A canceled sequence may end like a complete one.
      try Task.checkCancellation()
      arrivals.end(with: nil)
    } catch {
      failure = error
      arrivals.end(with: error)
    }
    do {
      return try await inserted
    } catch {
      // The store has made an error of its own of that of the sequence.
      throw failure ?? error
    }
  }

  private func insert<Value: Encodable & Sendable>(
    from arrivals: Arrivals<Value>,
    into entityName: String,
    author: String?,
    updatingExisting: Bool
  ) async throws -> Int {
    defer { arrivals.abandon() }
    return try await WriterTurns.ofProcess.takeIfNeeded(for: persistentStoreCoordinator) {
      let context = newBackgroundContext()
      return try await context.perform(schedule: .enqueued) {
        context.transactionAuthor = author
        context.mergePolicy =
          updatingExisting ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.error
        let next: (any Encoder) throws -> Bool = { row in
          guard let value = try arrivals.next() else { return false }
          try value.encode(to: row)
          return true
        }
        let request = NSBatchInsertRequest(entityName: entityName, beginning: { next })
        request.resultType = .count
        let result = try context.execute(request) as? NSBatchInsertResult
        return result?.result as? Int ?? 0
      }
    }
  }
}
