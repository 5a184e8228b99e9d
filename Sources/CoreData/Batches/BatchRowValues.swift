import CoreDataModel
import Foundation

/// The values of one row as they are given, over the model's defaults.
///
/// ```
/// ["title": "First", "folder": id]  ─▶  title "First"  folder 7  stars 0  …   given: title, folder
/// ```
struct BatchRowValues {
  let layout: EntityLayout
  private let store: StoreNumber
  private let forms: [PlainForm]
  /// The slots that a batch may set.
  private let settable: SlotSet
  private let defaults: [SlotValue]
  /// The slots that keep the entities of what relationships lead to.
  private let entitySlots: [Int?]
  private var names: ExpectedNames
  /// The values, one for each slot.
  private(set) var values: [SlotValue]
  /// The slots that were set since the row was begun.
  private(set) var given = SlotSet()

  init(_ layout: EntityLayout, in store: StoreNumber) {
    self.layout = layout
    self.store = store
    let settable = layout.slotsSettableByBatches
    self.settable = settable
    forms = layout.slots.enumerated().map { settable.contains($0) ? PlainForm($1) : .any }
    entitySlots = layout.slots.map { $0.kind == .toOne ? $0.end?.entitySlot : nil }
    defaults = layout.defaults
    values = defaults
    names = ExpectedNames(layout)
  }

  /// Begins the next row.
  mutating func forgetAll() {
    for slot in given { forget(slot) }
    names.startRow()
  }

  private mutating func forget(_ slot: Int) {
    values[slot] = defaults[slot]
    if let entity = entitySlots[slot] { values[entity] = .null }
    given.remove(slot)
  }
}

// MARK: - Taking

extension BatchRowValues {
  /// Takes a value that comes in the type in which nearly all values of the property come, with a name
  /// that is a `String`; false, and nothing taken, for any other.
  mutating func takePlain(_ value: Any, for name: Any) -> Bool {
    guard let name = text(name), let slot = names.slot(named: name),
      let plain = forms[slot].plain(value)
    else { return false }
    set(plain, at: slot)
    return true
  }

  /// The same, of a value whose type is known when this is compiled, and whose slot was looked for.
  mutating func takePlain<Value>(exactly value: Value, at slot: Int) -> Bool {
    guard let plain = forms[slot].plain(exactly: value) else { return false }
    set(plain, at: slot)
    return true
  }

  private mutating func set(_ value: SlotValue, at slot: Int) {
    values[slot] = value
    given.insert(slot)
  }

  private func text<Name>(_ name: Name) -> String? { exactly(name, String.self) }

  /// Takes a value in any type that the property takes.
  ///
  /// Throws for all others, and for names that a batch cannot set; errors call the place of the value
  /// `place`.
  mutating func take(_ value: Any, for name: String, place: @autoclosure () -> String) throws {
    try take(value, at: slot(for: name, place: place()), place: place())
  }

  /// The slot of a property that a batch can set; throws for any other name.
  mutating func slot(for name: String, place: @autoclosure () -> String) throws -> Int {
    guard let slot = names.slot(named: name), settable.contains(slot) else {
      return try layout.slotForBatch(name, place: place())
    }
    return slot
  }

  mutating func take(_ value: Any, at slot: Int, place: @autoclosure () -> String) throws {
    if let plain = forms[slot].plain(value) {
      values[slot] = plain
    } else if let value = SlotValue.unwrapped(value) {
      try takeUnwrapped(value, at: slot, place: place())
    } else {
      forget(slot)
      values[slot] = .null
    }
    given.insert(slot)
  }

  private mutating func takeUnwrapped(
    _ value: Any,
    at slot: Int,
    place: @autoclosure () -> String
  ) throws {
    guard layout.kinds[slot] == .toOne else {
      values[slot] = try layout.valueForBatch(value, at: slot, place: place())
      return
    }
    let target = try layout.target(value, at: slot, in: store, place: place())
    values[slot] = .integer(target.key.number)
    if let entity = entitySlots[slot] { values[entity] = .integer(Int64(target.layout.number)) }
  }

  /// Takes a value back.
  mutating func forget(named name: String) {
    if let slot = layout.slot(named: name) { forget(slot) }
  }
}

// MARK: - Reading

extension BatchRowValues {
  var givenNames: [String] { given.map { layout.slots[$0].name } }

  /// A value that was given, as key-value coding gives it.
  func boxedValue(named name: String) -> Any? {
    guard let slot = layout.slot(named: name), given.contains(slot) else { return nil }
    return values[slot].boxed(at: slot, in: layout)
  }
}

/// Slots by their names, in the order in which rows name them.
///
/// Rows name the same properties in the same order, and may leave some out. Holding two names against each
/// other costs less than finding one of them in a table.
private struct ExpectedNames {
  private let layout: EntityLayout
  private var order: [(name: String, slot: Int)] = []
  private var next = 0

  init(_ layout: EntityLayout) {
    self.layout = layout
  }

  mutating func startRow() { next = 0 }

  mutating func slot(named name: String) -> Int? {
    var index = next
    while index < order.count {
      defer { index += 1 }
      guard order[index].name == name else { continue }
      next = index + 1
      return order[index].slot
    }
    guard let slot = layout.slot(named: name) else { return nil }
    // From a name in another order on, the order is learned again; more names than properties are repetitions.
    if next < layout.propertyCount {
      order.removeSubrange(next...)
      order.append((name, slot))
      next += 1
    }
    return slot
  }
}

extension EntityLayout {
  /// A value that is there, as the slot of an attribute holds it; throws 1550 for one of another type.
  func valueForBatch(
    _ value: Any,
    at slot: Int,
    place: @autoclosure () -> String
  ) throws -> SlotValue {
    if let taken = accepted(value, at: slot) { return taken }
    throw BatchFailure.wrongType(
      "\(name).\(slots[slot].name)",
      expected: expectation(at: slot),
      value: "the \(type(of: value)) \(value)",
      place: place()
    ).error(key: slots[slot].name, value: value)
  }

  /// The new target of a to-one relationship; throws for a value that cannot be one.
  func target(
    _ value: Any,
    at slot: Int,
    in store: StoreNumber,
    place: @autoclosure () -> String
  ) throws -> ObjectName {
    var property: String { "\(name).\(slots[slot].name)" }
    guard let id = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID else {
      throw BatchFailure.wrongType(
        property,
        expected: "the NSManagedObjectID of a saved object",
        value: "the \(type(of: value)) \(value)",
        place: place()
      ).error(key: slots[slot].name, value: value)
    }
    let destination = slots[slot].end.flatMap { model[number: $0.destination] }
    let obstacle: (why: String, code: Int)? =
      if id.isTemporaryID {
        ("was never saved", NSManagedObjectValidationError)
      } else if id.key.store != store {
        ("is in another store", NSManagedObjectExternalRelationshipError)
      } else if destination.map({ $0.numbers.contains(id.layout.number) }) != true {
        ("is no \(destination?.name ?? "object")", NSManagedObjectValidationError)
      } else {
        nil
      }
    guard let obstacle else { return ObjectName(id) }
    throw BatchFailure.wrongTarget(
      property,
      target: "\(id)",
      why: obstacle.why,
      place: place(),
      code: obstacle.code
    ).error(key: slots[slot].name, value: value)
  }
}
