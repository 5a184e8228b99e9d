package import CoreDataModel
import CoreDataModelChanges
import CoreDataSQL
import Foundation

extension StorePlace {
  /// Compares what a store says of itself with the type and the program's model.
  ///
  /// - Parameters:
  ///   - metadata: The store's metadata.
  ///   - layout: The program's model.
  ///   - stored: Returns the model that the store carries; called only for a store that had the program's model before.
  /// - Returns: The attributes that the store has beyond the model; none if its model is the program's, or if versions
  ///   are ignored.
  /// - Throws: 134010 for a store of another type, and 134100 for one of another model, unless it has been migrated from
  ///   the program's model and the program can go on with it.
  package func surplus(
    of metadata: [String: Any],
    beyond layout: ModelLayout,
    stored: () -> ModelSchema?
  ) throws -> StoreSurplus {
    if let found = metadata[NSStoreTypeKey] as? String, found != type {
      throw StoreFailure(.otherType(found: found, expected: type), path: path).error()
    }
    if ignoresVersions { return StoreSurplus() }
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let model = StoreMetadata.versionHashes(of: layout, in: configuration)
    let compared = StoreMetadata.hashes(hashes, in: configuration, of: layout.schema)
    guard let difference = ModelDifference(storeHashes: compared, modelHashes: model) else {
      return StoreSurplus()
    }
    guard !mayLoseUnknown, FormerModels.contain(model, in: metadata) else {
      throw StoreFailure(.otherModel(difference), path: path).error(metadata: metadata)
    }
    do {
      guard let schema = stored(),
        StoreMetadata.versionHashes(of: schema, in: configuration) == hashes
      else { throw AddedAttributes.Obstacle("the store does not contain its own model") }
      return try StoreSurplus(of: schema, beyond: layout)
    } catch let obstacle as AddedAttributes.Obstacle {
      throw StoreFailure(.newerModel(difference, obstacle.reason), path: path)
        .error(metadata: metadata)
    }
  }

  /// Compares a store that must have exactly the program's model.
  func check(_ metadata: [String: Any], against layout: ModelLayout) throws {
    _ = try surplus(of: metadata, beyond: layout) { nil }
  }
}

// MARK: - What a store has beyond a model

extension StoreSurplus {
  /// Compares the model of a store with that of a program, which has less.
  ///
  /// Throws a sentence if the program cannot use the store.
  init(of stored: ModelSchema, beyond layout: ModelLayout) throws {
    try AddedAttributes.check(in: stored, since: layout.schema)
    var plain = stored
    for index in plain.entities.indices { plain.entities[index].className = "NSManagedObject" }
    let model = NSManagedObjectModel(schema: plain).layout
    let (own, wide) = (TableMap(layout.schema), TableMap(stored))
    try Self.compare(own, with: wide)
    let entities = try layout.entities.map { entity in
      guard let whole = model[entity.name], let map = wide[entity.name] else {
        throw AddedAttributes.Obstacle("the entity \(entity.name) is missing")
      }
      let names = Set(whole.slots.prefix(whole.propertyCount).map(\.name))
        .subtracting(entity.slots.prefix(entity.propertyCount).map(\.name))
      let defaults = try DefaultValues(of: map, in: model, wide)
      let columns = names.sorted().compactMap { map.column(of: $0) }
      return OfEntity(
        filled: try columns.compactMap { column in
          try defaults[column].map {
            FilledColumn(name: column, literal: try Self.literal($0, of: column))
          }
        },
        bits: HistoryBits(entity, among: whole, besides: names)
      )
    }
    self.init(entities)
  }

  /// Returns why programs of a model cannot go on once their store is migrated, as a part of a sentence; `nil` if they
  /// can.
  package static func obstacle(
    forProgramsOf program: NSManagedObjectModel,
    after migrated: ModelSchema
  ) -> String? {
    do {
      _ = try StoreSurplus(of: migrated, beyond: program.layout)
      return nil
    } catch let obstacle as AddedAttributes.Obstacle {
      return obstacle.reason
    } catch {
      return error.localizedDescription
    }
  }

  /// Checks that the store has each table and column of the program under the name that the program gives it.
  private static func compare(_ own: TableMap, with wide: TableMap) throws {
    for entity in own.entities {
      guard let other = wide[entity.name], other.number == entity.number,
        other.tableName == entity.tableName,
        entity.properties.allSatisfy({ other.properties[$0.key] == $0.value })
      else {
        throw AddedAttributes.Obstacle("columns of \(entity.name) have other names")
      }
    }
    if own.joinTables != wide.joinTables {
      throw AddedAttributes.Obstacle("tables of relationships have other names")
    }
  }

  /// A value of a model as a literal, for statements that are kept and bind only the values of rows.
  private static func literal(_ value: SQLValue, of column: String) throws -> SQLFragment {
    let isSimple =
      switch value {
      case .null, .integer: true
      case .real(let number): number.isFinite
      // A server may be told to give backslashes a meaning.
      case .text(let text): !text.utf8.contains(0) && !text.utf8.contains(UInt8(ascii: "\\"))
      case .blob: false
      }
    guard isSimple else {
      throw AddedAttributes.Obstacle("\(column) has a default value that is not a constant of SQL")
    }
    return SQLFragment(pieces: [.text(value.description)])
  }
}
