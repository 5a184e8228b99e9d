import CoreDataModel
import Foundation

/// The rows of a batch insertion, one after the other, packed.
///
/// A class, so that a step to the next row copies none of what it holds.
package final class BatchRowSource {
  private let rows: BatchRows
  private let layout: EntityLayout
  private let store: StoreNumber
  private var packer: BatchRowPacker
  /// The attributes that every row must have.
  private let mandatory: [Int]
  /// Which row comes next, from 1.
  private var rowNumber = 1
  /// The values of dictionaries that are given as a whole.
  private var values: BatchRowValues
  /// The dictionary that a handler fills.
  private var dictionary: RowDictionary?
  private var object: NSManagedObject?
  /// Takes the properties of encodable values, if there are any.
  private let encoder: RowValuesEncoder?
  /// The pen with which a filler writes.
  private var pen: RowPen

  package init(_ rows: BatchRows, of layout: EntityLayout, in store: StoreNumber) {
    self.rows = rows
    self.layout = layout
    self.store = store
    packer = BatchRowPacker(layout)
    mandatory = layout.slots.indices.filter { layout.slots[$0].isMandatoryInBatches }
    values = BatchRowValues(layout, in: store)
    pen = RowPen(layout)
    encoder =
      if case .values(_, let targets) = rows { RowValuesEncoder(values, targets) } else { nil }
  }

  /// The next row, and the slots for which it was given a value; nil at the end.
  package func next(
    file: (Data) throws -> String?
  ) throws -> (row: Snapshot, given: SlotSet)? {
    let number = rowNumber
    defer { rowNumber += 1 }
    switch rows {
    case .dictionaries(let dictionaries):
      guard rowNumber <= dictionaries.count else { return nil }
      values.forgetAll()
      for (name, value) in dictionaries[rowNumber - 1] {
        try values.take(value, for: name, place: Self.place(number))
      }
      let row = try packer.row(of: values.values, file: file)
      return (try checked(row, number), values.given)
    case .dictionaryHandler(let handler):
      let dictionary = emptyDictionary()
      if handler(dictionary) { return nil }
      let values = try dictionary.values(place: Self.place(number))
      let row = try packer.row(of: values.values, file: file)
      return (try checked(row, number), values.given)
    case .objectHandler(let handler):
      let object = emptyObject()
      if handler(object) { return nil }
      let given = object.existingOverlay?.changed ?? SlotSet()
      let row = try packer.row(of: object, place: Self.place(number), file: file)
      return (try checked(row, number), given)
    case .values(let next, _):
      guard let encoder else { return nil }
      encoder.row.begin(number)
      guard try next(encoder) else { return nil }
      let row = try packer.row(of: encoder.row.finished(), file: file)
      return (try checked(row, number), encoder.row.given)
    case .filler(let filler):
      pen.begin()
      guard try filler.fill(&pen) else { return nil }
      return (try checked(pen.finish(file: file), number), pen.given)
    }
  }

  /// The row, if it has every value that it must have.
  private func checked(_ row: Snapshot, _ number: Int) throws -> Snapshot {
    guard let slot = mandatory.first(where: { !row.hasValue($0) }) else { return row }
    throw BatchFailure.missing(
      "\(layout.name).\(layout.slots[slot].name)",
      place: Self.place(number)
    ).error(key: layout.slots[slot].name)
  }

  /// The filler, which hears of refused rows.
  package var filler: (any RowFiller)? {
    if case .filler(let filler) = rows { filler } else { nil }
  }

  /// The place of the row, for errors.
  static func place(_ number: Int) -> String { "row \(number)" }
}

// MARK: - What handlers fill

extension BatchRowSource {
  /// The same dictionary again, unless the handler has kept it.
  private func emptyDictionary() -> RowDictionary {
    if dictionary != nil, isKnownUniquelyReferenced(&dictionary), let dictionary {
      dictionary.removeAllObjects()
      return dictionary
    }
    let new = RowDictionary(layout, in: store)
    dictionary = new
    return new
  }

  /// The same object again, unless the handler has kept it.
  private func emptyObject() -> NSManagedObject {
    if object != nil, isKnownUniquelyReferenced(&object), let object {
      object.forgetOwnValues()
      return object
    }
    let new = layout.objectClass.init(entity: layout.description, insertInto: nil)
    object = new
    return new
  }
}

extension Slot {
  /// Whether no row may be without a value; relationships are not asked, as with Apple's.
  fileprivate var isMandatoryInBatches: Bool {
    guard let attribute, hidden == nil, isPersistent, !isDerived, kind != .composite,
      kind != .object
    else {
      return false
    }
    return !attribute.isOptional
  }
}

extension NSManagedObject {
  /// Makes an object without a context as if it were new.
  fileprivate func forgetOwnValues() {
    guard let overlay = existingOverlay else { return }
    for slot in overlay.present { overlay.forget(slot) }
    overlay.changed = SlotSet()
    overlay.forgetEvent()
  }
}
