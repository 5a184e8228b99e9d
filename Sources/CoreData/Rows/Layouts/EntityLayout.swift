package import CoreDataModel

/// A property whose value is in the object's own row: the facts that saving needs of each, without a look at its
/// slot.
struct KeptProperty {
  let slot: Int
  let kind: SlotKind
  let isDerived: Bool
  /// Whether its row has the value in one place: not so with composites, and with targets of which more
  /// than the key is kept.
  let isSingle: Bool

  /// `nil` for a property whose value is elsewhere, or nowhere.
  init?(_ slot: Int, of layout: EntityLayout) {
    let entry = layout.slots[slot]
    guard entry.isPersistent, !entry.kind.isToMany else { return nil }
    self.slot = slot
    kind = entry.kind
    isDerived = layout.derivedSlots.contains(slot)
    isSingle = entry.end == nil && entry.elements.isEmpty
  }
}

/// The slot of each property of an entity's objects: names become slots here, once.
///
/// ```
/// Note     0 created   1 folder   2 tags   3 title    4 (the folder's order)
///          └ inherited ┘ own properties, by name      └ hidden: what rows keep besides properties
/// ```
///
/// A subentity's objects have their superentity's slots at the same places.
///
/// Safety: complete before the model layout leaves its initializer, and never changed afterwards.
@usableFromInline
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
  /// The same for properties that rows have; another number for each of the others.
  ///
  /// A getter that is compiled into a program needs only this: one comparison says that there is a value, and where.
  @usableFromInline let hashesOfStored: UnsafeMutableBufferPointer<UInt64>
  /// The slots' kinds by themselves, for code that runs for every value.
  private(set) var kinds: UnsafeMutablePointer<SlotKind>
  /// The slots of relationships and of what is never stored: their values outlive a save in memory.
  private(set) var slotsKeptInMemory = SlotSet()
  /// The transient attributes and relationships, which no row has.
  private(set) var transientSlots = SlotSet()
  /// Those of the first 64 slots, as a word that is read without a look at anything else.
  private(set) var firstTransientSlots: UInt64 = 0
  /// The slots whose values are not numbers, so that their sizes in a row differ.
  private(set) var slotsOfManySizes = SlotSet()
  /// The properties whose values are in the object's own row, in the order of their slots.
  private(set) var keptProperties: [KeptProperty] = []
  /// The values of a new object.
  var defaults: [SlotValue] = []
  private let slotNames: SlotNames
  unowned let model: ModelLayout
  private let identityOfModel: ObjectIdentifier
  /// The knowledge about the entity's objects, which is the floor above's: an ``ObjectTraits``.
  ///
  /// The model layout keeps it alive.
  var attachment: Unmanaged<AnyObject>?
  /// The attributes whose data may be in files.
  private(set) var externalSlots = SlotSet()
  /// The derived attributes.
  package private(set) var derivations: [DerivedSlot] = []
  private(set) var derivedSlots = SlotSet()
  /// Whether some of their values are known only when the rows are written.
  package private(set) var needsStoreToDerive = false
  /// The properties whose values no two rows may share.
  package private(set) var constraints: [UniqueConstraint] = []
  var hasDerivedAttributes: Bool { !derivations.isEmpty }
  /// Whether saving must look at relationships besides to-one ones.
  private(set) var hasCollections = false
  /// The relationships that have a way back, each with it.
  private(set) var inverses: [(slot: Int, inverse: Int)] = []
  /// The stored to-one ones among them.
  private(set) var returningToOnes: [(slot: Int, inverse: Int)] = []
  /// Those of these that are one to one.
  private(set) var oneToOnes: [(slot: Int, inverse: Int)] = []

  init(_ node: EntityForest.Node, in model: ModelLayout) {
    self.model = model
    identityOfModel = ObjectIdentifier(model)
    schema = node.schema
    name = node.schema.name
    number = Int32(node.number)
    rootNumber = Int32(node.rootNumber)
    numbers = Int32(node.numbers.lowerBound)...Int32(node.numbers.upperBound)
    isAbstract = node.schema.isAbstract
    let names = model.schema.slotNames(of: node.schema.name)
    slots = names.map { name in
      guard let property = model.schema.property(name, of: node.schema.name) else {
        stop("the entity \(node.schema.name) has lost its property \(name)")
      }
      return Slot(property)
    }
    propertyCount = names.count
    slotNames = SlotNames(names)
    kinds = .allocate(capacity: 0)
    hashes = .allocate(capacity: names.count)
    hashesOfStored = .allocate(capacity: names.count)
    for (slot, name) in names.enumerated() {
      hashes.initializeElement(at: slot, to: PropertyHash.of(name))
      hashesOfStored.initializeElement(at: slot, to: PropertyHash.of(name))
    }
  }

  deinit {
    hashes.deallocate()
    hashesOfStored.deallocate()
    kinds.deallocate()
  }

  /// The slot of a property; nil for a name that is not in the model.
  package func slot(named name: String) -> Int? { slotNames.slot(of: name) }

  /// Whether the entity is one of this model's; asked for each new object, so that no reference is counted for it.
  func belongs(to model: ModelLayout) -> Bool { identityOfModel == ObjectIdentifier(model) }

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
        slots[index] = slot.leading(to: end)
        continue
      }
      if destination.numbers.count > 1 {
        end.entitySlot = addHidden(.destinationEntity(of: index))
      }
      if let inverse = end.inverse, destination.slots[inverse].isOrdered {
        end.orderSlot = addHidden(.order(in: index))
      }
      slots[index] = slot.leading(to: end)
    }
    for source in model.entities { addForeignKeys(from: source) }
    for slot in 0..<propertyCount where slots[slot].kind == .composite { addElements(of: slot) }
    fillDefaults()
    collectKinds()
    constraints = UniqueConstraint.all(of: self, in: model)
    hasCollections = slots.contains { $0.kind.isToMany }
    inverses = (0..<propertyCount).compactMap { slot in slots[slot].end?.inverse.map { (slot, $0) }
    }
    returningToOnes = inverses.filter { slots[$0.slot].isPersistent && kinds[$0.slot] == .toOne }
    oneToOnes = returningToOnes.filter { slot, inverse in
      slots[slot].end.map { model[number: $0.destination]?.slots[inverse].kind == .toOne } ?? false
    }
  }

  /// Finds what derived attributes come from, when every entity knows where its relationships lead.
  func connectDerivations() {
    derivations = DerivedSlot.all(of: self)
    derivedSlots = SlotSet(derivations.map(\.slot))
    needsStoreToDerive = derivations.contains {
      if case .ownText = $0.source { false } else { true }
    }
    keptProperties = (0..<propertyCount).compactMap { KeptProperty($0, of: self) }
  }

  /// Adds a slot for each to-many relationship of `source` that leads here and does not have an inverse.
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

  private func addElements(of slot: Int) {
    var elements: [CompositeElement] = []
    for (index, leaf) in (slots[slot].attribute?.leaves ?? []).enumerated() {
      let name = ([slots[slot].name] + leaf.path).joined(separator: ".")
      let hidden = HiddenSlot.element(of: slot, index: index)
      elements.append(CompositeElement(path: leaf.path, slot: slots.count))
      slots.append(Slot(hidden, leaf.attribute, named: name))
    }
    slots[slot] = slots[slot].having(elements)
  }

  private func addHidden(_ hidden: HiddenSlot) -> Int {
    slots.append(Slot(hidden))
    return slots.count - 1
  }

  /// Whether rows have the value of a slot, which is true of all slots in most entities.
  func isStored(_ slot: Int) -> Bool { !transientSlots.contains(slot) }

  private func collectKinds() {
    kinds.deallocate()
    kinds = .allocate(capacity: slots.count)
    for (index, slot) in slots.enumerated() {
      (kinds + index).initialize(to: slot.kind)
      if !slot.kind.isNumber { slotsOfManySizes.insert(index) }
      if slot.kind == .externalData, slot.isPersistent { externalSlots.insert(index) }
      if slot.kind.isRelationship || !slot.isPersistent { slotsKeptInMemory.insert(index) }
      if !slot.isPersistent, slot.kind != .fetched {
        transientSlots.insert(index)
        if index < 64 { firstTransientSlots |= 1 << UInt64(index) }
        if index < propertyCount { hashesOfStored[index] = ~hashes[index] }
      }
    }
  }

  private func fillDefaults() {
    defaults = slots.map { slot in
      guard case .attribute(let attribute) = slot.property else { return .null }
      return attribute.defaultValue.map(SlotValue.init) ?? .null
    }
    for (slot, entry) in slots.enumerated() where entry.kind == .composite {
      defaults[slot] = CompositeValue(entry.elements.map { defaults[$0.slot] }).slotValue
    }
  }

  /// The hidden slot that satisfies a condition.
  func hiddenSlot(_ hidden: HiddenSlot) -> Int? {
    slots[propertyCount...].firstIndex { $0.hidden == hidden }
  }

  /// The number of the entity that declares a property.
  package func declarer(of slot: Int) -> Int32 {
    let name = slots[slot].name
    let ancestors = model.entities.filter { isKind(of: $0) }
    return ancestors.first { $0.slot(named: name) != nil }?.number ?? number
  }

  /// Whether both ends of a relationship are to-many.
  func isPaired(_ slot: Int) -> Bool {
    guard kinds[slot].isToMany, let end = slots[slot].end, let inverse = end.inverse else {
      return false
    }
    return model[number: end.destination]?.slots[inverse].kind.isToMany == true
  }

  /// Whether this end of a many-to-many relationship is the one that reports pairs to the store.
  func speaksForPair(_ slot: Int) -> Bool {
    guard let end = slots[slot].end, let inverse = end.inverse,
      let destination = model[number: end.destination]
    else { return true }
    let own = (declarer(of: slot), slot)
    return own <= (destination.declarer(of: inverse), inverse)
  }
}
