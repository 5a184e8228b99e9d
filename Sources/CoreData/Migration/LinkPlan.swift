import CoreDataModel
import CoreDataModelChanges
import CoreDataSQL

/// The plan for each relationship: the source of its keys, and the keys that need a repair.
///
/// ```
/// to-one to to-one               the column stays                          constant time
/// many-to-many to the same       the table of pairs stays, renamed         constant time
/// to-many gets or loses its inverse     the column of keys gets another name      constant time
/// anything else                  pairs are read before and written after   LinkTransfer
/// ```
struct LinkPlan {
  /// The cells of keys, by the number of the entity whose rows have them, then by column.
  private(set) var cells: [Int: [String: ColumnContent]] = [:]
  /// Which table of pairs a new one is made of, by the new one's name.
  private(set) var joins: [String: JoinFate] = [:]
  private(set) var transfers: [LinkTransfer] = []
  /// The repairs to make when all rows are in their places.
  private(set) var repairs: [LinkRepair] = []

  private let tables: MatchedTables

  init(_ tables: MatchedTables) {
    self.tables = tables
    for end in tables.destinationEnds {
      switch end.mapping {
      case .toOne: planKey(of: end)
      case .toManyForeignKey(let key): planOwners(of: end, key)
      case .join(let side): planPairs(of: end, side)
      // The inverse has the column.
      case .toManyInverse: continue
      case .none, .attribute, .composite: continue
      }
    }
  }
}

/// A table of pairs that is kept: which column becomes which.
struct JoinFate {
  let source: String
  let columns: [(old: String, new: String)]
}

// MARK: - Keys in the own rows

extension LinkPlan {
  private mutating func planKey(of end: LinkEnd) {
    guard case .toOne(let column, let entityColumn, let orderColumn) = end.mapping,
      let entity = tables.destination[end.entity],
      let target = tables.destination[end.relationship.destinationName]
    else { return }
    let inverse = end.inverse(in: tables.comparison.destination, tables.destination)
    let sources = tables.sources(of: end)
    let key = LinkRepair.Key(
      table: entity.tableName,
      column: column,
      entityColumn: entityColumn,
      orderColumn: orderColumn,
      holders: entity.numbers,
      target: target
    )
    if let inverse, case .toOne = inverse.mapping {
      planOneToOne(end, inverse, sources, key)
      return
    }
    if !sources.isEmpty {
      takeColumns(of: end, sources, key)
    } else if let inverse {
      planKeyOfInverse(end, inverse, key)
    }
  }

  /// The rows had the key before.
  private mutating func takeColumns(
    of end: LinkEnd,
    _ sources: [(end: LinkEnd, moves: [EntityMove])],
    _ key: LinkRepair.Key
  ) {
    for (source, moves) in sources {
      guard case .toOne(let column, let entityColumn, let orderColumn) = source.mapping else {
        continue
      }
      let keepsOrder = orderColumn != nil && tables.keepsInverse(source, end)
      for move in moves {
        set(key.column, .column(column), for: move)
        if let own = key.entityColumn, let entityColumn {
          set(own, .renumbered(entityColumn), for: move)
        }
        if let own = key.orderColumn, let orderColumn, keepsOrder {
          set(own, .column(orderColumn), for: move)
        }
      }
      if let old = tables.source[source.relationship.destinationName] {
        repairDangling(key, old)
      }
      if key.entityColumn != nil, entityColumn == nil { repairs.append(.findEntities(key)) }
      if key.orderColumn != nil, !keepsOrder { repairs.append(.numberRows(key)) }
    }
  }

  /// The relationship is new, and its inverse was there: its keys are where the inverse kept them.
  private mutating func planKeyOfInverse(
    _ end: LinkEnd,
    _ inverse: LinkEnd,
    _ key: LinkRepair.Key
  ) {
    let sources = tables.sources(of: inverse)
    if sources.isEmpty || take(key, from: sources) { return }
    addTransfer(to: .key(key), owner: end, member: inverse)
  }

