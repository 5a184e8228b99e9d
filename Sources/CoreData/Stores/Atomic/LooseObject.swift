import Foundation

/// An object outside of a store: its attributes, and by key the objects it leads to.
///
/// ```
/// Note 102    title "First"    folder → 104    tags → 106, 107
/// ```
///
/// Files that are written whole have their objects like this, and so have the nodes of custom stores; they do not
/// know how rows keep relationships.
struct LooseObject {
  var number: Int64
  let layout: EntityLayout
  var version: Int64 = 1
  /// A value for each slot; null in the slots of relationships.
  var values: [SlotValue]
  /// Each relationship that leads somewhere, its members in their order.
  var links: [Link] = []

  struct Link {
    let slot: Int
    var members: [Int64]
  }

  init(_ number: Int64, of layout: EntityLayout) {
    self.number = number
    self.layout = layout
    values = Array(repeating: .null, count: layout.propertyCount)
  }
}

// MARK: - From rows

extension MemoryRows {
  /// Hands over every object, in the order of entities and keys.
  func forEachObject(
    in model: ModelLayout,
    of store: StoreNumber,
    _ body: (LooseObject) throws -> Void
  ) rethrows {
    let reading = MemoryReading(self, of: store)
    for root in model.entities where root.number == root.rootNumber {
      for row in all(root: root.number) {
        let object = LooseObject(row) { reading.members(of: $0, in: $1, at: $2).map(\.primaryKey) }
        if let object { try body(object) }
      }
    }
  }
}

extension LooseObject {
  /// The object of a row, whose to-many relationships and bytes outside the row come from somewhere else; `nil` for a
  /// row without values.
  init?(
    _ row: Row,
    externalData: (_ file: String) -> Data? = { _ in nil },
    members: (_ number: Int64, _ layout: EntityLayout, _ slot: Int) throws -> [Int64]
  ) rethrows {
    guard let snapshot = row.snapshot else { return nil }
    self.init(row.primaryKey, of: row.layout)
    version = snapshot.version
    for (slot, entry) in layout.slots.prefix(layout.propertyCount).enumerated()
    where entry.isPersistent {
      switch entry.kind {
      case .toOne:
        guard let target = snapshot.optionalInteger(slot) else { break }
        links.append(Link(slot: slot, members: [target]))
      case .toMany, .orderedToMany:
        let members = try members(number, layout, slot)
        if !members.isEmpty { links.append(Link(slot: slot, members: members)) }
      case .fetched:
        break
      case .transformable:
        // The transformer's result is written down.
        if snapshot.hasValue(slot) { values[slot] = .data(Data(snapshot.bytes(slot))) }
      case .externalData:
        guard snapshot.hasValue(slot) else { break }
        let data =
          ExternalData.fileName(snapshot.bytes(slot)).map(externalData)
          ?? ExternalData.inlineData(snapshot.bytes(slot))
        values[slot] = data.map(SlotValue.data) ?? .null
      case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .composite,
        .object:
        values[slot] = SlotValue(unpacking: slot, of: snapshot, in: layout)
      }
    }
  }
}
