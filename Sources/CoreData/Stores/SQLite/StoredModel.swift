package import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The model that a store's file carries, or that is guessed from its tables.
///
/// ```swift
/// let stored = try StoredModel(inStoreAt: url)                 // the model in Z_MODELCACHE
/// let told = try StoredModel(inStoreAt: url, from: .tables)    // the model guessed from the tables
/// let model = NSManagedObjectModel(schema: stored.schema)
/// ```
package struct StoredModel: Sendable {
  package let schema: ModelSchema
  package let source: Source
  /// The names of the entities whose version hashes are those of the store's metadata: of these names,
  /// types and relationships are as the store was made, of others they may be guesses.
  package let confirmedEntities: Set<String>

  /// Where a model was found.
  package enum Source: Hashable, Sendable {
    /// In the file's own `Z_MODELCACHE`.
    case cache
    /// Nowhere: it was put together from tables, indexes and values.
    case tables
  }

  /// The places to look for a model.
  package enum Choice: Hashable, Sendable, CaseIterable {
    case cache
    case tables
    /// In the cache, or in the tables if the cache is missing or damaged.
    case best
  }
}

extension StoredModel {
  /// Reads the model without changing anything.
  ///
  /// Throws 259 if it is missing, or cannot be read: the sentence says which, and what may help.
  package init(inStoreAt url: URL, from choice: Choice = .cache) throws {
    let file = SQLiteFile(at: url, options: nil, isReadOnly: true)
    switch choice {
    case .cache: try self.init(cacheOf: file)
    case .tables: try self.init(tablesOf: file)
    case .best:
      do {
        try self.init(cacheOf: file)
      } catch let error as NSError where error.code == CocoaError.fileReadCorruptFile.rawValue {
        try self.init(tablesOf: file)
      }
    }
  }
}

extension StoredModel {
  /// Whether a store lacks a model, so that it is not even a damaged one.
  package static func isMissing(inStoreAt url: URL) -> Bool {
    let file = SQLiteFile(at: url, options: nil, isReadOnly: true)
    // A file that cannot be read says why when its tables are.
    let isMissing = try? file.reading { connection throws(SQLiteError) in
      guard try StoreTables.names(on: connection).contains("Z_MODELCACHE") else { return true }
      return try content(on: connection) == nil
    }
    return isMissing ?? false
  }
}

extension SQLiteFile {
  /// The model in the file; `nil` if it is missing or cannot be read.
  var storedModel: ModelSchema? {
    // A store without a model that can be read is one whose model was not found.
    place.url.flatMap { try? StoredModel(inStoreAt: $0).schema }
  }
}

// MARK: - The cache

extension StoredModel {
  private init(cacheOf file: SQLiteFile) throws {
    let found = try file.reading { connection throws(SQLiteError) in
      let tables = try StoreTables.names(on: connection)
      let content = try tables.contains("Z_MODELCACHE") ? Self.content(on: connection) : nil
      return (tables: tables, content: content, hashes: try Self.hashes(on: connection, tables))
    }
    try file.checkIsStore(found.tables)
    guard let bytes = found.content else {
      throw StoreFailure(.noModel, path: file.path).error()
    }
    do {
      let schema = try Self.schema(in: bytes)
      let hashes = schema.entityVersionHashes
      self.schema = schema.withoutArchivedDefaults
      source = .cache
      confirmedEntities = Set(hashes.keys.filter { hashes[$0] == found.hashes[$0] })
    } catch {
      throw StoreFailure(.damagedModel("\(error)"), path: file.path).error()
    }
  }

  /// The model in the bytes of a cache.
  private static func schema(in bytes: Data) throws -> ModelSchema {
    let schema = try ModelCache.decode(bytes)
    // Damaged bytes may still unfold into something; no model that was ever used has problems.
    let problems = schema.problems + schema.formatProblems
    if let problem = problems.first(where: { $0.severity == .error }) {
      throw ArchiveError("\(problem)")
    }
    return schema
  }

  /// The model in the bytes of a cache, which may come from anywhere; `nil` if they are damaged.
  package static func schema(inCache bytes: Data) -> ModelSchema? {
    // A model that cannot be read is one that was not found.
    (try? schema(in: bytes))?.withoutArchivedDefaults
  }

  private static func content(on connection: Connection) throws(SQLiteError) -> Data? {
    let statement = try connection.statement("SELECT Z_CONTENT FROM Z_MODELCACHE")
    defer { statement.reset() }
    return try statement.step() ? Data(statement.blobBytes(0)) : nil
  }

  private static func hashes(
    on connection: Connection,
    _ tables: Set<String>
  ) throws(SQLiteError) -> [String: Data] {
    guard tables.contains("Z_METADATA") else { return [:] }
    let statement = try connection.statement("SELECT Z_PLIST FROM Z_METADATA")
    defer { statement.reset() }
    guard try statement.step() else { return [:] }
    let metadata = StoreMetadata.dictionary(from: Data(statement.blobBytes(0)))
    return metadata?[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
  }
}

extension ModelSchema {
  /// The same model without defaults that are archives of objects.
  ///
  /// A program trusts its own model to make objects of any class. A file may come from anywhere.
  fileprivate var withoutArchivedDefaults: ModelSchema {
    var schema = self
    for entity in schema.entities.indices {
      for attribute in schema.entities[entity].attributes.indices {
        if case .archived = schema.entities[entity].attributes[attribute].defaultValue {
          schema.entities[entity].attributes[attribute].defaultValue = nil
        }
      }
    }
    return schema
  }
}

// MARK: - The tables

extension StoredModel {
  private init(tablesOf file: SQLiteFile) throws {
    try file.checkIsStore(file.reading(StoreTables.names))
    let facts = try file.reading { connection throws(SQLiteError) in
      try TableFacts(on: connection)
    }
    do {
      let (schema, confirmed) = try ModelFromTables(facts).fitted()
      self.schema = schema.withKnownTransformers
      source = .tables
      confirmedEntities = confirmed
    } catch {
      throw StoreFailure(.notAStore(error.lack), path: file.path).error()
    }
  }
}
