import CoreDataModel
import Foundation

/// A relationship from one entity to another.
///
/// ```swift
/// let folder = NSRelationshipDescription()
/// folder.name = "folder"
/// folder.destinationEntity = folderEntity
/// folder.inverseRelationship = notes
/// folder.maxCount = 1
/// ```
///
/// Other entities are held weakly; the model holds them. Beside each reference stands its name, by
/// which a model finds the entity again when it takes a copied entity.
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The most objects it may refer to: 1 makes it to-one, 0, as it begins, is no limit.
  public var maxCount = 0 {
    willSet { willChange() }
  }
  /// The fewest objects it must refer to.
  public var minCount = 0 {
    willSet { willChange() }
  }
  /// What happens to the objects it refers to when its own object is deleted.
  public var deleteRule = NSDeleteRule.nullifyDeleteRule {
    willSet { willChange() }
  }
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
  /// The entity of the objects it refers to.
  public var destinationEntity: NSEntityDescription? {
    get { destination }
    set {
      willChange()
      destination = newValue
      destinationName = newValue?.name
    }
  }

  /// The relationship back, which names this one as its own inverse.
  public var inverseRelationship: NSRelationshipDescription? {
    get { inverse }
    set {
      willChange()
      inverse = newValue
      inverseName = newValue?.name
    }
  }

  public var isToMany: Bool { maxCount != 1 }
}

/// What happens to related objects when an object is deleted; raw values are Apple's.
public enum NSDeleteRule: UInt, Sendable, CaseIterable {
  /// Nothing: they keep a reference that leads nowhere.
  case noActionDeleteRule = 0
  /// They forget the object.
  case nullifyDeleteRule = 1
  /// They are deleted too.
  case cascadeDeleteRule = 2
  /// Where there are any, the object cannot be deleted.
  case denyDeleteRule = 3
}

// MARK: - Linking

extension NSRelationshipDescription {
  private var currentDestinationName: String? { destination?.name ?? destinationName }
  private var currentInverseName: String? { inverse.map(\.name) ?? inverseName }

  /// Leads to the model's entity, where it led to one of that name elsewhere or to a name alone.
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
