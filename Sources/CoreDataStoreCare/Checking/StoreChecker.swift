import CoreData
package import CoreDataModel
import CoreDataSQLite
package import Foundation

/// Looks a store through, and changes nothing.
///
/// ```swift
/// let report = try StoreChecker(storeAt: url, model: nil).report()
/// for finding in report.findings { print(finding.severity, finding.place, finding.sentence) }
/// ```
///
/// ```
/// the file ─▶ SQLite's own check ─▶ metadata ─▶ model ─▶ tables ─▶ rows, one pass over each table
/// ```
///
/// A part that cannot be read is a finding; everything else is looked at nevertheless.
package struct StoreChecker {
  let url: URL
  let schema: ModelSchema?
  /// Why there is no model; nil when there is one.
  let lack: String?
  /// Whether the model was given, and not found in the file.
  let isModelGiven: Bool
  /// Entities that were derived from the tables, and whose version hashes do not confirm it; `nil` if the model was not
  /// derived.
  private(set) var guessedEntities: Set<String>?
  package var isDeep: Bool
  /// Hears what is being looked at.
  package var progress: ((CheckProgress) -> Void)?
  /// Tells on another thread, several times a second, whether the check is still wanted.
  ///
  /// A check that somebody may stop can take any time; the limit for statements does not apply to it.
  package var isWanted: (@Sendable () -> Bool)?

  /// Without a model, rows are held against the one that is in the file.
  ///
  /// `derivesModel` says whether a model is derived from the tables of a file without one. A repair must not rely on
  /// it.
  package init(
    storeAt url: URL,
    model: ModelSchema?,
    isDeep: Bool = false,
    derivesModel: Bool = false
  ) {
    self.url = url
    self.isDeep = isDeep
    isModelGiven = model != nil
    do {
      let found = try model ?? StoredModel(inStoreAt: url).schema
      let problems = found.problems.filter { $0.severity == .error }
      schema = problems.isEmpty ? found.withoutProgram : nil
      lack = problems.first.map { "the model cannot be used: \($0)" }
    } catch {
      // A model that is there and damaged is told as such.
      if derivesModel, StoredModel.isMissing(inStoreAt: url),
        let derived = try? StoredModel(inStoreAt: url, from: .tables)
      {
        schema = derived.schema
        guessedEntities = Set(derived.schema.entities.map(\.name))
          .subtracting(derived.confirmedEntities)
        lack = nil
        return
      }
      schema = nil
      let reason = (error as NSError).localizedFailureReason ?? "\(error)"
      lack = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }
  }

  /// Throws if there is no file, or if it may not be read; a `CancellationError` if the check was not wanted any more.
  package func report() throws -> CheckReport {
    let file = SQLiteFile(at: url, options: nil, isReadOnly: true)
    if let obstacle = file.obstacle { throw StoreFailure(obstacle, path: url.path).error() }
    try requireStore(in: file)
    // Before a connection is opened, for the last one that is closed may take the log away.
    let log = LogCheck(log: WriteAheadLog(besides: url)).findings
    let report = try report(on: file, log)
    // A check of a large store takes long enough: only who has found an error asks whose log it is.
    guard !report.isSound, StoreFacts.isSpoiledByLog(at: url) else { return report }
    return CheckReport([LogCheck.ofAnother], hasCheckedRows: false)
  }

  private func report(on file: SQLiteFile, _ log: [Finding]) throws -> CheckReport {
    do {
      let found = try file.reading { connection throws(SQLiteError) in
        Self.prepare(connection)
        return try whileWanted(connection) { () throws(SQLiteError) in try report(on: connection) }
      }
      guard let report = found else { throw CancellationError() }
      return CheckReport(
        report.findings + log,
        hasCheckedRows: report.hasCheckedRows,
        modelDifference: report.modelDifference,
        isPartial: report.isPartial
      )
    } catch let error as NSError where error.code == CocoaError.fileReadCorruptFile.rawValue {
      var finding = Finding(
        .error,
        .database,
        .file,
        "SQLite cannot read it: \(error.localizedFailureReason ?? "it is no database")"
      )
      // Of what does not even begin as a database nothing can be copied.
      let isDatabase = error.userInfo[NSUnderlyingErrorKey] != nil
      finding.advice = isDatabase ? DatabaseCheck.advice : nil
      return CheckReport([finding] + log, hasCheckedRows: false)
    }
  }

  /// The result of a body; `nil` if it was stopped because nobody wanted it any more.
  private func whileWanted<Result>(
    _ connection: Connection,
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    guard let isWanted else { return try body() }
    connection.limitStatements(to: nil)
    return try connection.asLongAs(isWanted, body)
  }

  /// Throws for a database that is not a store at all: there is nothing to mend in it.
  func requireStore() throws {
    try requireStore(in: SQLiteFile(at: url, options: nil, isReadOnly: true))
  }

  private func requireStore(in file: SQLiteFile) throws {
    // Whatever cannot be read here is told by the checks.
    guard let tables = try? file.reading(StoreTables.names), !StoreTables.areOfStore(tables, schema)
    else { return }
    try file.checkIsStore(tables)
  }

  static func prepare(_ connection: Connection) {
    connection.trustSchema()
    StoreFunctions.define(on: connection)
    TextFunctions.register(on: connection)
    CheckFunctions.define(on: connection)
  }
}

/// How far a check has come.
package struct CheckProgress: Sendable {
  /// Steps that are done, of all; a table is one step.
  package let done: Int
  package let total: Int
  /// The thing that is being checked.
  package let subject: String
}

extension ModelSchema {
  /// The same without what only the program has that made the store: the classes of entities, and
  /// defaults that are objects of its own.
  var withoutProgram: ModelSchema {
    var schema = self
    for entity in schema.entities.indices {
      schema.entities[entity].className = "NSManagedObject"
      for attribute in schema.entities[entity].attributes.indices {
        guard case .archived = schema.entities[entity].attributes[attribute].defaultValue else {
          continue
        }
        schema.entities[entity].attributes[attribute].defaultValue = nil
      }
    }
    return schema
  }
}