  /// Takes a key from where the other end kept it; false if it was not in the rows that have it now.
  private mutating func take(
    _ key: LinkRepair.Key,
    from sources: [(end: LinkEnd, moves: [EntityMove])]
  ) -> Bool {
    guard sources.count == 1, let old = sources[0].end.mapping.incomingKey,
      take(old, for: key.holders, key)
    else { return false }
    if let source = tables.source[sources[0].end.entity] { repairDangling(key, source) }
    if key.entityColumn != nil, old.entityColumn == nil { repairs.append(.findEntities(key)) }
    if key.orderColumn != nil, old.orderColumn == nil { repairs.append(.numberRows(key)) }
    return true
  }

  /// Whether the rows of these entities have the key in a column already; false if some are elsewhere.
  private mutating func take(
    _ old: ForeignKey,
    for holders: ClosedRange<Int>,
    _ key: LinkRepair.Key
  ) -> Bool {
    let moves = tables.moves.filter {
      holders.contains($0.destination.number) && $0.source.tableName == old.table
    }
    if moves.isEmpty { return false }
    for move in moves {
      set(key.column, .column(old.column), for: move)
      if let own = key.entityColumn, let column = old.entityColumn {
        set(own, .renumbered(column), for: move)
      }
      if let own = key.orderColumn, let column = old.orderColumn {
        set(own, .column(column), for: move)
      }
    }
    return true
  }

  private mutating func planOneToOne(
    _ end: LinkEnd,
    _ inverse: LinkEnd,
    _ sources: [(end: LinkEnd, moves: [EntityMove])],
    _ key: LinkRepair.Key
  ) {
    let others = tables.sources(of: inverse)
    if sources.isEmpty, others.isEmpty { return }
    let isKept =
      !sources.isEmpty && !others.isEmpty
      && sources.allSatisfy { tables.keepsInverse($0.end, end) && $0.end.isToOne }
      && others.allSatisfy { tables.keepsInverse($0.end, inverse) && $0.end.isToOne }
    if isKept {
      takeColumns(of: end, sources, key)
      return
    }
    // Both ends are written from the same pairs, when the first of them is met.
    if inverse != end, transfers.contains(where: { $0.owner == inverse }) { return }
    guard case .toOne(let column, let entityColumn, let orderColumn) = inverse.mapping,
      let entity = tables.destination[inverse.entity],
      let target = tables.destination[inverse.relationship.destinationName]
    else { return }
    let back = LinkRepair.Key(
      table: entity.tableName,
      column: column,
      entityColumn: entityColumn,
      orderColumn: orderColumn,
      holders: entity.numbers,
      target: target
    )
    addTransfer(to: .keys(key, back: back), owner: end, member: inverse)
  }
}

// MARK: - Keys in the rows of the destination

extension LinkPlan {
  private mutating func planOwners(of end: LinkEnd, _ key: ForeignKey) {
    guard let owner = tables.destination[end.entity],
      let member = tables.destination[end.relationship.destinationName]
    else { return }
    let own = LinkRepair.Key(
      table: key.table,
      column: key.column,
      entityColumn: nil,
      orderColumn: key.orderColumn,
      holders: member.numbers,
      target: owner
    )
    let sources = tables.sources(of: end)
    if sources.isEmpty || take(own, from: sources) { return }
    addTransfer(to: .owners(own), owner: end, member: nil)
  }
}

// MARK: - Pairs

