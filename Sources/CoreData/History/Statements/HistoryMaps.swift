import CoreDataModel

/// The tables of a history as predicates see them: entities with properties.
///
/// ```
/// CHANGE       changeID changeType changedEntity, transaction ─▶ TRANSACTION
/// TRANSACTION  transactionNumber timestamp author …,   changes ─▶▶ CHANGE
/// ```
///
/// It is a model like any other, so that conditions on a history can say whatever conditions on objects
/// can.
struct HistoryMaps: Sendable {
  let schema: ModelSchema
  let tables: TableMap
  let change: EntityMap
  let transaction: EntityMap

  static func of(_ shape: HistoryTables.Shape) -> HistoryMaps {
    switch shape {
    case .sharedTexts: shared
    case .ownTexts: own
    }
  }

  private static let shared = HistoryMaps(.sharedTexts)
  private static let own = HistoryMaps(.ownTexts)

  private init(_ shape: HistoryTables.Shape) {
    let texts = EntityMap(.text, number: 3, ["name": .attribute(column: "ZNAME")])
    let change = EntityMap(
      .change,
      number: 1,
      [
        "changeID": .attribute(column: "Z_PK"),
        "changeType": .attribute(column: "ZCHANGETYPE"),
        "changedEntity": .attribute(column: "ZENTITY"),
        HistoryTerms.objectNumber: .attribute(column: "ZENTITYPK"),
        "changedObjectID": PropertyMapping.none,
        "tombstone": PropertyMapping.none,
        "updatedProperties": PropertyMapping.none,
        "transaction": .toOne(column: "ZTRANSACTIONID", entityColumn: nil, orderColumn: nil),
      ]
    )
    let key = ForeignKey(
      table: HistoryTables.Entity.change.table,
      column: "ZTRANSACTIONID",
      entityColumn: nil,
      orderColumn: nil
    )
    var properties: [String: PropertyMapping] = [
      "transactionNumber": .attribute(column: "Z_PK"),
      "timestamp": .attribute(column: "ZTIMESTAMP"),
      "changes": .toManyInverse(of: key),
    ]
    for field in HistoryOrigin.Field.allCases {
      properties[field.rawValue] =
        switch shape {
        case .ownTexts: .attribute(column: field.column)
        case .sharedTexts: .toOne(column: field.keyColumn, entityColumn: nil, orderColumn: nil)
        }
    }
    let transaction = EntityMap(.transaction, number: 2, properties)
    self.change = change
    self.transaction = transaction
    tables = TableMap(entities: [change, transaction, texts])
    schema = Self.schema(shape)
  }

  private static func schema(_ shape: HistoryTables.Shape) -> ModelSchema {
    var schema = ModelSchema()
    var text = EntitySchema(name: HistoryTables.Entity.text.name)
    text.attributes = [AttributeSchema(name: "name", type: .string)]
    var change = EntitySchema(name: HistoryTables.Entity.change.name)
    change.attributes = [
      AttributeSchema(name: "changeID", type: .integer64),
      AttributeSchema(name: "changeType", type: .integer64),
      AttributeSchema(name: "changedEntity", type: .integer64),
      AttributeSchema(name: HistoryTerms.objectNumber, type: .integer64),
    ]
    change.relationships = [
      RelationshipSchema(
        name: "transaction",
        destinationName: HistoryTables.Entity.transaction.name,
        inverseName: "changes"
      )
    ]
    var transaction = EntitySchema(name: HistoryTables.Entity.transaction.name)
    transaction.attributes = [
      AttributeSchema(name: "timestamp", type: .date),
      AttributeSchema(name: "transactionNumber", type: .integer64),
    ]
    var changes = RelationshipSchema(
      name: "changes",
      destinationName: HistoryTables.Entity.change.name,
      inverseName: "transaction"
    )
    changes.maxCount = 0
    transaction.relationships = [changes]
    for name in HistoryOrigin.Field.allCases.map(\.rawValue) {
      switch shape {
      case .ownTexts:
        transaction.attributes.append(AttributeSchema(name: name, type: .string))
      case .sharedTexts:
        transaction.relationships.append(
          RelationshipSchema(name: name, destinationName: HistoryTables.Entity.text.name)
        )
      }
    }
    schema.entities = [change, transaction, text]
    return schema
  }
}

extension EntityMap {
  fileprivate init(
    _ entity: HistoryTables.Entity,
    number: Int,
    _ properties: [String: PropertyMapping]
  ) {
    self.init(
      number: number,
      name: entity.name,
      isAbstract: false,
      rootNumber: number,
      superNumber: 0,
      numbers: number...number,
      tableName: entity.table,
      properties: properties
    )
  }
}
