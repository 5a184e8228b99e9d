import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite

/// Ordered relationships whose members lack a place, or share one.
///
/// ```
/// 2048, 3072, 3072, NULL   ─▶   NULL first, as readers have it:   2048, 3072, 4096, 5120
/// ```
///
/// Gaps are room for insertions, not faults.
struct OrderCheck: StoreCheck {
  let name = CheckName.order

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in store.checkedTables {
      for link in table.links {
        guard let order = link.orderColumn else { continue }
        let shared = try shared(
          in: table.name,
          owner: link.column,
          order,
          key: "Z_PK",
          for: link.holder,
          store
        )
        guard let shared else { continue }
        findings.append(
          Finding(
            .warning,
            .order,
            link.orderPlace,
            count: shared.count,
            .rows(shared.owners),
            Self.sentence(shared.count),
            remedy: Self.renumbering(link)
          )
        )
      }
    }
    for join in store.checkedJoins {
      for (owner, order) in join.orders {
        let shared = try shared(in: join.table.name, owner: owner, order, key: "rowid", store)
        guard let shared else { continue }
        findings.append(
          Finding(
            .warning,
            .order,
            join.place,
            count: shared.count,
            .rows(shared.owners),
            Self.sentence(shared.count),
            remedy: Self.renumbering(join, order)
          )
        )
      }
    }
    return findings
  }

  private static func sentence(_ count: Int) -> String {
    "the order of the members of \(count.of("object", "objects")) is unclear: they share places"
  }

  /// The owners of members that share a place; nil when there are none.
  private func shared(
    in table: String,
    owner: String,
    _ order: String,
    key: String,
    for holder: EntityMap? = nil,
    _ store: CheckedStore
  ) throws(SQLiteError) -> (count: Int, owners: [Int64])? {
    let owners = Self.disordered(in: table, owner, order, for: holder)
    let count = try store.count("SELECT COUNT(*) FROM (\(owners))")
    if count == 0 { return nil }
    return (count, try store.examples("\(owners) ORDER BY 1"))
  }

  fileprivate static func disordered(
    in table: String,
    _ owner: String,
    _ order: String,
    for holder: EntityMap?
  ) -> SQLFragment {
    let filter: SQLFragment = holder.map { " AND \($0.has("t0"))" } ?? ""
    return """
      SELECT DISTINCT \(column: "o") FROM (SELECT \(own(owner)) AS \(column: "o") \
      FROM \(name: table) AS \(name: "t0") WHERE \(own(owner)) IS NOT NULL \
      AND \(own(order)) IS NOT NULL\(filter) \
      GROUP BY \(own(owner)), \(own(order)) HAVING COUNT(*) > 1)
      """
  }
}

/// Members that are in no order at all.
struct OrderPlaceCheck: RowCheck {
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    table.links.compactMap { link in
      guard let order = link.orderColumn else { return nil }
      return RowFault(
        .warning,
        .order,
        link.orderPlace,
        where: "\(link.isSet) AND \(own(order)) IS NULL",
        remedy: OrderCheck.renumbering(link)
      ) { "\($0.rows("has", "have")) no place in the order" }
    }
  }
}

// MARK: - Renumbering

extension OrderCheck {
  static func renumbering(_ link: CheckedLink) -> Remedy? {
    link.orderColumn.map { order in
      renumbering(in: link.holder.tableName, link.column, order, key: "Z_PK", for: link.holder)
    }
  }

  static func renumbering(_ join: CheckedJoin, _ order: String) -> Remedy? {
    join.orders.first { $0.column == order }
      .map { renumbering(in: join.table.name, $0.owner, order, key: "rowid", for: nil, join) }
  }

  /// Gives the members of those objects that need it new places, in the order that readers have found.
  private static func renumbering(
    in table: String,
    _ owner: String,
    _ order: String,
    key: String,
    for holder: EntityMap?,
    _ join: CheckedJoin? = nil
  ) -> Remedy {
    let filter: SQLFragment = holder.map { " AND \($0.has("t0"))" } ?? ""
    // Readers order members of one place by their own key.
    let member = join.map {
      $0.table.masterColumn == owner ? $0.table.otherColumn : $0.table.masterColumn
    }
    let ties = own(member ?? key)
    let needy: SQLFragment = """
      \(disordered(in: table, owner, order, for: holder)) UNION SELECT \(own(owner)) \
      FROM \(name: table) AS \(name: "t0") \
      WHERE \(own(owner)) IS NOT NULL AND \(own(order)) IS NULL\(filter)
      """
    let places: SQLFragment = """
      SELECT \(own(key)) AS \(column: "k"), \(.integer(OrderPlaces.first)) \
      + \(.integer(OrderPlaces.step)) * (ROW_NUMBER() OVER (PARTITION BY \(own(owner)) \
      ORDER BY \(own(order)), \(ties)) - 1) AS \(column: "place") \
      FROM \(name: table) AS \(name: "t0") WHERE \(own(owner)) IN (\(needy))\(filter)
      """
    return Remedy(
      "numbers the members anew, in the order they have",
      .orders,
      [
        """
        UPDATE \(name: table) SET \(column: order) = \(.column("place", of: "p")) \
        FROM (\(places)) AS \(name: "p") \
        WHERE \(.column(key, of: table)) = \(.column("k", of: "p"))
        """
      ]
    )
  }
}

extension CheckedLink {
  /// The relationship whose members have the places.
  fileprivate var orderPlace: Finding.Place {
    .property(orderedName, of: relationship.isToMany ? declarer.name : destination.name)
  }
}
