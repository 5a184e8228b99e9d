import CoreDataModel

/// The bits of `ZCOLUMNS` for the properties of an entity.
///
/// ```
/// Note   to-one            attributes          to-many
///        covers folder     created … views     related tags
///        0      1          2       …           …
/// ```
///
/// Within each of the three groups the superentity's properties come first, then the own ones, each by name. A to-one
/// relationship that leads to one of several entities has two bits, and a composite attribute one for each element,
/// as they have columns. Properties without a column do not have bits, except for the place that an R-tree is made
/// of.
package struct HistoryBits: Sendable {
  /// The slot of each bit; negative for a property of the store that the model does not have.
  let slots: [Int]
  /// The bit of each slot; negative for slots without one.
  private let places: [Int]

  init(_ layout: EntityLayout) {
    let properties = layout.slots.prefix(layout.propertyCount).enumerated().filter {
      $0.element.isPersistent || $0.element.attribute?.isPlace == true
    }
    let toOne = properties.filter { $0.element.kind == .toOne }
      .flatMap { [$0.offset] + [$0.element.end?.entitySlot].compactMap { $0 } }
    let attributes = properties.filter { $0.element.attribute != nil }
      .flatMap { slot in
        slot.element.elements.isEmpty ? [slot.offset] : slot.element.elements.map(\.slot)
      }
    let toMany = properties.filter { $0.element.kind.isToMany }.map(\.offset)
    self.init(slots: toOne + attributes + toMany, in: layout)
  }

  private init(slots: [Int], in layout: EntityLayout) {
    self.slots = slots
    var places = Array(repeating: -1, count: layout.slots.count)
    for (place, slot) in slots.enumerated() where slot >= 0 { places[slot] = place }
    self.places = places
  }

  /// The bits of an entity in a store whose entity has more attributes.
  init(_ layout: EntityLayout, among whole: EntityLayout, besides surplus: Set<String>) {
    var known = HistoryBits(layout).slots.makeIterator()
    let all = HistoryBits(whole).slots
    let slots = all.map { surplus.contains(whole.slots[$0].name) ? -1 : known.next() ?? -1 }
    self.init(slots: slots, in: layout)
  }

  /// How many bytes the bits take.
  var byteCount: Int { (slots.count + 7) / 8 }

  /// Sets the bits of some slots in bytes that are zero.
  func set(_ changed: SlotSet, in bytes: inout [UInt8]) {
    for slot in changed where slot < places.count && places[slot] >= 0 {
      bytes[places[slot] / 8] |= 0x80 >> UInt8(places[slot] % 8)
    }
  }

  package func bytes(for changed: SlotSet) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    set(changed, in: &bytes)
    return bytes
  }

  /// The slots whose bits are set; nil for bytes of another model.
  func slots(in bytes: some RandomAccessCollection<UInt8>) -> SlotSet? {
    guard bytes.count == byteCount else { return nil }
    var found = SlotSet()
    for (index, byte) in bytes.enumerated() where byte != 0 {
      for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 {
        guard index * 8 + bit < slots.count else { return nil }
        let slot = slots[index * 8 + bit]
        if slot >= 0 { found.insert(slot) }
      }
    }
    return found
  }
}
