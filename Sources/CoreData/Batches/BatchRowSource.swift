import Foundation

/// The rows of a batch insertion, one after the other, packed.
struct BatchRowSource {
  private let rows: BatchRows
  private var packer: BatchRowPacker
  /// Where the next row stands among dictionaries that are all there.
  private var index = 0
  /// What a handler fills.
  private var dictionary: RowDictionary?
  private var object: NSManagedObject?

  init(_ rows: BatchRows, of layout: EntityLayout, in store: StoreNumber) {
    self.rows = rows
    packer = BatchRowPacker(layout, in: store)
  }

  /// The next row, and the slots for which it was given a value; nil at the end.
  mutating func next(
    file: (Data) throws -> String?
  ) throws -> (row: Snapshot, given: SlotSet)? {
    switch rows {
    case .dictionaries(let dictionaries):
      guard index < dictionaries.count else { return nil }
      for (name, value) in dictionaries[index] { try packer.set(value, for: name) }
      index += 1
    case .dictionaryHandler(let handler):
      let dictionary = emptyDictionary()
      if handler(dictionary) { return nil }
      try dictionary.give(to: &packer)
    case .objectHandler(let handler):
      let object = emptyObject()
      if handler(object) { return nil }
      let given = object.record.pointee.overlay?.changed ?? SlotSet()
      return (try packer.finish(object, file: file), given)
    }
    let given = packer.given
    return (try packer.finish(file: file), given)
  }
}

// MARK: - What handlers fill

extension BatchRowSource {
  /// The same dictionary again, unless the handler has kept it.
  private mutating func emptyDictionary() -> RowDictionary {
    if dictionary != nil, isKnownUniquelyReferenced(&dictionary), let dictionary {
      dictionary.removeAllObjects()
      return dictionary
    }
    let new = RowDictionary(packer.layout)
    dictionary = new
    return new
  }

  /// The same object again, unless the handler has kept it.
  private mutating func emptyObject() -> NSManagedObject {
    if object != nil, isKnownUniquelyReferenced(&object), let object {
      object.forgetOwnValues()
      return object
    }
    let layout = packer.layout
    let new = layout.objectClass.init(entity: layout.description, insertInto: nil)
    object = new
    return new
  }
}

extension NSManagedObject {
  /// Makes an object without a context as if it were new.
  fileprivate func forgetOwnValues() {
    guard let overlay = record.pointee.overlay else { return }
    for slot in overlay.present { overlay.forget(slot) }
    overlay.changed = SlotSet()
    overlay.changedInEvent = SlotSet()
  }
}
