import CoreDataModel
import Foundation

/// Turns values by name into rows: what is given, checked, over the model's defaults.
///
/// ```
/// ["title": "First", "folder": id]  ─▶  title "First"  folder 7  stars 0  …   given: title, folder
/// ```
struct BatchRowPacker {
  let layout: EntityLayout
  private let store: StoreNumber
  /// The slots that rows of the entity keep and a batch may set, each with its kind.
  private let stored: [(slot: Int, kind: SlotKind)]
  private let forms: [PlainForm]
  private var values: [SlotValue]
  /// What was set since the last row.
  private(set) var given = SlotSet()
  private var writer = SnapshotWriter(expectedBytes: 4096)
  /// Which row is being filled, from 1.
  private(set) var rowNumber = 1
  /// The slots that were found to be settable.
  private var known = SlotSet()
  private let namedPlace: String?

  /// Errors call the place of a value `place`, or count rows.
  init(_ layout: EntityLayout, in store: StoreNumber, place: String? = nil) {
    self.layout = layout
    self.store = store
    namedPlace = place
    values = layout.defaults
    forms = layout.slots.map(PlainForm.init)
    stored = layout.slots.prefix(layout.propertyCount).enumerated()
      .filter { $1.isPersistent && !$1.kind.isToMany && !$1.isDerived }
      .map { ($0, $1.kind) }
  }

  /// Where the current row is, for errors.
  var place: String { namedPlace ?? "row \(rowNumber)" }

  mutating func set(_ value: Any, for name: String) throws {
    guard let slot = layout.slot(named: name) else {
      _ = try layout.slotForBatch(name, place: place)
      return
    }
    try set(value, at: slot)
  }

  mutating func set(_ value: Any, at slot: Int) throws {
    if !known.contains(slot) {
      _ = try layout.slotForBatch(layout.slots[slot].name, place: place)
      known.insert(slot)
    }
    values[slot] = try converted(value, at: slot)
    given.insert(slot)
  }

  /// The row, and nothing given for the next one; `file` may put data into a file of its own.
  mutating func finish(file: (Data) throws -> String?) throws -> Snapshot {
    writer.begin(slotCount: layout.slots.count, version: 1)
    for (slot, kind) in stored {
      switch values[slot] {
      case .null: continue
      case .integer(let integer): writer.set(slot, to: integer)
      case .real(let real): writer.set(slot, to: real)
      case .text(let text): writer.set(slot, to: text)
      case .data(let data) where kind == .externalData:
        if let name = try file(data) {
          ExternalData.reference(toFile: name).withUnsafeBytes { writer.set(slot, to: $0) }
        } else {
          try writer.set(slot, to: values[slot], in: layout)
        }
      case .data, .uuid, .url, .object, .collection:
        try writer.set(slot, to: values[slot], in: layout)
      }
      if kind == .toOne, let entity = layout.slots[slot].end?.entitySlot,
        case .integer(let number) = values[entity]
      {
        writer.set(entity, to: number)
      }
    }
    setDerivedTexts()
    let row = writer.finish()
    startNextRow()
    return row
  }

  /// A row that an object has, which knows its defaults itself.
  mutating func finish(
    _ object: NSManagedObject,
    file: (Data) throws -> String?
  ) throws -> Snapshot {
    writer.begin(slotCount: layout.slots.count, version: 1)
    let place = place
    try writer.setValues(of: object, file: file) { target, slot in
      // An object without a context leads only to others of its kind.
      throw BatchFailure.wrongTarget(
        "\(object.layout.name).\(object.layout.slots[slot].name)",
        target: "\(target.objectID)",
        why: "was never saved",
        place: place,
        code: NSManagedObjectExternalRelationshipError
      ).error(key: object.layout.slots[slot].name, value: target)
    }
    rowNumber += 1
    return writer.finish()
  }

  private mutating func setDerivedTexts() {
    for derivation in layout.derivations {
      guard case .ownText(let function, let source) = derivation.source,
        case .text(let text) = values[source]
      else { continue }
      writer.set(derivation.slot, to: function.changed(text))
    }
  }

  private mutating func startNextRow() {
    for slot in given {
      values[slot] = layout.defaults[slot]
      if let entity = layout.slots[slot].end?.entitySlot { values[entity] = .null }
    }
    given = SlotSet()
    rowNumber += 1
  }
}

// MARK: - Values

extension BatchRowPacker {
  private mutating func converted(_ value: Any, at slot: Int) throws -> SlotValue {
    if let value = forms[slot].plain(value) { return value }
    guard let value = NSManagedObject.unwrapped(value) else {
      if let entity = layout.slots[slot].end?.entitySlot { values[entity] = .null }
      return .null
    }
    if layout.kinds[slot] == .toOne {
      let target = try layout.target(value, at: slot, in: store, place: place)
      if let entity = layout.slots[slot].end?.entitySlot {
        values[entity] = .integer(Int64(target.layout.number))
      }
      return .integer(target.key.number)
    }
    return try layout.valueForBatch(value, at: slot, place: place)
  }
}

extension EntityLayout {
  /// A value that is there, as the slot of an attribute holds it; throws 1550 for one of another type.
  func valueForBatch(_ value: Any, at slot: Int, place: String) throws -> SlotValue {
    if let taken = accepted(value, at: slot) { return taken }
    throw BatchFailure.wrongType(
      "\(name).\(slots[slot].name)",
      expected: expectation(at: slot),
      value: "the \(type(of: value)) \(value)",
      place: place
    ).error(key: slots[slot].name, value: value)
  }

  /// The object that a to-one relationship shall lead to; throws for what it cannot lead to.
  func target(
    _ value: Any,
    at slot: Int,
    in store: StoreNumber,
    place: String
  ) throws -> ObjectName {
    let property = "\(name).\(slots[slot].name)"
    guard let id = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID else {
      throw BatchFailure.wrongType(
        property,
        expected: "the NSManagedObjectID of a saved object",
        value: "the \(type(of: value)) \(value)",
        place: place
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
      place: place,
      code: obstacle.code
    ).error(key: slots[slot].name, value: value)
  }
}
