import Foundation

/// Makes rows of loose objects: the contents of relationships go where rows keep them.
///
/// ```
/// Folder 104  notes → 102, 103        nothing: the notes say so themselves
/// Folder 104  pinned → 103, 102       a place in each note's row
/// Bin 105     kept → 102              the bin's key in the note's row
/// Note 102    tags → 106, 107         two pairs
/// ```
///
/// Both ends of a relationship may name it; if they differ, a to-one has the last word.
struct RowAssembly {
  private let model: ModelLayout
  private let objects: [LooseObject]
  private var indices: [Place: Int] = [:]
  /// For each object what goes into its relationship slots and hidden slots.
  private var keys: [[Int: Int64]]
  private var pairs: [MemoryRows.Relation: [Couple: MemoryRows.Pair]] = [:]

  /// An object among all, by entity tree and key.
  private struct Place: Hashable {
    let root: Int32
    let number: Int64
  }

  private struct Couple: Hashable {
    let owner: Int64
    let member: Int64
  }

  /// Why objects cannot be rows.
  enum Problem: Error, Hashable {
    case twice(entity: String, number: Int64)
    case missing(entity: String, number: Int64, key: String, target: Int64)
    case otherEntity(entity: String, number: Int64, key: String, target: String)
    case severalTargets(entity: String, number: Int64, key: String)
    case twoOwners(entity: String, number: Int64, key: String)
  }

  private init(_ objects: [LooseObject], of model: ModelLayout) {
    self.model = model
    self.objects = objects
    keys = Array(repeating: [:], count: objects.count)
  }

  /// The rows of all objects; throws a ``Problem`` if they do not fit together.
  ///
  /// `file` puts large data into a file and gives its name, or `nil` if the data stays in the row.
  static func rows(
    of objects: [LooseObject],
    in model: ModelLayout,
    file: (Data) throws -> String? = { _ in nil }
  ) throws -> MemoryRows {
    var assembly = RowAssembly(objects, of: model)
    try assembly.index()
    try assembly.connect { !$0.isToMany }
    try assembly.connect { $0.isToMany }
    return try assembly.packed(file)
  }
}

// MARK: - Connecting

extension RowAssembly {
  private mutating func index() throws {
    indices.reserveCapacity(objects.count)
    for (index, object) in objects.enumerated() {
      let place = Place(root: object.layout.rootNumber, number: object.number)
      if indices.updateValue(index, forKey: place) != nil {
        throw Problem.twice(entity: object.layout.name, number: object.number)
      }
    }
  }

  private mutating func connect(_ chosen: (SlotKind) -> Bool) throws {
    for (index, object) in objects.enumerated() {
      for link in object.links where chosen(object.layout.kinds[link.slot]) {
        let targets = try targets(of: link, from: object)
        switch object.layout.kinds[link.slot] {
        case .toOne: try lead(index, link.slot, to: targets)
        case .toMany, .orderedToMany: try gather(index, link.slot, targets)
        case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
          .transformable, .composite, .object, .fetched:
          break
        }
      }
    }
  }

  /// The members of a link, as indices.
  private func targets(of link: LooseObject.Link, from object: LooseObject) throws -> [Int] {
    guard let end = object.layout.slots[link.slot].end,
      let destination = model[number: end.destination]
    else { return [] }
    let key = object.layout.slots[link.slot].name
    return try link.members.map { number in
      let place = Place(root: destination.rootNumber, number: number)
      guard let index = indices[place] else {
        throw Problem.missing(
          entity: object.layout.name,
          number: object.number,
          key: key,
          target: number
        )
      }
      guard objects[index].layout.isKind(of: destination) else {
        throw Problem.otherEntity(
          entity: object.layout.name,
          number: object.number,
          key: key,
          target: objects[index].layout.name
        )
      }
      return index
    }
  }

  private mutating func lead(_ index: Int, _ slot: Int, to targets: [Int]) throws {
    guard let target = targets.first else { return }
    let object = objects[index]
    guard targets.count == 1 else {
      let key = object.layout.slots[slot].name
      throw Problem.severalTargets(entity: object.layout.name, number: object.number, key: key)
    }
    keys[index][slot] = objects[target].number
    if let entity = object.layout.slots[slot].end?.entitySlot {
      keys[index][entity] = Int64(objects[target].layout.number)
    }
  }

  private mutating func gather(_ index: Int, _ slot: Int, _ members: [Int]) throws {
    let layout = objects[index].layout
    guard let end = layout.slots[slot].end, let destination = model[number: end.destination] else {
      return
    }
    guard let inverse = end.inverse else { return try adopt(index, slot, members) }
    if destination.kinds[inverse] == .toOne {
      try place(index, members, by: inverse, isOrdered: end.isOrdered)
    } else {
      pair(index, slot, members, isOrdered: end.isOrdered)
    }
  }

