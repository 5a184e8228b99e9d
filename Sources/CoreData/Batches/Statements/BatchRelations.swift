import CoreDataModel
import CoreDataSQL

/// The references between rows: a deletion has to follow them itself, without objects.
struct BatchRelations {
  /// Columns that have the keys of a tree's rows.
  struct Key {
    /// The root entity of the rows that the keys are of.
    let root: Int32
    let table: String
    let columns: [String]
    /// The relationship, as its entity has it.
    let entity: EntityLayout
    let slot: Int
    /// Whether the rows that have the column are those of `entity`, and get a new version.
    let isOwn: Bool

    var column: String { columns[0] }
    var isMandatory: Bool { isOwn && entity.slots[slot].relationship?.isOptional == false }
    var name: String { "\(entity.name).\(entity.slots[slot].name)" }
  }

  /// A column of pairs that has the keys of a tree's rows.
  struct Pairs: Hashable {
    let root: Int32
    let table: String
    let column: String
  }

  /// A relationship with a delete rule that reaches other rows.
  struct Rule {
    let entity: EntityLayout
    let slot: Int
    let destination: EntityLayout
    let mapping: PropertyMapping

    var name: String { "\(entity.name).\(entity.slots[slot].name)" }
  }

  private(set) var keys: [Key] = []
  private(set) var pairs: [Pairs] = []
  private(set) var cascades: [Rule] = []
  private(set) var denials: [Rule] = []

  init(_ schema: StoreSchema) {
    for entity in schema.model.entities {
      for slot in 0..<entity.propertyCount where entity.declarer(of: slot) == entity.number {
        add(slot, of: entity, schema)
      }
    }
  }

  private mutating func add(_ slot: Int, of entity: EntityLayout, _ schema: StoreSchema) {
    guard let relationship = entity.slots[slot].relationship,
      let mapping = schema.mapping(of: slot, in: entity),
      let destination = entity.slots[slot].end.flatMap({ schema.model[number: $0.destination] })
    else { return }
    let table = schema.queries.map(entity).tableName
    switch mapping {
    case .none, .attribute, .composite: return
    case .toManyInverse: break
    case .toOne(let column, let entityColumn, let orderColumn):
      let columns = [column, entityColumn, orderColumn].compactMap { $0 }
      keys.append(
        Key(
          root: destination.rootNumber,
          table: table,
          columns: columns,
          entity: entity,
          slot: slot,
          isOwn: true
        )
      )
    case .toManyForeignKey(let key):
      let columns = [key.column, key.orderColumn].compactMap { $0 }
      keys.append(
        Key(
          root: entity.rootNumber,
          table: key.table,
          columns: columns,
          entity: entity,
          slot: slot,
          isOwn: false
        )
      )
    case .join(let side):
      for column in side.isReflexive ? [side.ownColumn, side.otherColumn] : [side.ownColumn] {
        let pair = Pairs(root: entity.rootNumber, table: side.table, column: column)
        if !pairs.contains(pair) { pairs.append(pair) }
      }
    }
    let rule = Rule(entity: entity, slot: slot, destination: destination, mapping: mapping)
    switch relationship.deleteRule {
    case .cascade: cascades.append(rule)
    case .deny: denials.append(rule)
    case .nullify, .noAction: break
    }
  }

  /// Whether rows of a tree can go without a look at any other.
  func concernNothing(_ layout: EntityLayout) -> Bool {
    !keys.contains { $0.root == layout.rootNumber }
      && !pairs.contains { $0.root == layout.rootNumber }
      && !(cascades + denials).contains { $0.entity.rootNumber == layout.rootNumber }
  }
}

extension BatchRelations.Rule {
  /// The condition for rows of the destination, called `d`, to which some owners lead.
  func reaches(from owners: SQLFragment, _ schema: StoreSchema) -> SQLFragment {
    let member = SQLFragment.column("Z_PK", of: "d")
    switch mapping {
    case .toOne(let column, _, _):
      let table = schema.queries.map(entity).tableName
      return """
        \(member) IN (SELECT \(column: column) FROM \(table: table) \
        WHERE \(column: "Z_PK") IN (\(owners)))
        """
    case .toManyInverse(let key), .toManyForeignKey(let key):
      return "\(column: key.column, of: "d") IN (\(owners))"
    case .join(let side):
      let members: SQLFragment = """
        SELECT \(column: side.otherColumn) FROM \(table: side.table) \
        WHERE \(column: side.ownColumn) IN (\(owners))
        """
      guard side.isReflexive else { return "\(member) IN (\(members))" }
      return """
        \(member) IN (\(members) UNION SELECT \(column: side.ownColumn) FROM \(table: side.table) \
        WHERE \(column: side.otherColumn) IN (\(owners)))
        """
    case .none, .attribute, .composite:
      return "FALSE"
    }
  }
}
