import CoreDataCSQLite
package import CoreDataSQL

// MARK: - What statements would do

extension Connection {
  /// One thing that a statement, or a trigger that it sets off, would do.
  package struct Effect: Hashable, Sendable {
    package let kind: Kind
    /// The table, or the function.
    package let subject: String
    /// The column that is read or written; empty if there is none.
    package let column: String
    /// The trigger or view that does it; nil for the statement itself.
    package let cause: String?

    package init(kind: Kind, subject: String, column: String, cause: String?) {
      self.kind = kind
      self.subject = subject
      self.column = column
      self.cause = cause
    }

    package enum Kind: Hashable, Sendable {
      case read, insert, update, delete, select, call
      /// A query that asks itself again and again, or anything else.
      case other
    }
  }

  /// The effects that statements would have if they ran, as SQLite reports them when it compiles them; none of them
  /// runs.
  ///
  /// Throws for a statement that SQLite cannot compile.
  package func effects(of statements: [SQLFragment]) throws(SQLiteError) -> Set<Effect> {
    let witness = Witness()
    sqlite3_set_authorizer(
      handle,
      { place, action, first, second, _, cause in
        guard let place else { return SQLITE_OK }
        Unmanaged<Witness>.fromOpaque(place)._withUnsafeGuaranteedRef {
          $0.note(action, first, second, cause)
        }
        return SQLITE_OK
      },
      Unmanaged.passUnretained(witness).toOpaque()
    )
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    // A statement that is kept is compiled already, and would tell nothing.
    for fragment in statements { _ = try Statement(fragment.rendered(for: .sqlite).sql, on: self) }
    return witness.effects
  }
}

private final class Witness {
  private(set) var effects: Set<Connection.Effect> = []

  func note(
    _ action: Int32,
    _ first: UnsafePointer<CChar>?,
    _ second: UnsafePointer<CChar>?,
    _ cause: UnsafePointer<CChar>?
  ) {
    let text = { (text: UnsafePointer<CChar>?) in text.map { String(cString: $0) } ?? "" }
    let kind: Connection.Effect.Kind =
      switch action {
      case SQLITE_READ: .read
      case SQLITE_INSERT: .insert
      case SQLITE_UPDATE: .update
      case SQLITE_DELETE: .delete
      case SQLITE_SELECT: .select
      case SQLITE_FUNCTION: .call
      case _: .other
      }
    effects.insert(
      Connection.Effect(
        kind: kind,
        subject: kind == .call ? text(second) : text(first),
        column: kind == .call ? "" : text(second),
        cause: cause.map { String(cString: $0) }
      )
    )
  }
}