  /// Members of a one-to-many relationship: they lead back, and have their places.
  private mutating func place(
    _ index: Int,
    _ members: [Int],
    by inverse: Int,
    isOrdered: Bool
  ) throws {
    let places = OrderPlaces.evenPlaces(count: isOrdered ? members.count : 0)
    for (position, member) in members.enumerated() {
      if keys[member][inverse] == nil { try lead(member, inverse, to: [index]) }
      guard keys[member][inverse] == objects[index].number else { continue }
      if isOrdered, let order = objects[member].layout.slots[inverse].end?.orderSlot {
        keys[member][order] = places[position]
      }
    }
  }

  /// Members of a to-many relationship without an inverse: each has one owner.
  private mutating func adopt(_ index: Int, _ slot: Int, _ members: [Int]) throws {
    let layout = objects[index].layout
    let hidden = HiddenSlot.foreignKey(entity: layout.declarer(of: slot), slot: slot)
    let places = OrderPlaces.evenPlaces(count: layout.slots[slot].isOrdered ? members.count : 0)
    for (position, member) in members.enumerated() {
      guard let key = objects[member].layout.hiddenSlot(hidden) else { continue }
      if let owner = keys[member][key], owner != objects[index].number {
        throw Problem.twoOwners(
          entity: objects[member].layout.name,
          number: objects[member].number,
          key: "\(layout.name).\(layout.slots[slot].name)"
        )
      }
      keys[member][key] = objects[index].number
      if let order = objects[member].layout.hiddenSlot(.foreignOrder(of: key)) {
        keys[member][order] = places[position]
      }
    }
  }

  private mutating func pair(_ index: Int, _ slot: Int, _ members: [Int], isOrdered: Bool) {
    let (relation, isSpeaker) = MemoryRows().relation(objects[index].layout, slot)
    let own = objects[index].number
    let places = OrderPlaces.evenPlaces(count: isOrdered ? members.count : 0)
    for (position, member) in members.enumerated() {
      let other = objects[member].number
      var couple = isSpeaker ? Couple(owner: own, member: other) : Couple(owner: other, member: own)
      var isTurned = !isSpeaker
      // A relationship that is its own inverse is named at both ends, and kept once.
      if isOwnInverse(objects[index].layout, slot), couple.owner > couple.member {
        couple = Couple(owner: couple.member, member: couple.owner)
        isTurned.toggle()
      }
      var pair =
        pairs[relation]?[couple] ?? MemoryRows.Pair(owner: couple.owner, member: couple.member)
      if isOrdered {
        let place = places[position]
        if isTurned { pair.ownerPlace = place } else { pair.memberPlace = place }
      }
      pairs[relation, default: [:]][couple] = pair
    }
  }

  private func isOwnInverse(_ layout: EntityLayout, _ slot: Int) -> Bool {
    guard let end = layout.slots[slot].end, let inverse = end.inverse,
      let destination = model[number: end.destination]
    else { return false }
    return inverse == slot && destination.declarer(of: inverse) == layout.declarer(of: slot)
  }
}

// MARK: - Packing

extension RowAssembly {
  private func packed(_ file: (Data) throws -> String?) throws -> MemoryRows {
    var rows = MemoryRows()
    var writer = SnapshotWriter(expectedBytes: objects.count * 128)
    for (object, keys) in zip(objects, keys) {
      let layout = object.layout
      writer.begin(slotCount: layout.slots.count, version: object.version)
      for slot in 0..<layout.propertyCount where layout.slots[slot].isPersistent {
        if layout.kinds[slot] == .externalData, case .data(let data) = object.values[slot],
          let name = try file(data)
        {
          ExternalData.reference(toFile: name).withUnsafeBytes { writer.set(slot, to: $0) }
        } else {
          try writer.set(slot, to: object.values[slot], in: layout)
        }
      }
      for (slot, key) in keys { writer.set(slot, to: key) }
      let row = Row(primaryKey: object.number, layout: layout, snapshot: writer.finish())
      rows.tables[layout.rootNumber, default: [:]][object.number] = row
      rows.lastKeys[layout.rootNumber] = max(
        rows.lastKeys[layout.rootNumber] ?? 0,
        object.number
      )
    }
    rows.pairs = pairs.mapValues { couples in
      couples.values.sorted { ($0.owner, $0.member) < ($1.owner, $1.member) }
    }
    return rows
  }
}
