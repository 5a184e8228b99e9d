import CoreDataModel
import Foundation

// MARK: - Values in rows

extension NSManagedObjectContext {
  /// Fetches values and returns them in rows of named columns.
  ///
  /// ```swift
  /// let request = Note.fetchRequest()
  /// request.propertiesToFetch = ["title", "stars"]
  /// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
  /// for row in try context.rows(of: request) { print(row[\.title] ?? "", row[\.stars]) }
  /// ```
  ///
  /// The request is understood as one with the result type `.dictionaryResultType`: `propertiesToFetch`,
  /// `propertiesToGroupBy`, `havingPredicate` and `returnsDistinctResults` apply, and the values are those that are
  /// stored, without the unsaved changes of the context. Costs one SQL statement for each store.
  ///
  /// Call this method on the context's queue. The rows can be used everywhere.
  ///
  /// - Parameter request: The request. Its `resultType` does not matter.
  /// - Returns: The rows, in the order of the request.
  /// - Throws: The errors of ``fetch(_:)``.
  public func rows<Object: NSManagedObject>(
    of request: NSFetchRequest<Object>
  ) throws -> ResultRows<Object> {
    checkQueue()
    let request = request.retyped(Object.self)
    request.resultType = .dictionaryResultType
    let prepared = try prepared(for: request)
    guard case .records(let plan) = prepared.form, case .records(let found) = try prepared.perform()
    else { return rows([], of: RecordPlan(request, rows: prepared.plan)) }
    return rows(found, of: plan)
  }

  /// Fetches values and decodes each row as a type.
  ///
  /// ```swift
  /// struct Line: Decodable {
  ///   let title: String
  ///   let stars: Int
  /// }
  /// let request = Note.fetchRequest()
  /// request.propertiesToFetch = ["title", "stars"]
  /// let lines = try context.values(of: request, as: Line.self)
  /// ```
  ///
  /// Costs what ``rows(of:)`` does. Call this method on the context's queue. The values can be used everywhere.
  ///
  /// - Parameters:
  ///   - request: The request. Its `resultType` does not matter.
  ///   - type: A type whose coding keys are names of columns, or a single value for a request with one column.
  ///     Columns that the type does not ask for are ignored.
  /// - Returns: The values, in the order of the request.
  /// - Throws: The errors of ``fetch(_:)``; `DecodingError` if a row cannot be decoded as the type.
  public func values<Object: NSManagedObject, Value: Decodable>(
    of request: NSFetchRequest<Object>,
    as type: Value.Type
  ) throws -> [Value] {
    try rows(of: request).map { try $0.decoded(as: type) }
  }

  /// The rows of what the stores have found.
  func rows<Object: NSManagedObject>(
    _ found: [(store: NSPersistentStore, records: [Record])],
    of plan: RecordPlan
  ) -> ResultRows<Object> {
    ResultRows(
      ResultColumns(plan),
      found.flatMap { store, records in
        plan.needsStore ? records.map { $0.complete(in: store) } : records
      }
    )
  }
}

extension RecordPlan {
  /// Whether values of a record mean something only together with their store.
  fileprivate var needsStore: Bool {
    columns.contains { column in
      switch column.form {
      case .identity: true
      case .attribute(let owner, let slot): owner.kinds[slot] == .externalData
      case .computed: false
      }
    }
  }
}

extension Record {
  /// The record with identities of objects and bytes of files.
  fileprivate func complete(in store: NSPersistentStore) -> Record {
    Record(
      values: values.map { value in
        switch value {
        case .identity(let number, let layout):
          let key = ObjectKey(store: store.number, root: layout.rootNumber, number: number)
          return .value(Immutable(NSManagedObjectID(key: key, layout: layout)))
        case .externalFile(let file):
          return store.externalData(named: file).map { .value(Immutable($0)) } ?? .nothing
        case .nothing, .integer, .real, .text, .date, .value: return value
        }
      }
    )
  }
}
