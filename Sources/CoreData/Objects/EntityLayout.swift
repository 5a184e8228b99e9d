package import CoreDataModel

/// Where each property of an entity's objects stands: names become slots here, once.
///
/// ```
/// Note     0 created   1 folder   2 tags   3 title    4 (the folder's order)
///          └ inherited ┘ own properties, by name      └ hidden: what rows keep besides properties
/// ```
///
/// A subentity's objects have their superentity's slots at the same places.
///
/// Safety: complete before the model layout leaves its initializer, and never changed afterwards.
package final class EntityLayout: @unchecked Sendable {
  package let name: String
  /// Core Data's number of the entity in this model, from 1: the `Z_ENT` of its rows.
  package let number: Int32
  package let rootNumber: Int32
  /// The numbers of this entity and everything below it.
  package let numbers: ClosedRange<Int32>
  package let isAbstract: Bool
  package let schema: EntitySchema
  package private(set) var slots: [Slot]
  /// How many slots are properties; the hidden ones follow.
  package let propertyCount: Int
  /// The names' hashes, by which generated code proves its slot numbers.
  let hashes: UnsafeMutableBufferPointer<UInt64>
  /// The slots' kinds by themselves, for code that runs for every value.
  private(set) var kinds: UnsafeMutablePointer<SlotKind>
  /// The slots of relationships and of what is never stored: their values outlive a save in memory.
  private(set) var slotsKeptInMemory = SlotSet()
  /// What a new object holds.
  private(set) var defaults: [SlotValue] = []
  private var slotsByName: [String: Int] = [:]
  unowned let model: ModelLayout
  /// The description, which the model layout keeps alive.
  unowned let description: NSEntityDescription
  /// The class its objects have.
  let objectClass: NSManagedObject.Type
  /// What the model demands of properties, in the order of their slots.
  private(set) var rules: [ValidationRule] = []
  /// What the class demands of properties; nil for nearly all classes, which demand nothing.
  private(set) var ownValidation: OwnValidation?
  /// The properties whose values no two rows may share.
  private(set) var constraints: [UniqueConstraint] = []
  /// Whether the store computes some of the values.
  private(set) var hasDerivedAttributes = false
  /// Whether saving must look at relationships besides to-one ones.
  private(set) var hasCollections = false

  init(_ node: EntityForest.Node, in model: ModelLayout) {
    guard let description = model.model.description(ofEntity: node.schema.name) else {
      stop("the model has lost its entity \(node.schema.name)")
    }
    self.model = model
    self.description = description
    schema = node.schema
    name = node.schema.name
    number = Int32(node.number)
    rootNumber = Int32(node.rootNumber)
    numbers = Int32(node.numbers.lowerBound)...Int32(node.numbers.upperBound)
    isAbstract = node.schema.isAbstract
    objectClass = ObjectClass.find(node.schema.className, entity: node.schema.name)
    let names = model.schema.slotNames(of: node.schema.name)
    slots = names.map { name in
      guard let property = model.schema.property(name, of: node.schema.name) else {
        stop("the entity \(node.schema.name) has lost its property \(name)")
      }
      return Slot(property)
    }
    propertyCount = names.count
    kinds = .allocate(capacity: 0)
    hashes = .allocate(capacity: names.count)
    for (slot, name) in names.enumerated() {
      hashes.initializeElement(at: slot, to: PropertyHash.of(name))
      slotsByName[name] = slot
    }
  }

  deinit {
    hashes.deallocate()
    kinds.deallocate()
  }

  /// The slot of a property; nil for a name that is not in the model.
  package func slot(named name: String) -> Int? { slotsByName[name] }

  /// Whether this entity is `other` or inherits from it.
  package func isKind(of other: EntityLayout) -> Bool { other.numbers.contains(number) }
}

// MARK: - Connecting

extension EntityLayout {
  /// Finds the other end of each relationship, and adds the hidden slots.
  func connect(in model: ModelLayout) {
    for (index, slot) in slots.enumerated() {
      guard case .relationship(let relationship) = slot.property else { continue }
      guard let destination = model[relationship.destinationName] else { continue }
      var end = RelationshipTarget(
        destination: destination.number,
        isOrdered: relationship.isOrdered
      )
      end.inverse = relationship.inverseName.flatMap(destination.slot(named:))
      if relationship.isToMany || relationship.isTransient {
        slots[index].end = end
        continue
      }
      if destination.numbers.count > 1 {
        end.entitySlot = addHidden(.destinationEntity(of: index))
      }
      if let inverse = end.inverse, destination.slots[inverse].isOrdered {
        end.orderSlot = addHidden(.order(in: index))
      }
      slots[index].end = end
    }
    for source in model.entities { addForeignKeys(from: source) }
    fillDefaults()
    collectKinds()
    rules = ValidationRule.rules(of: self)
    let ownValidation = OwnValidation(of: self)
    if !ownValidation.asked.isEmpty { self.ownValidation = ownValidation }
    constraints = UniqueConstraint.all(of: self, in: model)
    hasDerivedAttributes = slots.contains { $0.attribute?.derivationExpression != nil }
    hasCollections = slots.contains { $0.kind.isToMany }
  }

  /// Adds a slot for each to-many relationship of `source` that has no inverse and leads here.
  private func addForeignKeys(from source: EntityLayout) {
    for relationship in source.schema.relationships
    where relationship.isToMany && !relationship.isTransient && relationship.inverseName == nil {
      guard let destination = source.model[relationship.destinationName],
        destination.numbers.contains(number),
        let slot = source.slot(named: relationship.name)
      else { continue }
      let key = addHidden(.foreignKey(entity: source.number, slot: slot))
      if relationship.isOrdered { _ = addHidden(.foreignOrder(of: key)) }
    }
  }

  private func addHidden(_ hidden: HiddenSlot) -> Int {
    slots.append(Slot(hidden))
    return slots.count - 1
  }

  private func collectKinds() {
    kinds.deallocate()
    kinds = .allocate(capacity: slots.count)
    for (index, slot) in slots.enumerated() {
      (kinds + index).initialize(to: slot.kind)
      if slot.kind.isRelationship || !slot.isPersistent { slotsKeptInMemory.insert(index) }
    }
  }

  private func fillDefaults() {
    defaults = slots.map { slot in
      guard case .attribute(let attribute) = slot.property else { return .null }
      return attribute.defaultValue.map(SlotValue.init) ?? .null
    }
  }

  /// The hidden slot that satisfies a condition.
  func hiddenSlot(_ hidden: HiddenSlot) -> Int? {
    slots[propertyCount...].firstIndex { $0.hidden == hidden }
  }

  /// The number of the entity that declares a property.
  func declarer(of slot: Int) -> Int32 {
    let name = slots[slot].name
    let ancestors = model.entities.filter { isKind(of: $0) }
    return ancestors.first { $0.slot(named: name) != nil }?.number ?? number
  }

  /// Whether this end of a many-to-many relationship is the one that tells the store of pairs.
  func speaksForPair(_ slot: Int) -> Bool {
    guard let end = slots[slot].end, let inverse = end.inverse,
      let destination = model[number: end.destination]
    else { return true }
    let own = (declarer(of: slot), slot)
    return own <= (destination.declarer(of: inverse), inverse)
  }
}
