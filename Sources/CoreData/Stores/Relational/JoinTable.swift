/// A table of pairs for a many-to-many relationship.
///
///     Note (2) .tags  ◀▶  Tag (3) .notes
///     Z_2TAGS ( Z_2NOTES, Z_3TAGS )
///
/// The relationship that gives the table its name is its master; a column is named after the
/// relationship whose destination it holds.
package struct JoinTable: Hashable, Sendable {
  package let name: String
  /// The number of the entity that declares the master.
  package let masterNumber: Int
  /// Holds the keys of the objects that have the master relationship.
  package let masterColumn: String
  /// Holds the keys of the master's destinations.
  package let otherColumn: String
  /// Holds the place of the master's object in the relationship back, when that is ordered.
  package let masterOrderColumn: String?
  /// Holds the place of the destination in the master relationship, when that is ordered.
  package let otherOrderColumn: String?
  package let isReflexive: Bool

  /// The table as its master sees it.
  package var masterSide: JoinSide {
    JoinSide(
      table: name,
      ownColumn: masterColumn,
      otherColumn: otherColumn,
      orderColumn: otherOrderColumn,
      isReflexive: isReflexive
    )
  }

  var otherSide: JoinSide {
    JoinSide(
      table: name,
      ownColumn: otherColumn,
      otherColumn: masterColumn,
      orderColumn: masterOrderColumn,
      isReflexive: isReflexive
    )
  }
}
