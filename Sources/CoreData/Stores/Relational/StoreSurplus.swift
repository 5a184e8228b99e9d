package import CoreDataModel
import CoreDataModelChanges
package import CoreDataSQL
import Foundation

/// The attributes of a store that the program's model does not have, in a store that the program can use all the same.
///
/// ```
/// the program   Note: title, created
/// the store     Note: title, created, subtitle, stars = 3     ─▶ each new row gets 3 for ZSTARS
/// ```
///
/// A store may have more attributes than the model, if each is optional or has a default value and the store needs
/// nothing else of the program: no file, no computation, no place in the history of deletions. Everything else must be
/// equal: entities, relationships, constraints, the names of tables and columns.
package struct StoreSurplus: Sendable {
  /// The surplus of each entity, by its number minus one; empty if the store has no surplus.
  private var entities: [OfEntity] = []

  private struct OfEntity: Sendable {
    let filled: [FilledColumn]
    let bits: HistoryBits
  }

  package init() {}

  /// Returns the columns that a new row of an entity gets besides those of the program's model.
  package func filledColumns(of layout: EntityLayout) -> [FilledColumn] {
    entities.isEmpty ? [] : entities[Int(layout.number) - 1].filled
  }

  /// Returns the bits of an entity's properties in the store's history; `nil` if they are those of the program's model.
  func bits(of layout: EntityLayout) -> HistoryBits? {
    entities.isEmpty ? nil : entities[Int(layout.number) - 1].bits
  }
}

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
    entities = try layout.entities.map { entity in
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
      case .text(let text): !text.utf8.contains(0)
      case .blob: false
      }
    guard isSimple else {
      throw AddedAttributes.Obstacle("\(column) has a default value that only its own program can write")
    }
    return SQLFragment(pieces: [.text(value.description)])
  }
}
