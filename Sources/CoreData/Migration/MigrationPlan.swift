package import CoreDataModel

/// The plan of a lightweight migration of one file: complete before the first row is touched.
package struct MigrationPlan: Sendable {
  package let source: ModelSchema
  package let destination: ModelSchema
  package let steps: [MigrationStep]
  /// The objects, values and links that the migration loses.
  package let losses: [MigrationLoss]
  /// Finds the names of the files that no row names any more.
  let superfluousFiles: [ExternalNames]
  /// The new number of each entity that stays, by its old one.
  package let movedNumbers: [Int: Int]
  /// The tables of the source entities' rows.
  package let sourceTables: [Int: String]
  package let destinationTables: TableMap
  let history: HistoryMove

  /// Whether each row of some table is read or written.
  package var rewritesRows: Bool { steps.contains { $0.cost == .rows } }
}
