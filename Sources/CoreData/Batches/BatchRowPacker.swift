import CoreDataModel
import Foundation

/// Packs values that were given, and the model's defaults for all others, into rows.
struct BatchRowPacker {
  let layout: EntityLayout
  /// The slots that rows of the entity keep and a batch may set, each with its kind and with the slot
  /// that keeps the entity of what a relationship leads to.
  private let stored: [(slot: Int, kind: SlotKind, entity: Int?)]
  private var writer = SnapshotWriter(expectedBytes: 4096)

  init(_ layout: EntityLayout) {
    self.layout = layout
    stored = layout.slots.prefix(layout.propertyCount).enumerated()
      .filter { $1.isPersistent && !$1.kind.isToMany && !$1.isDerived }
      .map { ($0, $1.kind, $1.kind == .toOne ? $1.end?.entitySlot : nil) }
  }

  /// The row of these values, one for each slot; `file` may put data into a file of its own.
  mutating func row(
    of values: [SlotValue],
    file: (Data) throws -> String?
  ) throws -> Snapshot {
    writer.begin(slotCount: layout.slots.count, version: 1)
    for (slot, kind, entity) in stored {
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
      if let entity, case .integer(let number) = values[entity] { writer.set(entity, to: number) }
    }
    setDerivedTexts(from: values)
    return writer.finish()
  }

  private mutating func setDerivedTexts(from values: [SlotValue]) {
    for derivation in layout.derivations {
      guard case .ownText(let form, let source) = derivation.source,
        case .text(let text) = values[source]
      else { continue }
      writer.set(derivation.slot, to: form.of(text))
    }
  }

  /// The row of an object, which knows its defaults itself; errors call its place `place`.
  mutating func row(
    of object: NSManagedObject,
    place: @autoclosure () -> String,
    file: (Data) throws -> String?
  ) throws -> Snapshot {
    writer.begin(slotCount: layout.slots.count, version: 1)
    try writer.setValues(of: object, file: file) { target, slot in
      // An object without a context leads only to others of its kind.
      throw BatchFailure.wrongTarget(
        "\(object.layout.name).\(object.layout.slots[slot].name)",
        target: "\(target.objectID)",
        why: "was never saved",
        place: place(),
        code: NSManagedObjectExternalRelationshipError
      ).error(key: object.layout.slots[slot].name, value: target)
    }
    return writer.finish()
  }
}
