import CoreDataModel
import CoreDataModelChanges
import CoreDataSQL

/// A relationship that is kept in another way than before: its pairs are read into a table of their own
/// before rows move, and written from there.
///
/// ```
/// Note.folder, a key in ZNOTE  ─▶  (owner 3, member 1) (owner 4, member 1)  ─▶  Note.folders in Z_2FOLDERS
/// ```
struct LinkTransfer {
  let number: Int
  let goal: Goal
  /// The end whose objects are called owners, as it will be.
  let owner: LinkEnd
  private let loads: [SQLFragment]
  private let ownerEntity: EntityMap?
  private let memberEntity: EntityMap?
  private let dialect: any MigrationDialect

  enum Goal {
    /// Owners have the key of their member.
    case key(LinkRepair.Key)
    /// Both have.
    case keys(LinkRepair.Key, back: LinkRepair.Key)
    /// Members have the key of their owner.
    case owners(LinkRepair.Key)
    case pairs(JoinSide, back: JoinSide?)

    var keys: [LinkRepair.Key] {
      switch self {
      case .key(let key), .owners(let key): [key]
      case .keys(let key, let back): key == back ? [key] : [key, back]
      case .pairs: []
      }
    }

    var joinTable: String? {
      if case .pairs(let side, _) = self { side.table } else { nil }
    }
  }

  init(
    number: Int,
    goal: Goal,
    owner: LinkEnd,
    member: LinkEnd?,
    _ tables: MatchedTables
  ) {
    self.number = number
    self.goal = goal
    self.owner = owner
    dialect = tables.dialect
    ownerEntity = tables.destination[owner.entity]
    memberEntity = tables.destination[owner.relationship.destinationName]
    let own = tables.sources(of: owner)
      .flatMap { Self.loads($0.end, $0.moves, isOwner: true, tables) }
    // A single end says everything; a second one may know pairs that the first has not had.
    let isComplete = !own.isEmpty && goal.joinTable == nil
    let others =
      isComplete
      ? []
      : member.map { end in
        end == owner
          ? []
          : tables.sources(of: end).flatMap {
            Self.loads($0.end, $0.moves, isOwner: false, tables)
          }
      } ?? []
    loads = own + others
  }

  private var table: String { "MIGRATION_LINKS_\(number)" }
}

// MARK: - Reading

extension LinkTransfer {
  /// Reads the pairs before anything else is done.
  var reading: MigrationStep {
    let made = dialect.linkTable(table)
    let columns: [SQLFragment] = ["OWNER", "MEMBER", "MEMBERPLACE", "OWNERPLACE"]
    return MigrationStep(
      "\(owner.entity).\(owner.name): the links are read",
      .rows,
      [made.table]
        + loads.map { dialect.insertion(into: table, columns, $0, ignoringDuplicates: true) }
        + [made.index]
    )
  }

  /// One query for the pairs of a source end: owner, member, and the place of each with the other.
  private static func loads(
    _ end: LinkEnd,
    _ moves: [EntityMove],
    isOwner: Bool,
    _ tables: MatchedTables
  ) -> [SQLFragment] {
    guard let entity = tables.source[end.entity] else { return [] }
    switch end.mapping {
    case .toOne(let column, _, let orderColumn):
      return [
        query(
          (.column("Z_PK"), .column(column), noPlace, orderColumn.map { .column($0) } ?? noPlace),
          isOwner,
          """
          \(table: entity.tableName) WHERE \(column: column) IS NOT NULL \
          AND \(column: "Z_ENT") IN (\(.numbers(moves.map(\.source.number))))
          """
        )
      ]
    case .toManyInverse(let key), .toManyForeignKey(let key):
      return [
        query(
          (
            .column(key.column), .column("Z_PK"), key.orderColumn.map { .column($0) } ?? noPlace,
            noPlace
          ),
          isOwner,
          "\(table: key.table) WHERE \(column: key.column) IS NOT NULL"
        )
      ]
    case .join(let side):
      let order: SQLFragment = side.orderColumn.map { .column($0) } ?? noPlace
      let back = end.inverse(in: tables.comparison.source, tables.source)?.mapping.side?.orderColumn
      let orderBack: SQLFragment = side.isReflexive ? noPlace : back.map { .column($0) } ?? noPlace
      let (own, other): (SQLFragment, SQLFragment) = (
        .column(side.ownColumn), .column(side.otherColumn)
      )
      let there = query((own, other, order, orderBack), isOwner, "\(table: side.table)")
      guard side.isReflexive else { return [there] }
      return [there, query((other, own, order, orderBack), isOwner, "\(table: side.table)")]
    case .none, .attribute, .composite:
      return []
    }
  }

