import CoreDataModel

/// An entity together with the name of its class and of that class' superclass.
struct EntityClass {
  let schema: EntitySchema
  let name: ClassName
  let superclass: ClassName
  private let slotNames: [String]

  /// Whether the class of the superentity is the model's too, and then is where `Identifiable` comes from.
  var inheritsFromModelClass: Bool { !superclass.isManagedObject }

  /// Nil when the entity's objects are plain `NSManagedObject`s.
  init?(of schema: EntitySchema, in model: ModuleModel) throws(GenerationError) {
    let name = model.className(of: schema)
    guard !name.isManagedObject else { return nil }
    guard name.module == nil else {
      throw .classOfOtherModule(name.spelling, entity: schema.name, module: model.module)
    }
    guard SwiftName(name.path).isIdentifier else {
      throw .notAnIdentifier(name.path, place: "entity '\(schema.name)': class")
    }
    self.schema = schema
    self.name = name
    self.superclass = model.ancestors(of: schema).first.map(model.className(of:)) ?? .managedObject
    self.slotNames = model.schema.slotNames(of: schema.name)
  }

  /// The expression that names a property's slot: `ManagedSlot(3, 0x1f2e3d4c5b6a7988, "title")`.
  ///
  /// The index is the fast way; the hash lets the runtime notice an object whose model has
  /// something else in that place, and then the name counts.
  func slot(of property: String) -> String {
    guard let index = slotNames.firstIndex(of: property) else {
      preconditionFailure("'\(property)' is a property of '\(schema.name)' and has a slot")
    }
    return ManagedSlotName.expression(property, at: index)
  }
}
