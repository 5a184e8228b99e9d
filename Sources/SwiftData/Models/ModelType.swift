import CoreData
import Foundation
@_spi(Reflection) import Swift
import Synchronization

/// The knowledge of the runtime about one class of models.
///
/// There is one for each class, as long as the process lives.
///
/// Safety: never changed after it was made, but for what is behind mutexes.
final class ModelType: RowKind, @unchecked Sendable {
  let type: any PersistentModel.Type
  /// The name of the entity.
  let name: String
  /// The class's model superclass.
  let parent: ModelType?
  /// The properties that the class itself declares.
  let properties: [ModelProperty]
  /// All properties, with those of superclasses, in the order of slots: by name.
  private let slots: [ModelProperty]
  let hasConstants: Bool
  let maker: any ModelMaking
  private let placesByName: [String: Int]
  /// The places of the fields with a ``_ModelBacking`` in an object; that of the root class comes first.
  let backingOffsets: [Int]
  /// The constants that the class itself declares, whose values are in the models themselves.
  let constants: [ModelConstant]
  /// The entity that models without a context have.
  private let detached = Mutex<NSEntityDescription?>(nil)
  let names = Mutex<[Immutable<AnyKeyPath>: String]>([:])

  var rowClass: AnyClass { ModelRow.self }

  private init(_ type: any PersistentModel.Type) {
    self.type = type
    maker = Self.maker(of: type)
    name = Self.entityName(of: type)
    parent = (_getSuperclass(type) as? any PersistentModel.Type).map(Self.of)
    properties = type.schemaMetadata.map { ModelProperty($0, of: type) }
    let inherited = parent?.slots ?? []
    let own = properties.sorted { $0.name < $1.name }
    slots =
      inherited
      + own.enumerated().map { place, property in
        var property = property
        property.slot = ManagedSlot(lasting: property.name, at: inherited.count + place)
        return property
      }
    placesByName = Dictionary(slots.enumerated().map { ($1.name, $0) }) { _, last in last }
    var offsets: [Int] = []
    var fields: [String: (offset: Int, type: Any.Type)] = [:]
    _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
      let name = String(cString: name)
      // Reflection does not know the types of values that cannot be copied.
      if name == "_$backingData" { offsets.append(offset) }
      fields[name] = (offset, type)
      return true
    }
    backingOffsets = offsets
    constants = slots.dropFirst(inherited.count).filter(\.isConstant).compactMap { property in
      fields[property.name].map { ModelConstant(property, at: $0.offset, $0.type) }
    }
    hasConstants = slots.contains(where: \.isConstant)
  }

  private static func maker<Model: PersistentModel>(of type: Model.Type) -> any ModelMaking {
    ModelMaker(type)
  }

  private static let known = Mutex<[ObjectIdentifier: ModelType]>([:])

  static func of(_ type: any PersistentModel.Type) -> ModelType {
    if let found = known.withLock({ $0[ObjectIdentifier(type)] }) { return found }
    // Initial values may be models of other classes, and so ask again.
    let made = ModelType(type)
    return known.withLock { known in
      if let found = known[ObjectIdentifier(type)] { return found }
      known[ObjectIdentifier(type)] = made
      return made
    }
  }

  static func entityName(of type: any PersistentModel.Type) -> String { "\(type)" }

  /// This class and its superclasses, the nearest first.
  var lineage: [ModelType] { [self] + (parent?.lineage ?? []) }

  /// The property of a slot, which need not be in its place.
  func property(_ index: Int, _ name: StaticString) -> ModelProperty {
    if index < slots.count, slots[index].isNamed(name) { return slots[index] }
    guard let place = placesByName["\(name)"] else {
      stop("\(type).\(name) is not among the properties that the class lists for its schema")
    }
    return slots[place]
  }

  func property(named name: String) -> ModelProperty? { placesByName[name].map { slots[$0] } }

  /// All properties, with those of superclasses.
  var allProperties: [ModelProperty] { slots }
}

// MARK: - Models without a context

extension ModelType {
  /// The entity of models that are in no context.
  ///
  /// It is that of the newest container with the class, or of a schema that is made of the class alone.
  var detachedEntity: NSEntityDescription {
    if let entity = detached.withLock({ $0 }) { return entity }
    let schema = Schema(withoutStoresOf: type)
    let model = schema.makeManagedObjectModel()
    schema.types.useDetached(model)
    guard let entity = detached.withLock({ $0 }) else {
      stop("the schema of \(type) does not have the class itself")
    }
    return entity
  }

  /// A row that only notes which properties are read.
  var recorder: ModelRow {
    unsafeDowncast(NSManagedObject.recorder(of: detachedEntity), to: ModelRow.self)
  }

  func use(_ entity: NSEntityDescription) { detached.withLock { $0 = entity } }
}

extension ModelTypes {
  /// New models of the classes are of this model's entities.
  func useDetached(_ model: NSManagedObjectModel) {
    let entities = model.entitiesByName
    KeptModels.keep(model)
    for type in all { entities[type.name].map(type.use) }
  }
}

/// The models of which rows without a context may be: rows do not keep their model alive.
private enum KeptModels {
  private static let models = Mutex<[ObjectIdentifier: Immutable<NSManagedObjectModel>]>([:])

  static func keep(_ model: NSManagedObjectModel) {
    let kept = Immutable(model)
    models.withLock { $0[ObjectIdentifier(model)] = kept }
  }
}
