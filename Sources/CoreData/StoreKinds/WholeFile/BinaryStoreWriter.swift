import CoreDataModel
import Foundation

/// Writes the list of a binary store, one object after the other.
struct BinaryStoreWriter {
  private typealias Reference = BinaryPropertyListStream.Reference
  private typealias Field = BinaryFormat.Field

  var list = BinaryPropertyListStream()
  private var objects: [Reference] = []
  /// The names that all objects of an entity have in common, written with the first of them.
  private var names: [Int32: Names] = [:]

  private struct Names {
    let entity: Reference
    /// Of the properties, in the order of their slots.
    let slots: [Reference]
    /// Of the fields that every object has.
    let entityField: Reference
    let keyField: Reference
    let versionField: Reference
    let valuesField: Reference
    let linksField: Reference

    init(
      _ layout: EntityLayout,
      _ list: inout BinaryPropertyListStream,
      _ bytes: inout [UInt8]
    ) {
      func reference(_ name: String) -> Reference { list.add(.text(name), to: &bytes) }
      entity = reference(layout.name)
      slots = layout.slots.prefix(layout.propertyCount).map { reference($0.name) }
      entityField = reference(Field.entity)
      keyField = reference(Field.key)
      versionField = reference(Field.version)
      valuesField = reference(Field.values)
      linksField = reference(Field.links)
    }
  }

  mutating func add(_ object: LooseObject, to bytes: inout [UInt8]) {
    let names = names(of: object.layout, &bytes)
    var values: [(Reference, Reference)] = []
    values.reserveCapacity(object.values.count)
    for (slot, value) in object.values.enumerated() {
      guard let value = Self.plain(value) else { continue }
      values.append((names.slots[slot], list.add(value, to: &bytes)))
    }
    let links = object.links.map { link in
      let members = link.members.map { list.add(.integer($0), to: &bytes) }
      return (names.slots[link.slot], list.add(array: members, to: &bytes))
    }
    let fields = [
      (names.entityField, names.entity),
      (names.keyField, list.add(.integer(object.number), to: &bytes)),
      (names.versionField, list.add(.integer(object.version), to: &bytes)),
      (names.valuesField, list.add(entries: values, to: &bytes)),
      (names.linksField, list.add(entries: links, to: &bytes)),
    ]
    objects.append(list.add(entries: fields, to: &bytes))
  }

  /// Appends the part that follows all objects.
  mutating func end(
    _ metadata: PropertyListValue,
    _ lastKeys: PropertyListValue,
    to bytes: inout [UInt8]
  ) {
    let top = [
      (list.add(.text(Field.metadata), to: &bytes), list.add(metadata, to: &bytes)),
      (list.add(.text(Field.lastKeys), to: &bytes), list.add(lastKeys, to: &bytes)),
      (list.add(.text(Field.objects), to: &bytes), list.add(array: objects, to: &bytes)),
    ]
    list.end(with: list.add(entries: top, to: &bytes), to: &bytes)
  }

  private mutating func names(of layout: EntityLayout, _ bytes: inout [UInt8]) -> Names {
    if let known = names[layout.number] { return known }
    let new = Names(layout, &list, &bytes)
    names[layout.number] = new
    return new
  }

  private static func plain(_ value: SlotValue) -> PropertyListValue? {
    switch value {
    case .null, .collection: nil
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let text): .text(text)
    case .data(let data): .data(data)
    case .uuid(let uuid): .text(uuid.uuidString)
    case .url(let url): .text(url.absoluteString)
    case .object(let number as NSDecimalNumber): .text("\(number.decimalValue)")
    case .object: nil
    }
  }
}
