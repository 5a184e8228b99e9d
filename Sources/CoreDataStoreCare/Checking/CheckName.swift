import CoreData

/// The checks, each by the word that reports use for it.
package enum CheckName: String, Hashable, Sendable, CaseIterable {
  /// SQLite's own view of the file.
  case database
  /// The write-ahead log beside the file.
  case log
  /// The model that the rows are held against.
  case model
  case metadata
  /// The rows of `Z_PRIMARYKEY`.
  case entityNumber = "entity-number"
  case lastKey = "last-key"
  case table
  case column
  case index
  case trigger
  /// `Z_ENT` of rows.
  case rowEntity = "row-entity"
  case danglingKey = "dangling-key"
  /// The column that says of which entity a to-one relationship's destination is.
  case keyEntity = "key-entity"
  case inverse
  case pair
  case order
  case requiredValue = "required-value"
  case valueType = "value-type"
  case text
  case range
  case uuid
  case archive
  case uniqueness
  case derivedValue = "derived-value"
  case externalData = "external-data"
  case history
}
