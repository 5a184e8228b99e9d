import CoreDataModel
import Foundation

/// A description of a relationship from one entity to another.
///
/// ```swift
/// let folder = NSRelationshipDescription()
/// folder.name = "folder"
/// folder.destinationEntity = folderEntity
/// folder.inverseRelationship = notes
/// folder.maxCount = 1
/// ```
///
/// A relationship has weak references to its destination and its inverse; the model keeps them
/// alive.
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The maximum number of related objects: 1 for a to-one relationship, 0, the default, for no
  /// limit.
  public var maxCount = 0 {
    willSet { willChange() }
  }
  /// The minimum number of related objects.
  ///
  /// The default is 0.
  public var minCount = 0 {
    willSet { willChange() }
  }
  /// The effect of deleting an object on its related objects.
  ///
  /// The default is `.nullifyDeleteRule`.
  public var deleteRule = NSDeleteRule.nullifyDeleteRule {
    willSet { willChange() }
  }
  /// A Boolean value that indicates whether a to-many relationship is ordered.
  ///
  /// The default is `false`.
  public var isOrdered = false {
    willSet { willChange() }
  }

  private weak var destination: NSEntityDescription?
  private var destinationName: String?
  private weak var inverse: NSRelationshipDescription?
  private var inverseName: String?

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSRelationshipDescription else { return }
    maxCount = other.maxCount
    minCount = other.minCount
    deleteRule = other.deleteRule
    isOrdered = other.isOrdered
    destinationEntity = other.destination
    destinationName = other.currentDestinationName
    inverseRelationship = other.inverse
    inverseName = other.currentInverseName
  }

  override var kind: String { "relationship" }
}

extension NSRelationshipDescription {
  /// The entity of the related objects.
  ///
  /// Objects of its subentities can be related, too. The entity must be in the same model.
  public var destinationEntity: NSEntityDescription? {
    get { destination }
    set {
      willChange()
      destination = newValue
      destinationName = newValue?.name
    }
  }

  /// The relationship in the opposite direction.
  ///
  /// Set it on both relationships, so that each is the inverse of the other.
  public var inverseRelationship: NSRelationshipDescription? {
    get { inverse }
    set {
      willChange()
      inverse = newValue
      inverseName = newValue?.name
    }
  }

  /// A Boolean value that indicates whether an object can have more than one related object.
  public var isToMany: Bool { maxCount != 1 }
}

/// The effects of deleting an object on its related objects, with the raw values of Apple's
/// framework.
public enum NSDeleteRule: UInt, Sendable, CaseIterable {
  /// Related objects are not changed and keep a reference to an object that no longer exists.
  case noActionDeleteRule = 0
  /// The references of related objects to the deleted object are set to `nil`.
  case nullifyDeleteRule = 1
  /// Related objects are deleted, too.
  case cascadeDeleteRule = 2
  /// The object cannot be deleted as long as it has related objects.
  ///
  /// The save throws 1600.
  case denyDeleteRule = 3
}

// MARK: - Linking

extension NSRelationshipDescription {
  private var currentDestinationName: String? { destination?.name ?? destinationName }
  private var currentInverseName: String? { inverse.map(\.name) ?? inverseName }

  /// Leads to the model's entity, if it led to one of that name elsewhere or to a name alone.
  func linkDestination(in model: NSManagedObjectModel, entities: [String: NSEntityDescription]) {
    guard destination == nil || destination?.model !== model else { return }
    guard let found = currentDestinationName.flatMap({ entities[$0] }) else { return }
    destination = found
  }

  func linkInverse(in model: NSManagedObjectModel) {
    guard inverse == nil || inverse?.declaringEntity?.model !== model else { return }
    guard let name = currentInverseName, let destination, destination.model === model else {
      return
    }
    guard let found = destination.relationshipsByName[name] else { return }
    inverse = found
  }
}

// MARK: - Schema

extension NSRelationshipDescription {
  convenience init(_ schema: RelationshipSchema) {
    self.init()
    name = schema.name
    destinationName = schema.destinationName
    inverseName = schema.inverseName
    isOptional = schema.isOptional
    isTransient = schema.isTransient
    isOrdered = schema.isOrdered
    minCount = schema.minCount
    maxCount = schema.maxCount
    deleteRule = NSDeleteRule(schema.deleteRule)
    isIndexedBySpotlight = schema.isIndexedBySpotlight
    isStoredInExternalRecord = schema.isStoredInTruthFile
    userInfo = schema.userInfo
    versionHashModifier = schema.versionHashModifier
    ownRenamingIdentifier = schema.renamingIdentifier
  }

  var schema: RelationshipSchema {
    var schema = RelationshipSchema(
      name: name,
      destinationName: currentDestinationName ?? "",
      inverseName: currentInverseName
    )
    schema.isOptional = isOptional
    schema.isTransient = isTransient
    schema.isOrdered = isOrdered
    schema.minCount = minCount
    schema.maxCount = maxCount
    schema.deleteRule = deleteRule.schemaRule
    schema.isIndexedBySpotlight = isIndexedBySpotlight
    schema.isStoredInTruthFile = isStoredInExternalRecord
    schema.userInfo = userInfo?.textEntries ?? [:]
    schema.versionHashModifier = versionHashModifier
    schema.renamingIdentifier = ownRenamingIdentifier
    return schema
  }
}

extension NSDeleteRule {
  fileprivate init(_ rule: RelationshipSchema.DeleteRule) {
    switch rule {
    case .noAction: self = .noActionDeleteRule
    case .nullify: self = .nullifyDeleteRule
    case .cascade: self = .cascadeDeleteRule
    case .deny: self = .denyDeleteRule
    }
  }

  fileprivate var schemaRule: RelationshipSchema.DeleteRule {
    switch self {
    case .noActionDeleteRule: .noAction
    case .nullifyDeleteRule: .nullify
    case .cascadeDeleteRule: .cascade
    case .denyDeleteRule: .deny
    }
  }
}
