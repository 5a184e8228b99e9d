package import CoreDataModel
public import Foundation
import Synchronization

/// A description of a program's data: its entities and their relationships.
///
/// A model is read from a file that Xcode or the model compiler created, or is built in code:
///
/// ```swift
/// let model = NSManagedObjectModel()
/// model.entities = [note, folder]
/// ```
///
/// You can change a model until it is first used by a coordinator or an object. From then on it is
/// frozen, and setting a property of the model or of anything in it stops the program.
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSManagedObjectModel: NSObject, NSCopying, FrozenWithModel,
  @unchecked Sendable
{
  /// The identifiers that you give to this version of the model.
  ///
  /// They are saved in the metadata of stores.
  public var versionIdentifiers: Set<AnyHashable> = [] {
    willSet { willChange() }
  }
  /// The localized names of entities and properties, such as `Notiz` for the key `Entity/Note`.
  public var localizationDictionary: [String: String]? {
    willSet { willChange() }
  }
  /// The entities of the model.
  ///
  /// Setting this property replaces them. After the model's first use, setting it stops the program.
  public var entities: [NSEntityDescription] {
    get { members }
    set { replaceMembers(newValue) }
  }

  private var members: [NSEntityDescription] = []
  /// The entities of each configuration, by the configuration's name.
  var configurationMembers: [String: [NSEntityDescription]] = [:]
  /// The requests of the model, by name, in the order in which they were added.
  var templates: [(name: String, template: RequestTemplate)] = []
  /// Kept from freezing on.
  private var frozenEntitiesByName: [String: NSEntityDescription]?
  private let frozenSchema = Mutex<ModelSchema?>(nil)
  private let attachments = Mutex<[ObjectIdentifier: WeakAttachment]>([:])

  public override init() {
    super.init()
  }

  /// Whether another model has the same entities, configurations, request templates and identifiers.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    return self === other || currentSchema == other.currentSchema
  }

  /// Equal for equal models; it changes with the names of the entities.
  public override var hash: Int { Set(members.compactMap(\.name)).hashValue }

  /// The description classes for a schema.
  package init(schema: ModelSchema) {
    super.init()
    take(from: schema)
  }
}

// MARK: - Entities

extension NSManagedObjectModel {
  /// The entities of the model by name, including subentities.
  public var entitiesByName: [String: NSEntityDescription] {
    frozenEntitiesByName ?? makeEntitiesByName()
  }

  package func description(ofEntity name: String) -> NSEntityDescription? {
    if let frozenEntitiesByName { return frozenEntitiesByName[name] }
    return members.first { $0.name == name }
  }

  /// Takes in entities that are not its members yet: descendants of those that are.
  func admit(_ family: [NSEntityDescription]) {
    let new = family.filter { entity in !members.contains { $0 === entity } }
    guard !new.isEmpty else { return }
    entities = members + new
  }

  private func replaceMembers(_ new: [NSEntityDescription]) {
    willChange()
    for entity in members { entity.model = nil }
    members = []
    for entity in new.flatMap(\.family) where entity.model !== self {
      guard entity.model == nil else {
        stop("\(entity.title) belongs to another model; copy it")
      }
      entity.model = self
      members.append(entity)
    }
    configurationMembers = configurationMembers.mapValues { $0.filter { $0.model === self } }
    link()
  }

  private func makeEntitiesByName() -> [String: NSEntityDescription] {
    let named = members.compactMap { entity in entity.name.map { ($0, entity) } }
    return Dictionary(named) { _, last in last }
  }

  /// Leads every reference that is a name, or goes to another model, to this model's entities.
  private func link() {
    let entities = makeEntitiesByName()
    for entity in members { entity.linkSuperentity(entities: entities) }
    let relationships = members.flatMap(\.ownProperties)
      .compactMap { $0 as? NSRelationshipDescription }
    for relationship in relationships {
      relationship.linkDestination(in: self, entities: entities)
    }
    for relationship in relationships { relationship.linkInverse(in: self) }
  }
}

// MARK: - Configurations

extension NSManagedObjectModel {
  /// The names of the model's configurations, sorted alphabetically.
  public var configurations: [String] { configurationMembers.keys.sorted() }

