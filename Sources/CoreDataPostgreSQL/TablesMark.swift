import CoreData
import CoreDataSQL

/// The state of a database's tables when a store was opened: another program may migrate them at any time.
///
/// ```
/// BEGIN ─▶ is z_model what it was? ─▶ the statements of the transaction      all in one trip
/// ```
///
/// If it is not, the server itself refuses, and runs nothing of the rest. The question also keeps migrations waiting
/// until the transaction ends: they lock `z_model` before all other tables.
///
/// As it goes before all that reads or writes, the question also sets what the answers depend on, whatever settings the
/// user has. That ends with the transaction: a pooler may lend the connection to another program next.
struct TablesMark: Hashable, Sendable {
  /// The statement that asks; it converts a text that is not a number, which the server notices only if there is a
  /// row.
  private let check: String

  /// - Parameters:
  ///   - text: The value of ``expression`` at that time.
  ///   - keepsDigest: Whether the table has the digest as a column. Tables of earlier versions have not, and the server
  ///     computes it for each question.
  init(_ text: String, keepsDigest: Bool) {
    let expression = Self.expression(keepsDigest ? "\(name: Self.column)" : Self.digest)
    check = """
      SELECT CAST(CASE WHEN \(expression.rendered(for: .postgreSQL).sql) = '\(text)' \
      THEN '1' ELSE '\(Self.refusal)' || z_version END AS INTEGER), \(Self.allDigits) FROM z_model
      """
  }

  /// Floating-point numbers become decimals as texts, which then have the digits that distinguish them from all
  /// others.
  private static let allDigits = "set_config('extra_float_digits', '1', true)"

  /// The expression for a mark; only letters, digits and a space.
  static let expression = expression(digest)

  private static func expression(_ digest: SQLFragment) -> SQLFragment {
    "CAST(z_version AS TEXT) || ' ' || \(digest)"
  }

  private static let digest: SQLFragment = "encode(sha256(z_plist), 'hex')"

  /// The column in which the server keeps the digest, no matter who writes the row.
  static let column = "z_digest"

  static var columnDefinition: SQLFragment {
    "\(name: column) TEXT GENERATED ALWAYS AS (\(digest)) STORED"
  }

  private static let refusal = "coredata_other_model_"

  /// Whether the server has said so, in whatever language.
  static func isRefusal(_ error: PostgreSQLError) -> Bool {
    error.state == "22P02" && error.message.contains(refusal)
  }
}

// MARK: - Asking

extension TablesMark {
  /// The question, in front of what reads or writes.
  func request(in zone: String) -> PostgreSQLRequest { PostgreSQLRequest(check, zone: zone) }

  /// Begins a transaction in which each statement sees the rows of its own time.
  func beginning(readOnly: Bool) -> String {
    "\(Self.ofEachStatement)\(readOnly ? " READ ONLY" : ""); \(check)"
  }

  /// The same, as requests of one trip with others.
  func beginning(in zone: String) -> [PostgreSQLRequest] {
    [Self.begin, request(in: zone)]
  }

  /// Begins a transaction of that kind, whatever the user's usual one is.
  static var begin: PostgreSQLRequest { PostgreSQLRequest(beginning: ofEachStatement) }

  private static let ofEachStatement = "BEGIN ISOLATION LEVEL READ COMMITTED"

  /// Begins a transaction that sees one moment, which is after the migration that it has waited for.
  ///
  /// Fails if a migration is running and `waits` is false.
  func beginningAtOneMoment(readOnly: Bool, waits: Bool = true) -> String {
    """
    BEGIN ISOLATION LEVEL REPEATABLE READ\(readOnly ? " READ ONLY" : ""); \
    LOCK TABLE z_model IN ACCESS SHARE MODE\(waits ? "" : " NOWAIT"); \(check)
    """
  }
}

extension PostgreSQLError {
  /// A state that no server gives.
  static let otherModelState = "CD005"

  static let otherModel = PostgreSQLError(
    state: otherModelState,
    message: "the tables are not those that the store was opened with"
  )
}
