import CoreDataModel

/// The names of all columns, and their order in each table.
///
/// Entities come in the order of their numbers and properties by name; so when two subentities
/// both have a `text`, the first keeps `ZTEXT` and the next has `ZTEXT1`.
struct ColumnPlan {
  private var tables: [String: TableColumns] = [:]
  private var attributes: [Int: [String: PropertyMapping]] = [:]
  private var foreignKeys: [RelationshipEnd.ID: ForeignKey] = [:]

  init(_ forest: EntityForest) {
    for node in forest.nodes { placeValuesAndKeys(of: node, in: forest) }
    for node in forest.nodes { placeOrders(of: node, in: forest) }
    for node in forest.nodes { placeOwners(of: node, in: forest) }
  }

  func columns(of table: String) -> [Column] { tables[table]?.all ?? [] }

  func attribute(_ attribute: AttributeSchema, of number: Int) -> PropertyMapping {
    attributes[number]?[attribute.name] ?? .none
  }

  func toOne(_ id: RelationshipEnd.ID) -> PropertyMapping {
    let key = foreignKey(id)
    return .toOne(
      column: key.column,
      entityColumn: key.entityColumn,
      orderColumn: key.orderColumn
    )
  }

  func foreignKey(_ id: RelationshipEnd.ID) -> ForeignKey {
    guard let key = foreignKeys[id] else {
      preconditionFailure("relationship \(id.name) of entity \(id.entity) has no foreign key")
    }
    return key
  }
}

// MARK: - Placing

extension ColumnPlan {
  private mutating func placeValuesAndKeys(of node: EntityForest.Node, in forest: EntityForest) {
    let table = forest.tableName(of: node.number)
    var columns = tables[table] ?? TableColumns()
    var keys: [Column] = []
    var own: [(name: String, place: Placing)] = []
    own += node.schema.attributes.map { ($0.name, .attribute($0)) }
    own += forest.ends(of: node).map { ($0.id.name, .relationship($0)) }
    for (name, property) in own.sortedByCodePoints(\.name) {
      switch property {
      case .attribute(let attribute):
        attributes[node.number, default: [:]][name] = columns.place(attribute)
      case .relationship(let end):
        guard case .toOne(let destination, _) = end.kind else { continue }
        keys += place(end, to: forest[destination], in: &columns, table: table)
      }
    }
    columns.append(keys, to: .integers)
    tables[table] = columns
  }

  private enum Placing {
    case attribute(AttributeSchema)
    case relationship(RelationshipEnd)
  }

  /// The key's column, and one for the destination's entity when it may be one of several.
  private mutating func place(
    _ end: RelationshipEnd,
    to destination: EntityForest.Node,
    in columns: inout TableColumns,
    table: String
  ) -> [Column] {
    let name = end.id.name.uppercased()
    let key = Column(name: columns.take("Z\(name)"), type: .integer, role: .foreignKey)
    var entity: Column?
    if destination.numbers.count > 1 {
      let free = columns.take("Z\(destination.number)_\(name)")
      entity = Column(name: free, type: .integer, role: .foreignEntity)
    }
    foreignKeys[end.id] = ForeignKey(
      table: table,
      column: key.name,
      entityColumn: entity?.name,
      orderColumn: nil
    )
    return [key] + (entity.map { [$0] } ?? [])
  }

  private mutating func placeOrders(of node: EntityForest.Node, in forest: EntityForest) {
    for end in forest.ends(of: node) {
      guard case .toOne(_, isOrderedBack: true) = end.kind else { continue }
      let key = foreignKey(end.id)
      let order = place("Z_FOK_\(end.id.name.uppercased())", .order, .orders, in: key.table)
      foreignKeys[end.id] = ForeignKey(
        table: key.table,
        column: key.column,
        entityColumn: key.entityColumn,
        orderColumn: order
      )
    }
  }

  /// A to-many relationship without an inverse is kept with its destinations.
  private mutating func placeOwners(of node: EntityForest.Node, in forest: EntityForest) {
    for end in forest.ends(of: node) {
      guard case .toManyWithoutInverse(let destination) = end.kind else { continue }
      let table = forest.tableName(of: destination)
      let name = "\(node.number)\(end.id.name.uppercased())"
      foreignKeys[end.id] = ForeignKey(
        table: table,
        column: place("Z\(name)", .foreignKey, .owners, in: table),
        entityColumn: nil,
        orderColumn: end.schema.isOrdered ? place("Z_FOK_\(name)", .order, .owners, in: table) : nil
      )
    }
  }

  private mutating func place(
    _ name: String,
    _ role: Column.Role,
    _ group: ColumnGroup,
    in table: String
  ) -> String {
    var columns = tables[table] ?? TableColumns()
    let column = Column(name: columns.take(name), type: .integer, role: role)
    columns.append([column], to: group)
    tables[table] = columns
    return column.name
  }
}

/// The columns of one table while they are being placed.
private struct TableColumns {
  private var groups = [[Column]](repeating: [], count: ColumnGroup.allCases.count)
  private var taken: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

  var all: [Column] { groups.flatMap { $0 } }

  /// `name`, or the first of `name1`, `name2` … that is still free.
  mutating func take(_ name: String) -> String {
    var free = name
    var suffix = 0
    while !taken.insert(free).inserted {
      suffix += 1
      free = "\(name)\(suffix)"
    }
    return free
  }

  mutating func append(_ columns: [Column], to group: ColumnGroup) {
    groups[group.rawValue] += columns
  }

  mutating func place(_ attribute: AttributeSchema, prefix: String = "Z") -> PropertyMapping {
    guard !attribute.isTransient else { return .none }
    let name = prefix + attribute.name.uppercased()
    guard attribute.type != .composite else {
      // The columns have the names of the elements alone, unless the file is from before Apple's rule was known.
      let prefix = attribute.hasFormerComposites ? name + "_" : "Z"
      let elements =
        attribute.hasFormerComposites
        ? attribute.elements.sortedByCodePoints(\.name) : attribute.elements
      return .composite(
        Dictionary(uniqueKeysWithValues: elements.map { ($0.name, place($0, prefix: prefix)) })
      )
    }
    guard let (group, type) = attribute.type.column else { return .none }
    let column = Column(name: take(name), type: type, role: .value)
    append([column], to: group)
    return .attribute(column: column.name)
  }
}
