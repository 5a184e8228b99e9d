import CoreData
package import CoreDataModel
import Foundation

/// The basis of the tables of a salvaged store.
///
/// ```
/// the model that was given    with --model
/// the model in the file       if it is that of the metadata
/// the file                    its own tables, if its model is damaged or belongs to another store
/// ```
package enum SalvageBasis: Hashable, Sendable {
  case given(ModelSchema)
  case stored(ModelSchema)
  /// The file's own statements, and why.
  case file(String)

  package var schema: ModelSchema? {
    switch self {
    case .given(let schema), .stored(let schema): schema
    case .file: nil
    }
  }
}

extension SalvageBasis {
  /// Throws for a model that was given and is not the store's: its numbers of entities would make
  /// every row something else.
  init(_ given: ModelSchema?, for old: DamagedDatabase, at source: URL) throws {
    if let given {
      if let problem = given.problems.first(where: { $0.severity == .error }) {
        let reason = "the model cannot be used: \(problem)"
        throw RepairFailure(.noModel(reason), path: source.path).error
      }
      if let difference = Self.difference(of: given, from: old) {
        throw RepairFailure(.otherModel(difference), path: source.path).error
      }
      self = .given(given)
      return
    }
    do {
      let found = try old.model()
      if let problem = found.problems.first(where: { $0.severity == .error }) {
        self = .file("the model in it cannot be used: \(problem)")
      } else if let difference = Self.difference(of: found, from: old) {
        self = .file("the model in it is not the one of its metadata: \(difference)")
      } else {
        self = .stored(found)
      }
    } catch {
      // The exact damage of its bytes would help nobody.
      self = .file("it has no model that can be read")
    }
  }

  /// A store may hold a part of the model only.
  private static func difference(of schema: ModelSchema, from old: DamagedDatabase) -> String? {
    let stored = old.hashes
    if stored.isEmpty { return nil }
    let hashes = schema.entityVersionHashes.filter { stored[$0.key] != nil }
    let difference = ModelDifference(storeHashes: stored, modelHashes: hashes)
    return difference?.words
  }
}
