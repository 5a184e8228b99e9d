import CoreDataSQL

/// A repair of keys, made when all rows are in their places.
enum LinkRepair: Hashable {
  /// Keys of rows that are gone, or of another entity now, are taken out.
  case clearKeys(Key)
  /// The entity of the row that a key leads to is written beside the key.
  case findEntities(Key)
  /// Rows get places in an order that is new: by their own keys.
  case numberRows(Key)
  case dropPairs(String, String, EntityMap)
  case numberPairs(JoinSide, String)

  /// A column of keys, and whose rows have it.
  struct Key: Hashable {
    let table: String
    let column: String
    let entityColumn: String?
    let orderColumn: String?
    let holders: ClosedRange<Int>
    let target: EntityMap
  }
}

// MARK: - As a step

extension LinkRepair {
  var step: MigrationStep {
    switch self {
    case .clearKeys(let key):
      MigrationStep(
        "\(key.table): keys in \(key.column) that lead nowhere any more are cleared",
        .rows,
        [key.clearing]
      )
    case .findEntities(let key):
      MigrationStep(
        "\(key.table): \(key.entityColumn ?? "") gets the entities that \(key.column) leads to",
        .rows,
        [key.finding]
      )
    case .numberRows(let key):
      MigrationStep(
        "\(key.table): \(key.orderColumn ?? "") gets an order, that in which rows were made",
        .rows,
        [key.numbering]
      )
    case .dropPairs(let table, let column, let entity):
      MigrationStep(
        "\(table): pairs whose \(column) leads nowhere any more are removed",
        .rows,
        [
          """
          DELETE FROM \(name: table) \
          WHERE \(SQLFragment.ownRows)\(column: column) NOT IN (\(entity.keys))
          """
        ]
      )
    case .numberPairs(let side, let column):
      MigrationStep(
        "\(side.table): \(column) gets an order, that in which rows were made",
        .rows,
        [Self.numbering(side, column)]
      )
    }
  }

  /// The first place is 2048, as Apple's framework has it.
  static func places(by owner: SQLFragment, _ order: SQLFragment) -> SQLFragment {
    "1024 + 1024 * ROW_NUMBER() OVER (PARTITION BY \(owner) ORDER BY \(order))"
  }

  private static func numbering(_ side: JoinSide, _ column: String) -> SQLFragment {
    let (own, other): (SQLFragment, SQLFragment) = (
      .column(side.ownColumn), .column(side.otherColumn)
    )
    return """
      UPDATE \(name: side.table) SET \(column: column) = n.place FROM (\
      SELECT \(own) AS o, \(other) AS m, \(places(by: own, other)) AS place \
      FROM \(table: side.table)) AS n \
      WHERE \(SQLFragment.ownRows)\(column: side.ownColumn, of: side.table) = n.o \
      AND \(column: side.otherColumn, of: side.table) = n.m
      """
  }
}

extension EntityMap {
  /// The keys of the rows of an entity and those below it.
  var keys: SQLFragment {
    """
    SELECT \(column: "Z_PK") FROM \(table: tableName) \
    WHERE \(column: "Z_ENT") BETWEEN \(.number(numbers.lowerBound)) \
    AND \(.number(numbers.upperBound))
    """
  }
}

extension LinkRepair.Key {
  private var hasKey: SQLFragment { "\(column: column) IS NOT NULL" }

  fileprivate var clearing: SQLFragment {
    let columns = [column, entityColumn, orderColumn].compactMap(\.self)
      .map { "\(column: $0) = NULL" as SQLFragment }
    return """
      UPDATE \(name: table) SET \(columns.joined(separator: ", ")) \
      WHERE \(SQLFragment.ownRows)\(hasKey) AND \(column: column) NOT IN (\(target.keys))
      """
  }

  fileprivate var finding: SQLFragment {
    """
    UPDATE \(name: table) SET \(column: entityColumn ?? "") = (\
    SELECT t.\(column: "Z_ENT") FROM \(table: target.tableName, as: "t") \
    WHERE t.\(column: "Z_PK") = \(column: column, of: table)) WHERE \(SQLFragment.ownRows)\(hasKey)
    """
  }

  fileprivate var numbering: SQLFragment {
    let places = LinkRepair.places(by: .column(column), .column("Z_PK"))
    return """
      UPDATE \(name: table) SET \(column: orderColumn ?? "") = n.place FROM (\
      SELECT \(column: "Z_PK") AS k, \(places) AS place FROM \(table: table) WHERE \(hasKey)) AS n \
      WHERE \(SQLFragment.ownRows)\(column: "Z_PK", of: table) = n.k
      """
  }
}
