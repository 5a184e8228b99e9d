// MARK: - Queries in SQL

extension NSManagedObjectContext {
  /// Runs a query in SQL and returns the objects that it finds.
  ///
  /// ```swift
  /// let query: SQLQuery = """
  ///   WITH ranked AS (
  ///     SELECT \(\Note.objectID) AS key,
  ///       ROW_NUMBER() OVER (PARTITION BY \(\Note.folder) ORDER BY \(\Note.stars) DESC) AS place
  ///     FROM \(Note.self)
  ///   )
  ///   SELECT \(objects: Note.self) FROM \(Note.self) JOIN ranked ON key = \(\Note.objectID)
  ///   WHERE place = 1
  ///   """
  /// let best = try context.objects(of: query, as: Note.self)
  /// ```
  ///
  /// The query begins with `SELECT \(objects: Note.self)`, and may have more columns behind that. It costs one
  /// statement, and the objects have their values. A query that selects the key `\(\Note.objectID)` alone
  /// costs one more for the objects whose rows are not in the cache. So does one whose `SELECT` does not name the
  /// table `\(Note.self)` itself, or that is a `UNION`: an object has the values that are stored, whatever a
  /// subquery gives under the name of its table.
  ///
  /// An object that the context knows is returned as the same instance. If a query returns a row several times, so does
  /// the result. The query sees what is stored, at the moment to which the context is pinned, and not the
  /// unsaved changes of this context or its parents. Objects that are deleted in this context are left out.
  ///
  /// The statement is compiled before it runs, and only reads: anything else is refused.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - type: The class of the objects, which one entity of the model has.
  ///   - store: The store to ask; `nil`, which is the default, for the one that has the entities of the query.
  /// - Returns: The objects, in the order of the query.
  /// - Throws: 134091 if the model does not have an entity or property of the query, if the database does not know a
  ///   name or finds another mistake, if the query would change anything or has several statements, or if the
  ///   store does not have a database; otherwise the error of a store that cannot be read.
  public func objects<Object: NSManagedObject>(
    of query: SQLQuery,
    as type: Object.Type,
    in store: NSPersistentStore? = nil
  ) throws -> [Object] {
    checkQueue()
    processPendingChanges()
    followRenamings()
    let layout = try naming { () throws(SQLQueryFailure) in try model.layout(of: .type(type)) }
    let (asked, view) = try queried(by: query, in: store)
    noteReadingOfRows()
    view.notice()
    let rows = try view.objects(of: query, as: layout)
    let found = parent == nil ? objects(for: rows, in: asked) : faults(for: rows, in: asked)
    return found.compactMap { $0.willBeDeleted ? nil : $0 as? Object }
  }

  /// Runs a query in SQL and returns what it gives as values.
  ///
  /// ```swift
  /// struct Shelf: Decodable {
  ///   let name: String
  ///   let notes: Int
  /// }
  /// let query: SQLQuery = """
  ///   SELECT \(\Folder.name), COUNT(*) AS notes
  ///   FROM \(Note.self) JOIN \(Folder.self) ON \(\Note.folder) = \(\Folder.objectID)
  ///   GROUP BY \(\Folder.objectID)
  ///   """
  /// let shelves = try context.values(of: query, as: Shelf.self)
  /// ```
  ///
  /// A column has the name behind its `AS`, or that of its property. Columns that the type does not ask for are
  /// ignored. `NULL` is `nil`. A `Date` is read from seconds since 1 January 2001, a `UUID` from bytes or text, a
  /// `Bool` from a number. A type with a single value, such as `Int`, is read from a query with one column.
  ///
  /// Costs one statement, which sees what is stored; see ``objects(of:as:in:)``.
  ///
  /// Call this method on the context's queue. The values can be used everywhere.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - type: The type of a row.
  ///   - store: The store to ask; `nil`, which is the default, for the one that has the entities of the query.
  /// - Returns: The rows, in the order of the query.
  /// - Throws: The errors of ``objects(of:as:in:)``; `DecodingError` if a row cannot be decoded as the type.
  public func values<Value: Decodable>(
    of query: SQLQuery,
    as type: Value.Type,
    in store: NSPersistentStore? = nil
  ) throws -> [Value] {
    checkQueue()
    let answer = try queried(by: query, in: store).view.answer(to: query)
    let columns = SQLColumns(answer.columns)
    return try answer.rows.map { try Value(from: SQLRowDecoder(columns, $0)) }
  }