extension LinkPlan {
  private mutating func planPairs(of end: LinkEnd, _ side: JoinSide) {
    guard joins[side.table] == nil,
      !transfers.contains(where: { $0.goal.joinTable == side.table }),
      let own = tables.destination[end.entity],
      let other = tables.destination[end.relationship.destinationName]
    else { return }
    let inverse = end.inverse(in: tables.comparison.destination, tables.destination)
    let sources = tables.sources(of: end)
    let others = inverse.map(tables.sources) ?? []
    if sources.isEmpty, others.isEmpty { return }
    let sides =
      sources.map { $0.end.mapping.side }
      + others.map { $0.end.mapping.side?.flipped(for: $0.end, tables) }
    guard let first = sides[0], sides.allSatisfy({ $0?.table == first.table }),
      first.isReflexive == side.isReflexive,
      !joins.values.contains(where: { $0.source == first.table })
    else {
      addTransfer(to: .pairs(side, back: inverse?.mapping.side), owner: end, member: inverse)
      return
    }
    keep(
      first,
      back: sources.first?.end.back(tables) ?? others.first?.end.mapping.side,
      as: side,
      inverse
    )
    let ownBefore = sources.first?.end.entity ?? others.first?.end.relationship.destinationName
    let otherBefore = sources.first?.end.relationship.destinationName ?? others.first?.end.entity
    if let ownBefore = ownBefore.flatMap({ tables.source[$0] }),
      !tables.strangers(from: ownBefore, to: own).isEmpty
    {
      repairs.append(.dropPairs(side.table, side.ownColumn, own))
    }
    if let otherBefore = otherBefore.flatMap({ tables.source[$0] }),
      !tables.strangers(from: otherBefore, to: other).isEmpty
    {
      repairs.append(.dropPairs(side.table, side.otherColumn, other))
    }
  }

  private mutating func keep(
    _ old: JoinSide,
    back oldBack: JoinSide?,
    as side: JoinSide,
    _ inverse: LinkEnd?
  ) {
    var columns = [(old.ownColumn, side.ownColumn), (old.otherColumn, side.otherColumn)]
    if let column = side.orderColumn {
      if let before = old.orderColumn {
        columns.append((before, column))
      } else {
        repairs.append(.numberPairs(side, column))
      }
    }
    if let back = inverse?.mapping.side, !side.isReflexive, let column = back.orderColumn {
      if let before = oldBack?.orderColumn {
        columns.append((before, column))
      } else {
        repairs.append(.numberPairs(back, column))
      }
    }
    joins[side.table] = JoinFate(
      source: old.table,
      columns: columns.map { (old: $0.0, new: $0.1) }
    )
  }
}

// MARK: - Parts

extension LinkPlan {
  private mutating func set(_ column: String, _ cell: ColumnContent, for move: EntityMove) {
    cells[move.destination.number, default: [:]][column] = cell
  }

  private mutating func repairDangling(_ key: LinkRepair.Key, _ old: EntityMap) {
    if tables.strangers(from: old, to: key.target).isEmpty { return }
    if !repairs.contains(.clearKeys(key)) { repairs.append(.clearKeys(key)) }
  }

  private mutating func addTransfer(to goal: LinkTransfer.Goal, owner: LinkEnd, member: LinkEnd?) {
    let transfer = LinkTransfer(
      number: transfers.count + 1,
      goal: goal,
      owner: owner,
      member: member,
      tables
    )
    transfers.append(transfer)
    for key in goal.keys {
      if key.entityColumn != nil { repairs.append(.findEntities(key)) }
      if key.orderColumn != nil { repairs.append(.numberRows(key)) }
    }
  }
}

extension LinkEnd {
  var isToOne: Bool {
    if case .toOne = mapping { true } else { false }
  }

  /// The side of the inverse in the same table of pairs.
  fileprivate func back(_ tables: MatchedTables) -> JoinSide? {
    inverse(in: tables.comparison.source, tables.source)?.mapping.side
  }
}

extension PropertyMapping {
  /// The column in the destination's rows that a to-many relationship is kept in.
  var incomingKey: ForeignKey? {
    switch self {
    case .toManyInverse(let key), .toManyForeignKey(let key): key
    case .none, .attribute, .composite, .toOne, .join: nil
    }
  }

  var side: JoinSide? {
    if case .join(let side) = self { side } else { nil }
  }
}

extension JoinSide {
  /// The table as the other end sees it.
  fileprivate func flipped(for end: LinkEnd, _ tables: MatchedTables) -> JoinSide {
    JoinSide(
      table: table,
      ownColumn: otherColumn,
      otherColumn: ownColumn,
      orderColumn: end.back(tables)?.orderColumn,
      isReflexive: isReflexive
    )
  }
}
