import CoreDataModel

/// The columns of an entity's view.
struct ViewColumns {
  private let schema: ModelSchema
  private let map: TableMap
  private var names: ViewNames
  private var columns: [ViewPlan.Column] = []

  init(_ schema: ModelSchema, _ map: TableMap, isZoned: Bool) {
    self.schema = schema
    self.map = map
    names = ViewNames(taken: isZoned ? ["zone"] : [])
  }

  /// The key, the attributes, the keys of to-one relationships, and the keys that no property of the entity is for.
  consuming func columns(
    of entity: EntityMap,
    _ strangers: [ViewPlan.StrangeKey]
  ) -> [ViewPlan.Column] {
    add("id", .number("Z_PK"))
    if entity.hasSubentities {
      let below = entity.numbers.compactMap { number in
        map[number: number].map { (number, $0.name) }
      }
      add("entity", .entity(Dictionary(uniqueKeysWithValues: below)))
    }
    let line = schema.lineage(of: entity.name)
    for attribute in line.flatMap(\.attributes) {
      add(attribute, named: SQLName.snake(attribute.name), in: entity[attribute.name])
    }
    for relationship in line.flatMap(\.relationships) {
      guard case .toOne(let column, _, let order) = entity[relationship.name] else { continue }
      add(key: column, order, named: SQLName.snake(relationship.name))
    }
    for stranger in strangers
    where stranger.key.table == entity.tableName && stranger.numbers.contains(entity.number) {
      add(key: stranger.key.column, stranger.key.orderColumn, named: stranger.name)
    }
    return columns
  }

  private mutating func add(key: String, _ order: String?, named name: String) {
    add("\(name)_id", .number(key))
    if let order { add("\(name)_position", .number(order)) }
  }

  private mutating func add(
    _ attribute: AttributeSchema,
    named name: String,
    in mapping: PropertyMapping?
  ) {
    switch mapping {
    case .attribute(let column): add(name, .value(column, attribute.type))
    case .composite(let elements):
      for element in attribute.elements {
        add(element, named: "\(name)_\(SQLName.snake(element.name))", in: elements[element.name])
      }
    case .none?, nil, .toOne, .toManyInverse, .toManyForeignKey, .join: break
    }
  }

  private mutating func add(_ name: String, _ content: ViewPlan.Content) {
    columns.append(ViewPlan.Column(name: names.add(name), content: content))
  }
}
