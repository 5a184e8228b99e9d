import Foundation

/// An entity in a model that is described in Swift.
///
/// ```swift
/// class Folder: NSManagedObject {
///   @NSManaged var name: String?
///   @NSManaged var notes: Set<Note>
/// }
///
/// class Note: NSManagedObject {
///   @NSManaged var title: String?
///   @NSManaged var stars: Int16
///   @NSManaged var folder: Folder?
/// }
///
/// let model = NSManagedObjectModel {
///   ModelEntity(Note.self) {
///     ModelAttribute(\.title)
///     ModelAttribute(\.stars, default: 0)
///     ModelToOne(\.folder, inverse: \.notes)
///     ModelUnique(\.title)
///   }
///   ModelEntity(Folder.self) {
///     ModelAttribute(\.name)
///     ModelToMany(\.notes, inverse: \.folder, deleteRule: .cascadeDeleteRule)
///   }
/// }
/// ```
///
/// The classes are written by hand, with `@NSManaged` properties. Names and types of the entity's
/// properties come from them; a property that is optional in Swift is optional in the model.
public struct ModelEntity {
  let type: NSManagedObject.Type
  let parent: NSManagedObject.Type?
  let parts: [ModelPart]
  private let name: String?
  private let isAbstract: Bool
  private let configure: ((NSEntityDescription) -> Void)?

  /// Describes the entity of a class.
  ///
  /// - Parameters:
  ///   - type: The class of the entity's objects.
  ///   - name: The entity's name, or `nil` for the name of the class.
  ///   - parent: The class of the superentity, or `nil`. Its entity must be in the same model.
  ///   - isAbstract: Whether all objects are of subentities.
  ///   - properties: The properties that the entity declares itself.
  ///   - configure: Sets values for which there is no parameter, such as `userInfo`.
  public init<Object: NSManagedObject>(
    _ type: Object.Type,
    name: String? = nil,
    parent: NSManagedObject.Type? = nil,
    isAbstract: Bool = false,
    @ModelPropertiesBuilder<Object> properties: () -> [ModelPart] = { [] },
    configure: ((NSEntityDescription) -> Void)? = nil
  ) {
    self.type = type
    self.parent = parent
    self.name = name
    self.isAbstract = isAbstract
    self.configure = configure
    parts = properties()
  }

  /// The entity without what leads to other entities.
  func description() -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = entityName
    entity.managedObjectClassName = String(reflecting: type)
    entity.isAbstract = isAbstract
    configure?(entity)
    return entity
  }

  var entityName: String { name ?? "\(type)" }
}

/// A line in the description of an entity: a property, a constraint or an index.
public struct ModelPart {
  /// Adds itself to its entity, among the entities of the model by their classes.
  let add: (NSEntityDescription, ModelEntities) -> Void
}

/// The entities of a model that is being described.
struct ModelEntities {
  private let entities: [ObjectIdentifier: NSEntityDescription]

  init(_ pairs: [(ModelEntity, NSEntityDescription)]) {
    var entities: [ObjectIdentifier: NSEntityDescription] = [:]
    for (described, entity) in pairs {
      let key = ObjectIdentifier(described.type)
      if entities.updateValue(entity, forKey: key) != nil {
        stop("the model describes two entities of class \(described.type); give one another class")
      }
    }
    self.entities = entities
  }

  /// The entity of a class that a description speaks of.
  func entity(of type: NSManagedObject.Type, for place: String) -> NSEntityDescription {
    guard let entity = entities[ObjectIdentifier(type)] else {
      stop(
        "\(place) leads to \(type), for which the model has no entity; add ModelEntity(\(type).self)"
      )
    }
    return entity
  }
}
