import CoreDataModel
import Foundation
import Synchronization

/// The facts about the files of a model's stores, as far as they were asked for.
struct KnownTables {
  fileprivate var hashes: [String: Data]?
  /// For what files have, the one that was asked for last at the end.
  fileprivate var maps: [(file: FileTables, map: TableMap)] = []

  /// For how many kinds of files tables are kept: those of new ones, and of some that were migrated.
  fileprivate static let limit = 8
  /// How many tables a file may have whose map is kept: a model has hundreds, and a file may have any number.
  fileprivate static let largestFile = 10_000
}

// A program may open many stores of one model, whose tables and hashes are the same.

extension ModelLayout {
  /// The version hash of each entity, by name, computed once.
  var entityVersionHashes: [String: Data] {
    withKnownTables { known in
      if let hashes = known.hashes { return hashes }
      let hashes = schema.entityVersionHashes
      known.hashes = hashes
      return hashes
    }
  }

  /// The model's tables in a file that has these, computed once for each kind of file.
  func tables(in file: FileTables) -> TableMap {
    if file.names.count > KnownTables.largestFile { return TableMap(schema, in: file) }
    return withKnownTables { known in
      let place = known.maps.firstIndex { $0.file == file }
      let map = place.map { known.maps.remove(at: $0).map } ?? TableMap(schema, in: file)
      if known.maps.count == KnownTables.limit { known.maps.removeFirst() }
      known.maps.append((file, map))
      return map
    }
  }

  private func withKnownTables<Result>(_ body: (inout KnownTables) -> sending Result) -> Result {
    facts.withLock { facts in
      var known = facts as? KnownTables ?? KnownTables()
      defer { facts = known }
      return body(&known)
    }
  }
}
