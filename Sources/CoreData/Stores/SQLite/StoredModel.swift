package import CoreDataModel
import CoreDataSQLite
import Foundation

/// The model that a store's file carries.
///
/// ```swift
/// let stored = try StoredModel(inStoreAt: url)
/// let model = NSManagedObjectModel(schema: stored.schema)
/// ```
package struct StoredModel: Sendable {
  package let schema: ModelSchema
  package let source: Source

  /// Where a model was found.
  package enum Source: Hashable, Sendable {
    /// In the file's own `Z_MODELCACHE`.
    case cache
  }
}

extension StoredModel {
  /// Reads the model without changing anything.
  package init(inStoreAt url: URL) throws {
    let file = SQLiteFile(at: url, options: nil, isReadOnly: true)
    let bytes = try file.reading { connection throws(SQLiteError) in
      guard try StoreTables.names(on: connection).contains("Z_MODELCACHE") else {
        return Data?.none
      }
      let statement = try connection.statement("SELECT Z_CONTENT FROM Z_MODELCACHE")
      defer { statement.reset() }
      return try statement.step() ? Data(statement.blobBytes(0)) : nil
    }
    guard let bytes else {
      throw StoreFailure(.notAStore("has no model in it"), path: url.path).error()
    }
    do {
      self.init(schema: try ModelCache.decode(bytes), source: .cache)
    } catch {
      throw StoreFailure(.notAStore("has a model that cannot be read: \(error)"), path: url.path)
        .error()
    }
  }
}
