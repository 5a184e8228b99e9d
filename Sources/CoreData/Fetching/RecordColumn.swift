package import CoreDataPredicates

/// A value of each record: its name in the dictionary, and what it is computed from.
package struct RecordColumn: Sendable {
  package let name: String
  package let expression: CoreDataPredicates.ExpressionTree
  package let form: RecordForm
}
