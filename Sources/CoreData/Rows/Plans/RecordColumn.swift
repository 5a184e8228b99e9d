package import CoreDataPredicates

/// A value of each record: its name in the dictionary, and what it is computed from.
///
/// A composite attribute is a column for each of its elements, so that it is grouped and told from others
/// as they are:
///
/// ```
/// place    place.latitude        part latitude
///          place.address.city    part address, city
/// ```
package struct RecordColumn: Sendable {
  package let name: String
  package let expression: CoreDataPredicates.ExpressionTree
  package let form: RecordForm
  /// The keys that lead to the value in the dictionary under `name`; empty if `name` is the key of the value itself.
  package var part: [String] = []
}
