package import CoreDataModel

/// The models that a module's classes may belong to.
package struct ManagedModels {
  /// An entity as its class's accessors need it.
  struct Entity {
    let schema: ModelSchema
    let name: String
    let slotNames: [String]
  }

  private var entities: [String: Entity] = [:]

  package init() {}

  /// Adds the current version of a model whose classes are in a module.
  package mutating func add(_ schema: ModelSchema, of module: String) {
    for entity in schema.entities {
      let name = ClassName(entity.className, in: module)
      guard !name.isManagedObject else { continue }
      let key = "\(name.module ?? module).\(name.path)"
      guard entities[key] == nil else { continue }
      entities[key] = Entity(
        schema: schema,
        name: entity.name,
        slotNames: schema.slotNames(of: entity.name)
      )
    }
  }

  func entity(of className: String) -> Entity? { entities[className] }
}

extension ManagedModels.Entity {
  func property(_ name: String) -> PropertySchema? { schema.property(name, of: self.name) }

  /// The expression that names a property's slot.
  func slot(of property: String) -> String? {
    slotNames.firstIndex(of: property).map { ManagedSlotName.expression(property, at: $0) }
  }
}

/// The expression by which generated code names a slot.
enum ManagedSlotName {
  /// A slot whose place is known: `ManagedSlot(3, 0x1f2e3d4c5b6a7988, "title")`.
  ///
  /// The index is the fast way; the hash lets the runtime notice an object whose model has
  /// something else in that place, and then the name counts.
  static func expression(_ property: String, at index: Int) -> String {
    let digits = String(PropertyHash.of(property), radix: 16)
    let hash = String(repeating: "0", count: 16 - digits.count) + digits
    return "ManagedSlot(\(index), 0x\(hash), \(property.debugDescription))"
  }

  /// A slot that is looked up by its name.
  static func expression(_ property: String) -> String {
    "ManagedSlot(\(property.debugDescription))"
  }
}
