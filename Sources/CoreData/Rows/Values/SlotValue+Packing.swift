import CoreDataModel
import Foundation

// MARK: - Unpacking

extension SlotValue {
  /// Unpacks a number, a date, a text or null without counting references; `nil` for other kinds.
  @inline(__always)
  init?(unpackingPlain slot: Int, of bytes: SnapshotBytes, in layout: EntityLayout) {
    switch layout.kinds[slot] {
    case .integer, .boolean: self = bytes.hasValue(slot) ? .integer(bytes.integer(slot)) : .null
    case .real, .date: self = bytes.hasValue(slot) ? .real(bytes.real(slot)) : .null
    case .text: self = bytes.hasValue(slot) ? .text(bytes.text(slot)) : .null
    case .uri, .uuid, .decimal, .data, .externalData, .transformable, .composite, .object, .toOne,
      .toMany, .orderedToMany, .fetched:
      return nil
    }
  }

  /// An attribute's value as a snapshot has it.
  init(unpacking slot: Int, of snapshot: Snapshot, in layout: EntityLayout) {
    if let plain = SlotValue(unpackingPlain: slot, of: snapshot.bytes, in: layout) {
      self = plain
      return
    }
    guard snapshot.hasValue(slot) else {
      // Only the elements of a composite value are in the row.
      let isComposite = layout.kinds[slot] == .composite
      self = isComposite ? CompositeValue.unpacked(slot, of: snapshot, in: layout) : .null
      return
    }
    switch layout.kinds[slot] {
    case .uri:
      self = URL(string: snapshot.text(slot)).map(SlotValue.url) ?? .null
    case .uuid:
      self = .uuid(snapshot.bytes(slot).loadUnaligned(as: UUID.self))
    case .decimal:
      let decimal = snapshot.bytes(slot).loadUnaligned(as: Decimal.self)
      self = .object(NSDecimalNumber(decimal: decimal))
    case .data:
      self = .data(Data(snapshot.bytes(slot)))
    case .externalData:
      self = .data(ExternalData.inlineData(snapshot.bytes(slot)) ?? Data())
    case .transformable:
      let data = Data(snapshot.bytes(slot))
      self = Transformation(of: layout, at: slot).object(from: data).map(SlotValue.object) ?? .null
    case .integer, .boolean, .real, .date, .text, .composite, .object, .toOne, .toMany,
      .orderedToMany, .fetched:
      self = .null
    }
  }
}

// MARK: - Packing

extension SnapshotWriter {
  /// Adds an attribute's value to the current snapshot.
  ///
  /// NaN is stored as null, because databases do not have another representation.
  ///
  /// Throws if a value transformer cannot turn the value into data.
  mutating func set(_ slot: Int, to value: SlotValue, in layout: EntityLayout) throws {
    let kind = layout.kinds[slot]
    switch value {
    case .null, .collection:
      break
    case .integer(let integer):
      set(slot, to: integer)
    case .real(let real):
      if !real.isNaN { set(slot, to: real) }
    case .text(let text):
      set(slot, to: text)
    case .url(let url):
      set(slot, to: url.absoluteString)
    case .uuid(let uuid):
      withUnsafeBytes(of: uuid) { set(slot, to: $0) }
    case .data(let data):
      let stored = kind == .externalData ? ExternalData.inline(data) : data
      stored.withUnsafeBytes { set(slot, to: $0) }
    case .object(let object):
      if kind == .decimal, let number = object as? NSDecimalNumber {
        let decimal = number.decimalValue
        if !decimal.isNaN { withUnsafeBytes(of: decimal) { set(slot, to: $0) } }
      } else if let composite = object as? CompositeValue {
        for (element, value) in zip(layout.elements(of: slot), composite.values) {
          try set(element.slot, to: value, in: layout)
        }
      } else if kind == .transformable {
        let data = try Transformation(of: layout, at: slot).data(from: object)
        data?.withUnsafeBytes { set(slot, to: $0) }
      }
    }
  }

  /// Copies a slot as another snapshot of the same entity has it.
  mutating func copy(_ slot: Int, from snapshot: Snapshot, in layout: EntityLayout) {
    guard snapshot.hasValue(slot) else { return }
    switch layout.kinds[slot] {
    case .integer, .boolean, .real, .date, .toOne:
      set(slot, to: snapshot.integer(slot))
    case .text, .uri, .uuid, .decimal, .data, .externalData, .transformable:
      set(slot, to: snapshot.bytes(slot))
    case .composite, .object, .toMany, .orderedToMany, .fetched:
      break
    }
  }
}

extension Snapshot {
  /// These values with some slots as another snapshot of the entity has them; the version stays.
  func replacing(_ slots: SlotSet, from other: Snapshot, in layout: EntityLayout) -> Snapshot {
    var writer = SnapshotWriter(expectedBytes: size)
    writer.begin(slotCount: layout.slots.count, version: version)
    for (slot, entry) in layout.slots.enumerated() {
      // The elements of a composite attribute go with it.
      var isReplaced = slots.contains(slot)
      if case .element(let composite, _)? = entry.hidden {
        isReplaced = isReplaced || slots.contains(composite)
      }
      writer.copy(slot, from: isReplaced ? other : self, in: layout)
    }
    return writer.finish()
  }
}

extension Snapshot {
  /// These values with some of them replaced; the version stays.
  func setting(_ values: [(Int, SlotValue)], in layout: EntityLayout) throws -> Snapshot {
    var writer = SnapshotWriter(expectedBytes: size)
    writer.begin(slotCount: layout.slots.count, version: version)
    for slot in layout.slots.indices where !values.contains(where: { $0.0 == slot }) {
      writer.copy(slot, from: self, in: layout)
    }
    for (slot, value) in values { try writer.set(slot, to: value, in: layout) }
    return writer.finish()
  }

  /// Whether a slot has the same value in both.
  func hasSameValue(as other: Snapshot, at slot: Int, in layout: EntityLayout) -> Bool {
    guard hasValue(slot), other.hasValue(slot) else {
      return hasValue(slot) == other.hasValue(slot)
    }
    switch layout.kinds[slot] {
    case .integer, .boolean, .real, .date, .toOne:
      return integer(slot) == other.integer(slot)
    case .text, .uri, .uuid, .decimal, .data, .externalData, .transformable:
      return bytes(slot).elementsEqual(other.bytes(slot))
    case .composite, .object, .toMany, .orderedToMany, .fetched:
      return true
    }
  }
}

/// Bytes that a store may keep in a file beside it.
///
/// ```
/// 01 …bytes…             the bytes themselves
/// 02 "UUID" 00           the name of the file that holds them
/// ```
package enum ExternalData {
  package static func inline(_ data: Data) -> Data { Data([1]) + data }

  static func reference(toFile name: String) -> Data { Data([2]) + Data(name.utf8) + Data([0]) }

  /// The bytes, if they are in the row.
  static func inlineData(_ stored: UnsafeRawBufferPointer) -> Data? {
    stored.first == 1 ? Data(stored.dropFirst()) : nil
  }

  /// The name of the file that holds the bytes, if they are in one.
  static func fileName(_ stored: UnsafeRawBufferPointer) -> String? {
    guard stored.first == 2 else { return nil }
    return String(decoding: stored.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
  }
}
