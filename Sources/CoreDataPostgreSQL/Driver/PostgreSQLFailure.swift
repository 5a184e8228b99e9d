import CoreData
import Foundation

/// A failure of a store in a PostgreSQL database: the store, and the reason.
///
/// The server's own words are in the underlying error, in `NSPostgreSQLErrorDomain`.
struct PostgreSQLFailure {
  let cause: Cause
  /// The address of the store, without its password.
  let path: String

  init(_ cause: Cause, path: String) {
    self.cause = cause
    self.path = path
  }

  enum Cause {
    /// An address that is not one of a PostgreSQL server.
    case noAddress(String)
    /// A database that other programs use: the evidence, as in "has a table ZNOTE".
    case strangeDatabase(String)
    /// A schema without a store precedes, in `search_path` as the user's own, one that has a store.
    case hiddenStore(in: String, behind: String)
    /// A database without a store in the zone, and the zones that it has.
    case missingZone(String, of: [String])
    /// A text that cannot be the name of a zone.
    case noZone(String)
    /// Replicas that are not given as a list of addresses, and what is expected.
    case noReplicas(String)
    /// Unknown or contradictory words for the manner of a pooler.
    case noPooling(String)
    /// An option of a PostgreSQL store with a value that it cannot have, and what it may have.
    case badOption(String, given: String, expected: String)
    /// A name of the model that PostgreSQL would cut.
    case longName(String)
    /// A text that cannot be the name of a schema for views.
    case noViewSchema(String)
    /// A schema for views with something else in it: the evidence, as in "has a table notes already".
    case takenViewSchema(String, by: String)
    /// A schema without views of the store, which were to be removed.
    case noViews(in: String)
    /// Remote changes are wanted, but it is not possible to listen, nor to look at a history.
    case unheardChanges
    /// Nobody knows whether the changes were saved.
    case unknownOutcome(PostgreSQLError)
    case server(PostgreSQLError, PostgreSQLError.Act)
  }

  func error() -> NSError {
    var userInfo: [String: Any] = [NSFilePathErrorKey: path]
    switch cause {
    case .server(let error, _), .unknownOutcome(let error):
      userInfo[NSUnderlyingErrorKey] = NSError(error)
    case .noAddress, .strangeDatabase, .hiddenStore, .missingZone, .noZone, .noReplicas: break
    case .noPooling, .badOption, .longName, .unheardChanges: break
    case .noViewSchema, .takenViewSchema, .noViews: break
    }
    return text.error(code: code, userInfo: userInfo)
  }

  private var code: Int {
    switch cause {
    case .strangeDatabase, .missingZone: CocoaError.fileReadCorruptFile.rawValue
    case .noPooling, .badOption: NSPersistentStoreUnsupportedRequestTypeError
    case .noAddress, .longName, .unheardChanges, .hiddenStore: NSPersistentStoreOpenError
    case .noZone, .noReplicas: NSPersistentStoreOpenError
    case .noViewSchema, .takenViewSchema, .noViews: NSPersistentStoreOpenError
    case .unknownOutcome: NSPersistentStoreSaveError
    case .server(let error, let act): error.code(act)
    }
  }
}

// MARK: - Words

