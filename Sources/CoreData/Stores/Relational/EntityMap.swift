import CoreDataModel

/// The table of one entity's rows, and the columns of its properties.
package struct EntityMap: Hashable, Sendable {
  /// The value of `Z_ENT` in the rows of this entity.
  package let number: Int
  package let name: String
  package let isAbstract: Bool
  /// The number of the entity at the top of its inheritance; rows of the whole tree share a table.
  package let rootNumber: Int
  /// The number of the superentity, or 0 without one.
  package let superNumber: Int
  /// This entity and all entities below it: the numbers follow each other.
  package let numbers: ClosedRange<Int>
  package let tableName: String
  /// The columns and tables of the properties, inherited ones included.
  package let properties: [String: PropertyMapping]

  package var hasSubentities: Bool { numbers.count > 1 }

  package subscript(property: String) -> PropertyMapping? { properties[property] }
}

extension EntityMap {
  static func all(in forest: EntityForest, columns: ColumnPlan, joins: JoinPlan) -> [EntityMap] {
    var maps: [EntityMap] = []
    for node in forest.nodes {
      let inherited = node.superNumber == 0 ? [:] : maps[node.superNumber - 1].properties
      let own = ownProperties(of: node, in: forest, columns: columns, joins: joins)
      maps.append(
        EntityMap(
          number: node.number,
          name: node.schema.name,
          isAbstract: node.schema.isAbstract,
          rootNumber: node.rootNumber,
          superNumber: node.superNumber,
          numbers: node.numbers,
          tableName: forest.tableName(of: node.number),
          properties: inherited.merging(own) { inherited, _ in inherited }
        )
      )
    }
    return maps
  }

  private static func ownProperties(
    of node: EntityForest.Node,
    in forest: EntityForest,
    columns: ColumnPlan,
    joins: JoinPlan
  ) -> [String: PropertyMapping] {
    var properties: [String: PropertyMapping] = [:]
    for attribute in node.schema.attributes {
      properties[attribute.name] = columns.attribute(attribute, of: node.number)
    }
    for property in node.schema.fetchedProperties {
      properties[property.name] = PropertyMapping.none
    }
    for relationship in node.schema.relationships {
      let end = forest.end(relationship, of: node.number)
      properties[relationship.name] =
        switch end.kind {
        case .unstored: PropertyMapping.none
        case .toOne: columns.toOne(end.id)
        case .toMany(let inverse): .toManyInverse(of: columns.foreignKey(inverse))
        case .toManyWithoutInverse: .toManyForeignKey(columns.foreignKey(end.id))
        case .manyToMany: .join(joins.side(of: end.id))
        }
    }
    return properties
  }
}
