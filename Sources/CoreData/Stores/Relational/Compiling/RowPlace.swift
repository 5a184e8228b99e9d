import CoreDataSQL

/// The place of one object's row in a statement.
///
/// ```
/// SELF              key "t0"."Z_PK"      table t0
/// folder            key "t0"."ZFOLDER"   no table, until a column of it is asked for
/// folder.name       joins ZFOLDER as t1 on that key
/// ```
struct RowPlace {
  let entity: EntityMap
  let key: SQLFragment
  /// The `FROM` that a join for this row goes to.
  let clause: FromClause.ID
  /// The table that has the row; nil when only the key is known yet.
  let alias: String?
  let isNullable: Bool

  var value: CompiledValue {
    CompiledValue(sql: key, kind: .object(root: entity.rootNumber), isNullable: isNullable)
  }
}

/// The rows of a to-many relationship, or a value that was read from each of them.
///
/// ```
/// notes             FROM "ZNOTE" "t1" WHERE "t1"."ZFOLDER" = "t0"."Z_PK"
/// notes.title       the same, and "t1"."ZTITLE" as the element
/// notes.tags        joins the pairs of each note
/// ```
///
/// As in memory, null values do not count as elements, and equal elements count once.
struct RowSet {
  let clause: FromClause.ID
  var conditions: [Condition]
  var element: CompiledValue
  /// The row of the element, when the elements are objects.
  var place: RowPlace?
  /// Whether one element may be in several rows.
  var hasDoubles = false
  /// The key of the object that has the relationship, if that object may be missing.
  let owner: SQLFragment?
  /// The column of pairs that has the key of the statement's own row, if these are such pairs.
  var ownerColumn: SQLFragment?
}

/// The tables of a statement or of a subselect.
struct FromClause {
  typealias ID = Int

  /// The first table and what is joined to it; empty for the statement itself.
  var tables: [SQLFragment] = []
  /// The alias of each table that was joined for one row, by the row's key.
  var aliases: [SQLFragment: String] = [:]
}
