/// Where a property's value is kept.
package enum PropertyMapping: Hashable, Sendable {
  /// In no column: transient and fetched properties, attributes without a type.
  case none
  /// In a column of the entity's own table.
  case attribute(column: String)
  /// In one column for each element of a composite attribute.
  case composite([String: PropertyMapping])
  /// The key of the destination's row, in the own table.
  ///
  /// `entityColumn` holds the destination's `Z_ENT` if it may be one of several entities; `orderColumn` holds this
  /// row's place in the ordered relationship at the other end.
  case toOne(column: String, entityColumn: String?, orderColumn: String?)
  /// In the rows of the destination, by the to-one relationship that is the inverse.
  case toManyInverse(of: ForeignKey)
  /// In the rows of the destination, in a column that no property of theirs speaks of.
  case toManyForeignKey(ForeignKey)
  /// In a table of pairs.
  case join(JoinSide)
}

/// A column of `table` that holds the keys of other rows.
package struct ForeignKey: Hashable, Sendable {
  package let table: String
  package let column: String
  /// Holds the `Z_ENT` of the row that `column` points to, if it may be one of several entities.
  package let entityColumn: String?
  /// Holds this row's place among those with the same key, when the relationship is ordered.
  package let orderColumn: String?
}

/// A join table as one of its two relationships sees it.
package struct JoinSide: Hashable, Sendable {
  package let table: String
  /// Holds the keys of the objects that have the relationship.
  package let ownColumn: String
  /// Holds the keys of its destinations.
  package let otherColumn: String
  /// Holds the destination's place, when the relationship is ordered.
  package let orderColumn: String?
  /// Whether the relationship is its own inverse, so that a pair counts in both directions.
  package let isReflexive: Bool
}
