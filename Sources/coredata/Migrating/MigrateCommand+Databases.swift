import CoreData
import CoreDataModel
import CoreDataPostgreSQL
import Foundation

/// Migrating a PostgreSQL database: all zones, in one transaction.
extension MigrateCommand {
  func migrate(_ database: DatabaseAddress, to target: ModelSchema) throws {
    let origin = try origin(of: database)
    if origin.entityVersionHashes == target.entityVersionHashes {
      print(try result(nil, of: StoreMigration.Report(), isNeeded: false))
      return
    }
    try requireCommonEntity(origin, target)
    let migration = try refusing {
      try DatabaseMigration(
        of: database.url,
        to: NSManagedObjectModel(schema: target.withoutClasses),
        storing: target,
        options: database.options
      )
    }
    if !isRehearsal, !isAgreed {
      try ask(about: refusing { try migration.rehearse(from: origin).losses })
    }
    let start = ContinuousClock.now
    let report = try refusing {
      isRehearsal ? try migration.rehearse(from: origin) : try migration.perform(from: origin)
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    print(try result(Measures(seconds: seconds), of: report, Outlook(origin, target)))
  }

  /// The model that the tables were made for, from the database or the file that was given.
  private func origin(of database: DatabaseAddress) throws -> ModelSchema {
    let (url, options) = (database.url, database.options)
    if let source {
      let hashes = try refusing { try PostgreSQLFacts.versionHashes(at: url, options: options) }
      let fitting = try ModelFile(contentsOf: source).versions()
        .first { $0.schema.entityVersionHashes == hashes }
      if let fitting { return fitting.schema }
      throw Refusal("\(database.words) was not made with a version of \(source.relativePath)")
    }
    let found = try refusing { try PostgreSQLFacts.schema(at: url, options: options) }
    guard let found else {
      throw Refusal(
        "\(database.words) has no store in it, or no model that can be read; give it with --from"
      )
    }
    return found
  }
}
