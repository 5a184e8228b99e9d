package import CoreDataModel

/// How a data model becomes tables: every entity's number, table and columns, found by name.
///
///     Note (2) ── title ──▶ ZNOTE.ZTITLE
///        │ folder ────────▶ ZNOTE.ZFOLDER        the key of a ZFOLDER row
///        └ tags ──────────▶ Z_2TAGS              pairs of Z_2NOTES and Z_3TAGS
///
/// The names and their order are those that Apple's Core Data writes, so that a file can go there
/// and come back. A table map is computed once from a model, knows neither connections nor
/// objects, and is the only place that knows what a column is called.
package struct TableMap: Hashable, Sendable {
  /// The entities; the one with number 1 comes first.
  package let entities: [EntityMap]
  /// One table for each root entity, in the order of their numbers.
  package let tables: [Table]
  /// The tables of many-to-many relationships, in the order of their masters' numbers.
  package let joinTables: [JoinTable]
  private let numbers: [String: Int]

  /// Lays out `schema`.
  ///
  /// `file` has the tables of an existing file. It decides what a model alone cannot: the names of its tables of
  /// pairs and of their columns.
  package init(_ schema: ModelSchema, in file: FileTables) {
    let forest = EntityForest(schema)
    let joins = JoinPlan(forest, in: file)
    let columns = ColumnPlan(forest)
    entities = EntityMap.all(in: forest, columns: columns, joins: joins)
    joinTables = joins.tables
    tables = Table.all(in: forest, columns: columns, entities: entities, joins: joins.tables)
    numbers = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0.number) })
  }

  /// Lays out `schema` for a file of which no more is known than what tables it has.
  package init(_ schema: ModelSchema, existingTables: Set<String> = []) {
    self.init(schema, in: FileTables(names: existingTables))
  }

  /// Tables that are what they are, for queries alone.
  init(entities: [EntityMap]) {
    self.entities = entities
    tables = []
    joinTables = []
    numbers = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0.number) })
  }

  /// The entity that rows call `number` in `Z_ENT`; nil for numbers that are not the model's.
  package subscript(number number: Int) -> EntityMap? {
    entities.indices.contains(number - 1) ? entities[number - 1] : nil
  }

  package subscript(name: String) -> EntityMap? {
    numbers[name].map { entities[$0 - 1] }
  }
}
