import CoreDataModel
package import CoreDataSQL

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
  /// The surplus of each entity, by its number minus one; empty if the models are equal.
  private let entities: [OfEntity]

  /// The columns that each new row of an entity gets, and the bits of its properties in the history.
  struct OfEntity: Sendable {
    let filled: [FilledColumn]
    let bits: HistoryBits
  }

  init(_ entities: [OfEntity] = []) {
    self.entities = entities
  }

  /// Returns the columns that a new row of an entity gets besides those of the program's model.
  package func filledColumns(of layout: EntityLayout) -> [FilledColumn] {
    entities.isEmpty ? [] : entities[Int(layout.number) - 1].filled
  }

  /// Returns the bits of an entity's properties in the store's history; `nil` if they are those of the program's model.
  func bits(of layout: EntityLayout) -> HistoryBits? {
    entities.isEmpty ? nil : entities[Int(layout.number) - 1].bits
  }
}
