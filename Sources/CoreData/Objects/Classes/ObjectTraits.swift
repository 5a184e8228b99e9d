import CoreDataModel

/// The knowledge about an entity's objects that rows do not need: description, class, and rules.
///
/// Safety: complete before anybody else sees the model layout, and never changed afterwards.
final class ObjectTraits: @unchecked Sendable {
  /// The description, which the model keeps alive.
  unowned let description: NSEntityDescription
  /// The knowledge of a module above, which the description keeps alive.
  let rowKind: Unmanaged<AnyObject>?
  /// The class of the entity's objects.
  let objectClass: NSManagedObject.Type
  /// Whether the class itself names the entity.
  let isNamedByClass: Bool
  /// The demands of the model on properties, in the order of their slots.
  let rules: [ValidationRule]
  /// The demands of the class on properties; `nil` for nearly all classes, which have none.
  let ownValidation: OwnValidation?
  /// The consequences of an object's deletion for its relationships.
  let deletionDuties: [DeletionDuty]

  fileprivate init(of layout: EntityLayout, in model: NSManagedObjectModel) {
    guard let description = model.description(ofEntity: layout.name) else {
      stop("the model has lost its entity \(layout.name)")
    }
    self.description = description
    rowKind = description.rowKind.map { .passUnretained($0 as AnyObject) }
    objectClass =
      description.rowKind?.rowClass as? NSManagedObject.Type
      ?? ObjectClass.find(layout.schema.className, entity: layout.name)
    isNamedByClass = MethodOverride.ofEntity.isIn(objectClass)
    rules = ValidationRule.rules(of: layout, description)
    let ownValidation = OwnValidation(of: layout, objectClass)
    self.ownValidation = ownValidation.asked.isEmpty ? nil : ownValidation
    deletionDuties = DeletionDuty.all(of: layout)
  }
}

extension EntityLayout {
  // Each layout has its traits before anybody sees its model. No reference is counted, as every object asks.
  private func reading<Value>(_ body: (ObjectTraits) -> Value) -> Value {
    attachment.unsafelyUnwrapped._withUnsafeGuaranteedRef {
      body(unsafeDowncast($0, to: ObjectTraits.self))
    }
  }

  var description: NSEntityDescription { reading { $0.description } }
  var objectClass: NSManagedObject.Type { reading { $0.objectClass } }
  var rowKind: Unmanaged<AnyObject>? { reading { $0.rowKind } }
  var isNamedByClass: Bool { reading { $0.isNamedByClass } }
  var rules: [ValidationRule] { reading { $0.rules } }
  var ownValidation: OwnValidation? { reading { $0.ownValidation } }
  var deletionDuties: [DeletionDuty] { reading { $0.deletionDuties } }

  /// Defaults that no schema can hold: every new object has the very object that the model has.
  fileprivate func fillDefaultObjects() {
    for slot in 0..<propertyCount {
      switch slots[slot].kind {
      case .transformable, .composite, .object:
        guard let value = description.attributesByName[slots[slot].name]?.defaultValue else {
          continue
        }
        guard let taken = accepted(value, at: slot) else {
          stop(
            "\(value) cannot be the default of \(name).\(slots[slot].name): \(expectation(at: slot))"
          )
        }
        defaults[slot] = taken
      case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
        .toOne, .toMany, .orderedToMany, .fetched:
        continue
      }
    }
  }
}

extension ModelLayout {
  /// Creates the layout of a model, with the traits of each entity's objects.
  convenience init(_ schema: ModelSchema, of model: NSManagedObjectModel) {
    ObjectRecord.requirePlace()
    self.init(schema, owner: model)
    for entity in entities {
      let traits = ObjectTraits(of: entity, in: model)
      attachments.append(traits)
      entity.attachment = .passUnretained(traits)
    }
    for entity in entities { entity.fillDefaultObjects() }
    let classes = Dictionary(grouping: entities) { ObjectIdentifier($0.objectClass) }
    for (type, entities) in classes where entities.count == 1 {
      entitiesOfClasses[type] = entities[0]
      numbersOfClasses[_typeName(entities[0].objectClass)] = entities[0].number
    }
    numbersOfClasses[_typeName(NSManagedObject.self)] = nil
    for entity in entities { entity.description.setLayout(entity) }
  }

  /// The model the layout was made from.
  package var model: NSManagedObjectModel { unsafeDowncast(owner, to: NSManagedObjectModel.self) }

  /// The entity whose objects have a class; `nil` if no entity has it, or several.
  subscript(onlyOneOf type: NSManagedObject.Type) -> EntityLayout? {
    entitiesOfClasses[ObjectIdentifier(type)]
  }
}