  /// A place of nobody, which says that it would be a number.
  private static let noPlace: SQLFragment = "CAST(NULL AS BIGINT)"

  private static func query(
    _ parts: (own: SQLFragment, other: SQLFragment, place: SQLFragment, placeBack: SQLFragment),
    _ isOwner: Bool,
    _ rows: SQLFragment
  ) -> SQLFragment {
    isOwner
      ? "SELECT \(parts.own), \(parts.other), \(parts.place), \(parts.placeBack) FROM \(rows)"
      : "SELECT \(parts.other), \(parts.own), \(parts.placeBack), \(parts.place) FROM \(rows)"
  }
}

// MARK: - Writing

extension LinkTransfer {
  /// Writes the pairs when all rows are in their places.
  var writing: MigrationStep {
    MigrationStep(
      "\(owner.entity).\(owner.name): the links are written",
      .rows,
      filters + statements + ["DROP TABLE \(name: table)"]
    )
  }

  /// The links that find no place: how many a row has beyond one.
  var loss: MigrationLoss? {
    if loads.isEmpty { return nil }
    let all = loads.joined(separator: " UNION ")
    let kept: SQLFragment
    switch goal {
    case .pairs: return nil
    case .key: kept = "COUNT(DISTINCT o)"
    case .owners: kept = "COUNT(DISTINCT m)"
    case .keys: kept = dialect.lesser("COUNT(DISTINCT o)", "COUNT(DISTINCT m)")
    }
    return MigrationLoss(
      place: "\(owner.entity).\(owner.name)",
      noun: "links",
      count: """
        WITH links (o, m, p, q) AS (\(all)) SELECT COUNT(*) - \(kept) FROM \
        (SELECT DISTINCT o, m FROM links) AS pairs
        """
    )
  }

  private var filters: [SQLFragment] {
    let ends: [(SQLFragment, EntityMap?)] = [("OWNER", ownerEntity), ("MEMBER", memberEntity)]
    return ends.compactMap { column, entity in
      entity.map {
        "DELETE FROM \(name: table) WHERE \(SQLFragment.ownRows)\(column) NOT IN (\($0.keys))"
      }
    }
  }

  private var statements: [SQLFragment] {
    switch goal {
    case .key(let key):
      return [filling(key, from: "MEMBER", of: "OWNER")]
    case .owners(let key):
      return [filling(key, from: "OWNER", of: "MEMBER")]
    case .keys(let key, let back):
      return [unique("MIN(OWNER), MEMBER", "MEMBER"), unique("OWNER, MIN(MEMBER)", "OWNER")]
        + [filling(key, from: "MEMBER", of: "OWNER")]
        + [filling(back, from: "OWNER", of: "MEMBER")]
    case .pairs(let side, let back):
      return [pairing(side, back)]
    }
  }

  private func filling(
    _ key: LinkRepair.Key,
    from value: SQLFragment,
    of row: SQLFragment
  ) -> SQLFragment {
    """
    UPDATE \(name: key.table) SET \(column: key.column) = (SELECT MIN(l.\(value)) \
    FROM \(table: table, as: "l") WHERE l.\(row) = \(column: "Z_PK", of: key.table)) \
    WHERE \(SQLFragment.ownRows)\(column: "Z_PK") IN (SELECT \(row) FROM \(table: table))
    """
  }

  private func unique(_ kept: SQLFragment, _ group: SQLFragment) -> SQLFragment {
    """
    DELETE FROM \(name: table) WHERE \(SQLFragment.ownRows)(OWNER, MEMBER) NOT IN (\
    SELECT \(kept) FROM \(table: table) GROUP BY \(group))
    """
  }

  private func pairing(_ side: JoinSide, _ back: JoinSide?) -> SQLFragment {
    var columns = [side.ownColumn, side.otherColumn]
    var values: [SQLFragment] =
      side.isReflexive
      ? [dialect.lesser("OWNER", "MEMBER"), dialect.greater("OWNER", "MEMBER")]
      : ["OWNER", "MEMBER"]
    if let order = side.orderColumn {
      columns.append(order)
      values.append(LinkRepair.places(by: "OWNER", "MEMBERPLACE, MEMBER"))
    }
    if let order = back?.orderColumn, !side.isReflexive {
      columns.append(order)
      values.append(LinkRepair.places(by: "MEMBER", "OWNERPLACE, OWNER"))
    }
    return dialect.insertion(
      into: side.table,
      columns.map { SQLFragment.column($0) },
      "SELECT \(values.joined(separator: ", ")) FROM \(table: table)",
      ignoringDuplicates: true
    )
  }
}