  /// Returns the entities of a configuration.
  ///
  /// - Parameter configuration: The name of the configuration, or `nil` for all entities. The name that the
  ///   ``NSPersistentStore/configurationName`` of a store without a configuration has, `PF_DEFAULT_CONFIGURATION_NAME`,
  ///   also means all.
  /// - Returns: The entities, or `nil` if the configuration does not exist.
  public func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration else { return members }
    if let own = configurationMembers[configuration] { return own }
    return configuration == StorePlace.defaultConfiguration ? members : nil
  }

  /// Sets the entities of a configuration.
  ///
  /// - Parameters:
  ///   - entities: Entities of this model. Another entity stops the program.
  ///   - configuration: The name of the configuration, which is created if it does not exist.
  public func setEntities(
    _ entities: [NSEntityDescription],
    forConfigurationName configuration: String
  ) {
    willChange()
    for entity in entities where entity.model !== self {
      stop(
        "\(entity.title) cannot be in the configuration \(configuration): it is not in the model; "
          + "add it to the model's entities first"
      )
    }
    configurationMembers[configuration] = entities
  }
}

// MARK: - Freezing

extension NSManagedObjectModel {
  package var isFrozen: Bool { frozenEntitiesByName != nil }

  var title: String { "this" }

  /// Makes the model unchangeable and gives what it says; the second time at once.
  @discardableResult
  package func freeze() -> ModelSchema {
    frozenSchema.withLock { frozen in
      if let frozen { return frozen }
      let schema = currentSchema
      refuse(schema.problems.filter { $0.severity == .error })
      for entity in members { entity.freeze() }
      frozenEntitiesByName = makeEntitiesByName()
      frozen = schema
      return schema
    }
  }

  /// A value that other code keeps beside the model, made at the first request.
  ///
  /// The model holds it weakly: it lives as long as it is used, and is made again after that.
  package func attachment<T: AnyObject & Sendable>(make: (ModelSchema) -> T) -> T {
    let key = ObjectIdentifier(T.self)
    if let kept = attachments.withLock({ $0[key]?.object }) as? T { return kept }
    let schema = freeze()
    return attachments.withLock { attachments in
      if let kept = attachments[key]?.object as? T { return kept }
      let made = make(schema)
      attachments[key] = WeakAttachment(object: made)
      return made
    }
  }

  private func refuse(_ problems: [ModelProblem]) {
    guard !problems.isEmpty else { return }
    stop("the model cannot be used:\n" + problems.map(\.description).joined(separator: "\n"))
  }
}

private struct WeakAttachment: Sendable {
  weak let object: (any AnyObject & Sendable)?
}

// MARK: - Schema

extension NSManagedObjectModel {
  /// The present contents of the model.
  package var currentSchema: ModelSchema {
    link()
    let schema = ModelSchema(
      entities: members.map(\.schema),
      configurations: configurationMembers.mapValues { Set($0.compactMap(\.name)) },
      fetchRequestTemplates: templates.map { $0.template.schema(named: $0.name) },
      versionIdentifiers: Set(versionIdentifiers.compactMap { $0.base as? String })
    )
    return schema.canonical
  }

  private func take(from schema: ModelSchema) {
    entities = schema.entities.map(NSEntityDescription.init)
    let named = makeEntitiesByName()
    configurationMembers = schema.configurations.mapValues { names in
      names.sorted().compactMap { named[$0] }
    }
    templates = schema.fetchRequestTemplates.map { ($0.name, .spelled($0)) }
    versionIdentifiers = Set(schema.versionIdentifiers.map { AnyHashable($0) })
  }
}

// MARK: - Copying

extension NSManagedObjectModel {
  /// Returns a copy of the model and of everything in it.
  ///
  /// The copy can be changed.
  ///
  /// - Parameter zone: Ignored.
  /// - Returns: A new model.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSManagedObjectModel()
    copy.entities = members.map(\.duplicate)
    let named = copy.entitiesByName
    copy.configurationMembers = configurationMembers.mapValues { members in
      members.compactMap { $0.name.flatMap { named[$0] } }
    }
    copy.templates = templates
    copy.versionIdentifiers = versionIdentifiers
    copy.localizationDictionary = localizationDictionary
    return copy
  }
}

extension NSCopying where Self: NSObject {
  /// `copy()` with its type.
  var duplicate: Self {
    guard let copy = copy(with: nil) as? Self else {
      stop("\(Self.self).copy(with:) makes something else")
    }
    return copy
  }
}
