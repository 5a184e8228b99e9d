import CoreDataModel
public import Foundation
import Synchronization

/// A description of a kind of objects: its name, its class and its properties.
///
/// ```swift
/// let note = NSEntityDescription()
/// note.name = "Note"
/// note.managedObjectClassName = NSStringFromClass(Note.self)
/// note.properties = [title, folder]
/// ```
///
/// An entity has strong references to its properties, indexes and subentities, and weak ones to its
/// model and superentity.
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSEntityDescription: NSObject, NSCopying, FrozenWithModel,
  @unchecked Sendable
{
  /// The name of the entity, which must be unique in its model.
  public var name: String? {
    willSet { willChange() }
  }
  /// The name of the class of the entity's objects.
  ///
  /// The default is `NSManagedObject`.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  public var managedObjectClassName: String! = "NSManagedObject" {
    willSet {
      willChange()
      archivesClass = true
    }
  }
  /// A Boolean value that indicates whether only subentities can have objects.
  ///
  /// The default is `false`.
  public var isAbstract = false {
    willSet { willChange() }
  }
  /// The combinations of properties whose values must be unique among the objects of the entity.
  ///
  /// Each element is an array of property names or attribute descriptions. A save that violates a constraint throws
  /// 133021, unless the merge policy resolves the conflict. A constraint that names a composite attribute, a to-many
  /// relationship or a property that is not stored is ignored.
  public var uniquenessConstraints: [[Any]] = [] {
    willSet { willChange() }
  }
  /// Values that the author of the model keeps with the entity.
  ///
  /// You can set this property at any time, also when the model is in use.
  public var userInfo: [AnyHashable: Any]? {
    get { ownUserInfo.entries }
    set { ownUserInfo.entries = newValue }
  }
  /// A text that is included in the version hash.
  ///
  /// Set it to mark a change that would not change the hash otherwise.
  public var versionHashModifier: String? {
    willSet { willChange() }
  }
  /// The indexes of the entity, which become indexes of its table in SQLite and PostgreSQL stores.
  ///
  /// Indexes are not part of the version hash: a model with other indexes opens the same stores.
  public var indexes: [NSFetchIndexDescription] = [] {
    willSet { willChange() }
    didSet {
      for index in oldValue { index.entity = nil }
      for index in indexes { index.entity = self }
    }
  }
  /// The entities that inherit directly from this one.
  ///
  /// Setting this property also sets the ``superentity`` of the new subentities.
  public var subentities: [NSEntityDescription] {
    get { ownSubentities }
    set { adoptSubentities(newValue) }
  }
  /// The entity from which this one inherits, or `nil`.
  public private(set) weak var superentity: NSEntityDescription?

  /// The model that holds this entity.
  weak var model: NSManagedObjectModel?
  /// The properties that the entity declares itself.
  package private(set) var ownProperties: [NSPropertyDescription] = []
  /// The runtime's picture of this entity, once the model is frozen; it is never freed.
  private let layoutAddress = Atomic<UnsafeRawPointer?>(nil)
  /// How a class is made for it at build time; says nothing at run time.
  var codeGeneration = EntitySchema.CodeGeneration.manual
  /// The renaming identifier that was set, without the fallback to the name.
  var ownRenamingIdentifier: String?
  /// The objects that a module above makes for the entity, whatever class the entity names.
  package var rowKind: (any RowKind)?
  /// Whether archives of the model name the class of the entity.
  package var archivesClass = true

  private(set) var isFrozen = false
  private let ownUserInfo = UserInfo()
  private var ownSubentities: [NSEntityDescription] = []
  /// The superentity that a copy had, to find it again in the copy's model.
  var superentityName: String?
  /// The properties by name; kept from freezing on.
  private var frozenDirectory: PropertyDirectory?

  public override init() {
    super.init()
  }

  public override var description: String {
    "\(nameOrPlaceholder)(\(properties.map(\.name).joined(separator: ", ")))"
  }
}

// MARK: - Its place

extension NSEntityDescription {
  /// The runtime's picture of this entity; nil before the model is frozen.
  var knownLayout: EntityLayout? {
    layoutAddress.load(ordering: .acquiring)
      .map { Unmanaged<EntityLayout>.fromOpaque($0).takeUnretainedValue() }
  }

  func setLayout(_ layout: EntityLayout) {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(layout).toOpaque())
    layoutAddress.store(address, ordering: .releasing)
  }

  /// The model that contains the entity.
  ///
  /// The program stops if the entity does not belong to a model.
  public var managedObjectModel: NSManagedObjectModel {
    guard let model else {
      stop("\(title) belongs to no model; add it to a model's entities first")
    }
    return model
  }

  /// The name of the entity in the previous version of the model.
  ///
  /// The default is its name.
  ///
  /// Migrations use it to recognize a renamed entity.
  public var renamingIdentifier: String? {
    get { ownRenamingIdentifier ?? name }
    set {
      willChange()
      ownRenamingIdentifier = newValue
    }
  }

  var nameOrPlaceholder: String { name ?? "(no name)" }

  var title: String { "the entity \(nameOrPlaceholder)" }
}