extension PostgreSQLFailure {
  private var text: FailureText {
    switch cause {
    case .noAddress(let given):
      FailureText(
        description: "The store has no address of a PostgreSQL server.",
        reason: "\(given) is not one.",
        suggestion: "Use a URL such as postgresql://user@host/database; several hosts with their"
          + " ports are postgresql:///database?host=a,b&port=5432,5433."
      )
    case .strangeDatabase(let sign):
      FailureText(
        description: "The database is not one of Core Data's.",
        of: path,
        "the database \(sign)",
        advice: "Name another database or schema; this one was not changed."
      )
    case .hiddenStore(let schema, let first):
      FailureText(
        description: "The store is in another schema.",
        of: path,
        "the schema \(schema) has a store, and the user's own, \(first), which comes first in search_path, has none",
        advice: .words(
          "Name the schema that is meant: ?options=-csearch_path%3D\(schema); behind a pooler,"
            + " ALTER ROLE \(first) SET search_path = \(schema)."
        )
      )
    case .missingZone(let zone, let zones):
      FailureText(
        description: "The database has no store in this zone.",
        of: path,
        zones.isEmpty
          ? "the database has no store in it"
          : "the database has no zone “\(zone)”, but \(Self.list(zones))",
        advice: zones.isEmpty
          ? "Check the address; whoever opens the store for writing makes the zone." : .nameZone
      )
    case .noZone(let zone):
      FailureText(
        description: "The zone of the store cannot be used.",
        reason:
          "\(path) was to be opened for the zone “\(zone.prefix(300))”, which is not a text of 1 to"
          + " \(PostgreSQLAddress.longestZone) bytes without U+0000.",
        suggestion: "Name the tenant by such a text, for example a UUID."
      )
    case .noReplicas(let expected):
      FailureText(
        description: "The replicas of the store cannot be used.",
        reason:
          "\(path) was to be opened with NSPostgreSQLReplicasOption, which is not \(expected).",
        suggestion: "Set an array of URLs or texts such as postgresql://replica.example.org."
      )
    case .noPooling(let given):
      FailureText(
        description: "The store cannot be opened with this kind of pooling.",
        reason: "\(path) was to be opened for pooling by \(given).",
        advice: .choosePooling
      )
    case .badOption(let name, let given, let expected):
      FailureText(
        description: "The store cannot be opened with this option.",
        reason:
          "\(path) was to be opened with \(name), whose value “\(given.prefix(100))” is not \(expected).",
        suggestion: "Give the option such a value, or leave it out."
      )
    case .noViewSchema(let given):
      FailureText(
        description: "The schema for the store's views cannot be used.",
        reason:
          "\(path) was to get views in “\(given.prefix(100))”, which is not a text of 1 to 63 bytes without U+0000, or"
          + " begins with pg_.",
        suggestion: "Name a schema such as notes_views."
      )
    case .takenViewSchema(let schema, let evidence):
      FailureText(
        description: "The schema for the store's views is not empty.",
        reason: "\(path) was to get views in the schema \(schema), which \(evidence).",
        suggestion: "Name another schema, or remove what is in this one; nothing was changed."
      )
    case .noViews(let schema):
      FailureText(
        description: "There are no views to remove.",
        reason: "\(path) has no views in the schema \(schema).",
        suggestion: "Name the schema with --schema; that of the store's tables is not meant."
      )
    case .unheardChanges:
      FailureText(
        description: "Nobody could hear of the store's remote changes.",
        reason:
          "\(path) is behind a pooler that lends connections for one transaction, on which nobody can listen,"
          + " and keeps no history that could be looked at.",
        suggestion: "Set NSPersistentHistoryTrackingKey to true, or pool by session."
      )
    case .longName(let name):
      FailureText(
        description: "The model has a name that is too long for PostgreSQL.",
        reason: "\(path): \(name) would be cut behind 63 bytes.",
        suggestion: "Give the entity or property a shorter name."
      )
    case .unknownOutcome(let error):
      FailureText(
        description: "It is not known whether the changes were saved.",
        reason:
          "\(path): the connection was lost while they were committed, and the server did not say"
          + " afterwards what became of them (\(error.message)).",
        suggestion: "Fetch the objects again when the server is there; save what is missing."
      )
    case .server(let error, let act):
      error.text(act, path: path)
    }
  }

  /// The first five of several names.
  private static func list(_ names: [String]) -> String {
    names.prefix(5).map { "“\($0)”" }.joined(separator: ", ") + (names.count > 5 ? " …" : "")
  }
}

extension MigrationFailure {
  /// Creates the failure of a migration that the server has refused.
  init(_ error: PostgreSQLError, path: String) {
    let refusal = error.isDuplicate ? nil : PostgreSQLFailure(.server(error, .opening), path: path)
    self.init(
      .server(
        refusal: refusal?.error(),
        reason: error.reason(.opening),
        advice: error.advice(.opening)
      )
    )
  }
}

extension NSError {
  /// The server's own words, under the name of what they are numbered by.
  fileprivate convenience init(_ error: PostgreSQLError) {
    self.init(
      domain: "NSPostgreSQLErrorDomain",
      code: 0,
      userInfo: [NSLocalizedDescriptionKey: error.description, "SQLSTATE": error.state]
    )
  }
}
