import CoreDataModel
import Foundation

/// Supplies the rows of a batch insertion in another form, such as the lines of a file.
package protocol RowFiller: AnyObject {
  /// Writes the values of the next row; false at the end.
  func fill(_ row: inout RowPen) throws -> Bool
  /// Hears that a row, counted from 1, has values that must be unique and that these rows have, too.
  ///
  /// The insertion fails when all rows were looked at.
  func refused(_ row: Int, for others: [DuplicatedRow])
}

/// A row with values that another one must not have.
package struct DuplicatedRow {
  package let properties: [String]
  package let place: Place

  package enum Place {
    /// An earlier row of the insertion, counted from 1.
    case earlier(Int)
    case stored(entity: String, key: Int64)
  }
}

/// Writes the values of a row at the places where the row keeps them, over the model's defaults.
///
/// ```
/// bytes of a file ─▶ RowPen ─▶ Snapshot ─▶ the statement's values
/// ```
///
/// There are no objects, boxes or texts between them.
package struct RowPen {
  private let layout: EntityLayout
  private let defaults: [(slot: Int, value: SlotValue)]
  private let derivesTexts: Bool
  private var writer = SnapshotWriter(expectedBytes: 4096)
  /// The slots that the row sets, also to null.
  package private(set) var given = SlotSet()
  /// Data that a file of its own may keep: none is made for a row that is only tried.
  private var external: [(slot: Int, data: Data)] = []

  package init(_ layout: EntityLayout) {
    self.layout = layout
    defaults = layout.slots.prefix(layout.propertyCount).enumerated().compactMap { slot, entry in
      guard entry.isPersistent, !entry.kind.isToMany, !entry.isDerived else { return nil }
      return layout.defaults[slot].isNull ? nil : (slot, layout.defaults[slot])
    }
    derivesTexts = !layout.derivations.isEmpty
  }

  /// Begins the next row.
  package mutating func begin() {
    given = SlotSet()
    external.removeAll(keepingCapacity: true)
    writer.begin(slotCount: layout.slots.count, version: 1)
  }

  /// The row, with the defaults of what it says nothing of; `file` may put data into a file of its own.
  mutating func finish(file: (Data) throws -> String?) throws -> Snapshot {
    for (slot, value) in defaults where !given.contains(slot) {
      try writer.set(slot, to: value, in: layout)
    }
    for (slot, data) in external {
      if let name = try file(data) {
        ExternalData.reference(toFile: name).withUnsafeBytes { writer.set(slot, to: $0) }
      } else {
        try writer.set(slot, to: .data(data), in: layout)
      }
    }
    let row = writer.finish()
    return derivesTexts ? deriving(from: row) : row
  }

  private mutating func deriving(from row: Snapshot) -> Snapshot {
    for derivation in layout.derivations {
      guard case .ownText(let form, let source) = derivation.source, row.hasValue(source) else {
        continue
      }
      writer.set(derivation.slot, to: form.of(row.text(source)))
    }
    return writer.finish()
  }
}

// MARK: - Values

extension RowPen {
  package mutating func setNothing(_ slot: Int) {
    given.insert(slot)
  }

  /// Sets an integer within its type, or a Boolean value as 0 or 1.
  package mutating func set(_ slot: Int, to integer: Int64) {
    given.insert(slot)
    writer.set(slot, to: integer)
  }

  /// Sets a number, or a date as seconds since 1 January 2001.
  package mutating func set(_ slot: Int, to real: Double) {
    given.insert(slot)
    writer.set(slot, to: real)
  }

  /// Sets a text, which is UTF-8.
  package mutating func set(_ slot: Int, toText bytes: UnsafeRawBufferPointer) {
    given.insert(slot)
    writer.set(slot, to: bytes)
  }

  /// Sets a value in any type that the attribute takes; throws 1550 for one of another.
  package mutating func set(_ slot: Int, toAny value: Any) throws {
    let value = try layout.valueForBatch(value, at: slot, place: "a row")
    given.insert(slot)
    if case .data(let data) = value, layout.slots[slot].kind == .externalData {
      external.append((slot, data))
    } else {
      try writer.set(slot, to: value, in: layout)
    }
  }

  /// Lets a to-one relationship lead to an object of the same store; throws for one of another kind.
  package mutating func set(_ slot: Int, to id: NSManagedObjectID) throws {
    let target = try layout.target(id, at: slot, in: id.key.store, place: "a row")
    given.insert(slot)
    writer.set(slot, to: target.key.number)
    if let entity = layout.slots[slot].end?.entitySlot {
      writer.set(entity, to: Int64(target.layout.number))
    }
  }
}