// MARK: - Properties

extension NSEntityDescription {
  /// All properties of the entity, the inherited ones first.
  ///
  /// Setting this property replaces the entity's own properties; inherited properties in the new
  /// value are ignored.
  public var properties: [NSPropertyDescription] {
    get { directory.properties }
    set {
      willChange()
      let inherited = superentity?.properties ?? []
      let own = newValue.filter { property in !inherited.contains { $0 === property } }
      for property in ownProperties { property.declaringEntity = nil }
      for property in own {
        guard property.declaringEntity == nil else {
          stop("\(property.title) cannot be a property of \(nameOrPlaceholder) too; copy it")
        }
        property.declaringEntity = self
      }
      ownProperties = own
    }
  }

  /// All properties of the entity by name, including inherited ones.
  public var propertiesByName: [String: NSPropertyDescription] { directory.propertiesByName }

  /// All attributes of the entity by name, including inherited ones.
  public var attributesByName: [String: NSAttributeDescription] { directory.attributesByName }

  /// All relationships of the entity by name, including inherited ones.
  public var relationshipsByName: [String: NSRelationshipDescription] {
    directory.relationshipsByName
  }

  /// Returns the relationships whose destination is a certain entity.
  ///
  /// - Parameter entity: The destination entity.
  /// - Returns: The relationships, in the order of the properties.
  public func relationships(
    forDestination entity: NSEntityDescription
  ) -> [NSRelationshipDescription] {
    properties.compactMap { $0 as? NSRelationshipDescription }
      .filter { $0.destinationEntity === entity }
  }

  private var directory: PropertyDirectory { frozenDirectory ?? makeDirectory() }

  private func makeDirectory() -> PropertyDirectory {
    PropertyDirectory((superentity?.properties ?? []) + ownProperties)
  }
}

// MARK: - Inheritance

extension NSEntityDescription {
  /// The entities that inherit directly from this one, by name.
  public var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(ownSubentities.map { ($0.nameOrPlaceholder, $0) }) { _, last in last }
  }

  /// Returns whether the entity is the same as another one or inherits from it.
  ///
  /// - Parameter entity: The other entity.
  /// - Returns: `true` if the entity is or inherits from `entity`.
  public func isKindOf(entity: NSEntityDescription) -> Bool {
    self === entity || superentity?.isKindOf(entity: entity) == true
  }

  /// The entity and all its descendants.
  var family: [NSEntityDescription] { [self] + ownSubentities.flatMap(\.family) }

  private func adoptSubentities(_ new: [NSEntityDescription]) {
    willChange()
    for entity in ownSubentities {
      entity.superentity = nil
      entity.superentityName = nil
    }
    ownSubentities = []
    for entity in new { adopt(entity) }
    model?.admit(family)
  }

  private func adopt(_ entity: NSEntityDescription) {
    guard !isKindOf(entity: entity) else {
      stop("\(title) cannot inherit from itself through \(entity.nameOrPlaceholder)")
    }
    entity.willChange()
    entity.superentity?.ownSubentities.removeAll { $0 === entity }
    entity.superentity = self
    ownSubentities.append(entity)
  }

  /// Finds the superentity that is known by name only.
  func linkSuperentity(entities: [String: NSEntityDescription]) {
    guard superentity == nil, let found = superentityName.flatMap({ entities[$0] }) else { return }
    found.adopt(self)
  }
}

// MARK: - Copying and freezing

extension NSEntityDescription {
  /// Returns a copy of the entity with copies of its properties.
  ///
  /// The copy does not have subentities. Its superentity and the destinations of its relationships are looked up by
  /// name in the model to which it is added.
  ///
  /// - Parameter zone: Ignored.
  /// - Returns: A new entity.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSEntityDescription()
    copy.name = name
    copy.managedObjectClassName = managedObjectClassName
    copy.isAbstract = isAbstract
    copy.uniquenessConstraints = constraintNames
    copy.userInfo = userInfo
    copy.versionHashModifier = versionHashModifier
    copy.ownRenamingIdentifier = ownRenamingIdentifier
    copy.codeGeneration = codeGeneration
    copy.rowKind = rowKind
    copy.archivesClass = archivesClass
    copy.superentityName = currentSuperentityName
    copy.properties = ownProperties.map(\.duplicate)
    copy.indexes = indexes.map(\.duplicate)
    return copy
  }

  func freeze() {
    for property in ownProperties { property.freeze() }
    for index in indexes { index.freeze() }
    frozenDirectory = makeDirectory()
    isFrozen = true
  }

  var currentSuperentityName: String? { superentity?.name ?? superentityName }

  var constraintNames: [[String]] {
    uniquenessConstraints.map { $0.map(constraintName) }
  }

  private func constraintName(_ member: Any) -> String {
    if let name = member as? String { return name }
    if let property = member as? NSPropertyDescription { return property.name }
    stop("\(title) has \(member) in a uniqueness constraint; give attributes or their names")
  }
}
