import Foundation

/// A history's tables as entities that requests can name.
///
/// They do not have managed objects: a request finds `NSPersistentHistoryTransaction`s and
/// `NSPersistentHistoryChange`s.
enum HistoryModel {
  static let transaction = entities.transaction
  static let change = entities.change

  static func request(
    for entity: NSEntityDescription
  ) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entity
    return request
  }

  /// The subject of a request, which has its entity or names it; `nil` if it is neither.
  static func subject(
    of request: NSFetchRequest<any NSFetchRequestResult>
  ) -> HistoryPlan.Subject? {
    let name = request.entity == nil ? request.entityName?.uppercased() : nil
    if request.entity === transaction || name == HistoryTables.Entity.transaction.name {
      return .transactions
    }
    let isOfChanges = request.entity === change || name == HistoryTables.Entity.change.name
    return isOfChanges ? .changes : nil
  }

  /// One model that nobody changes.
  private static let model: NSManagedObjectModel = {
    let transaction = entity(
      .transaction,
      HistoryOrigin.Field.allCases.map { ($0.rawValue, .stringAttributeType) }
        + [
          ("storeID", .stringAttributeType), ("timestamp", .dateAttributeType),
          ("token", .integer64AttributeType), ("transactionNumber", .integer64AttributeType),
        ]
    )
    let change = entity(
      .change,
      [
        ("changeID", .integer64AttributeType), ("changeType", .integer64AttributeType),
        ("changedEntity", .integer64AttributeType),
        ("changedObjectID", .objectIDAttributeType), ("tombstone", .undefinedAttributeType),
        ("updatedProperties", .undefinedAttributeType),
      ]
    )
    relate(change, "transaction", to: transaction, "changes")
    let model = NSManagedObjectModel()
    model.entities = [change, transaction]
    // Asking for the layout freezes the model.
    _ = model.layout
    return model
  }()

  private static let entities: (transaction: NSEntityDescription, change: NSEntityDescription) = {
    let byName = model.entitiesByName
    guard let transaction = byName[HistoryTables.Entity.transaction.name],
      let change = byName[HistoryTables.Entity.change.name]
    else { stop("the model of histories has lost its entities") }
    return (transaction, change)
  }()

  private static func entity(
    _ entity: HistoryTables.Entity,
    _ attributes: [(name: String, type: NSAttributeType)]
  ) -> NSEntityDescription {
    let description = NSEntityDescription()
    description.name = entity.name
    description.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      attribute.isTransient = type == .objectIDAttributeType || type == .undefinedAttributeType
      return attribute
    }
    return description
  }

  private static func relate(
    _ one: NSEntityDescription,
    _ name: String,
    to other: NSEntityDescription,
    _ inverseName: String
  ) {
    let toOne = NSRelationshipDescription()
    toOne.name = name
    toOne.destinationEntity = other
    toOne.maxCount = 1
    let toMany = NSRelationshipDescription()
    toMany.name = inverseName
    toMany.destinationEntity = one
    toOne.inverseRelationship = toMany
    toMany.inverseRelationship = toOne
    one.properties.append(toOne)
    other.properties.append(toMany)
  }
}