  /// Compiles a query in SQL, and returns how the database would find its rows.
  ///
  /// Nothing of the query runs.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - store: The store to ask; `nil`, which is the default, for the one that has the entities of the query.
  /// - Returns: The statement, the database's plan, and what would make it faster.
  /// - Throws: The errors of ``objects(of:as:in:)``.
  public func explain(
    _ query: SQLQuery,
    in store: NSPersistentStore? = nil
  ) throws -> SQLQueryPlan {
    checkQueue()
    return SQLQueryPlan(try queried(by: query, in: store).view.explanation(of: query))
  }
}

// MARK: - The answering store

extension NSManagedObjectContext {
  /// The store that answers a query, as this context sees it.
  private func queried(
    by query: SQLQuery,
    in wanted: NSPersistentStore?
  ) throws -> (store: NSPersistentStore, view: StoreView) {
    let entities = try naming { () throws(SQLQueryFailure) in try query.entities(in: model) }
    let stores = wanted.map { [$0] } ?? requiredCoordinator.persistentStores
    let able = stores.filter { store in entities.allSatisfy(store.holds) }
    guard let store = able.first, let view = try view(of: store) else {
      throw SQLQueryFailure(.noStore(entities: entities.map(\.name))).error
    }
    if able.count > 1 {
      throw SQLQueryFailure(.severalStores(able.map(\.shownPath))).error
    }
    return (store, view)
  }

  private func naming<Result>(
    _ body: () throws(SQLQueryFailure) -> Result
  ) throws -> Result {
    do throws(SQLQueryFailure) {
      return try body()
    } catch {
      throw error.error
    }
  }

  /// The objects of a child, whose values come from its parent.
  private func faults(for rows: [Row], in store: NSPersistentStore) -> [NSManagedObject] {
    zip(PassedRows(rows, of: store).keys, rows).map { key, row in object(for: key, of: row.layout) }
  }
}

// MARK: - What the store says

extension StoreView {
  private func queried() throws -> any QueriedStore {
    if let store = backend as? any QueriedStore { return store }
    throw SQLQueryFailure(.otherStore(type: store.type, path: store.shownPath)).error
  }

  func answer(to query: SQLQuery) throws -> SQLAnswer { try queried().answer(to: query) }

  func explanation(of query: SQLQuery) throws -> QueryExplanation {
    try queried().explanation(of: query)
  }

  /// The rows that a query gives; if it gives keys alone, their rows come from the cache and by one more statement.
  func objects(of query: SQLQuery, as layout: EntityLayout) throws -> [Row] {
    let (epoch, start) = (cache.epoch, cache.now)
    let found = try queried().objects(of: query, as: layout)
    guard let first = found.first, first.snapshot == nil else {
      cache.set(found, of: store.number, readIn: epoch, since: start)
      return found
    }
    var rows: [Int64: Row] = [:]
    for number in Set(found.map(\.primaryKey)) {
      let key = ObjectKey(store: store.number, root: layout.rootNumber, number: number)
      guard let cached = cache[key], let snapshot = cached.snapshot else { continue }
      rows[number] = Row(primaryKey: number, layout: cached.layout, snapshot: snapshot)
    }
    let missing = Set(found.map(\.primaryKey)).subtracting(rows.keys).sorted()
    if !missing.isEmpty {
      for row in try self.rows(missing, for: RowPlan(layout)) {
        rows[row.primaryKey] = row
      }
    }
    return try found.enumerated().map { place, row in
      guard let whole = rows[row.primaryKey], whole.layout.isKind(of: layout) else {
        throw SQLQueryFailure(.noKey(entity: layout.name, row: place)).error
      }
      return whole
    }
  }
}
