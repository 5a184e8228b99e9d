import CoreDataModel
import CoreDataModelChanges
import CoreDataSQL

/// How rows of persistent history follow their entities: their numbers, and the bits that say which
/// properties changed.
///
/// ```
/// ACHANGE   ZENTITY 2 → 3   ZCOLUMNS 0110… → 0010…   ZTOMBSTONE0, ZTOMBSTONE1
/// ```
package struct HistoryMove: Sendable {
  /// For each entity, by its old number, the old place of each new bit.
  package private(set) var bits: [Int: [Int?]] = [:]
  /// The entities, by their old numbers, whose bits are others.
  package private(set) var changed: Set<Int> = []
  /// For each entity whose deleted objects leave other values behind, the old place of each.
  package private(set) var tombstones: [Int: [Int?]] = [:]
  private(set) var newNumbers: [Int: Int] = [:]
  package private(set) var removed: [Int] = []

  init(_ tables: MatchedTables) {
    removed = tables.removed.map(\.number)
    for move in tables.moves {
      let number = move.source.number
      newNumbers[number] = move.destination.number
      let old = Self.parts(of: move.source, in: tables.comparison.source)
      let new = Self.parts(of: move.destination, in: tables.comparison.destination)
      let names = Dictionary(
        move.match.properties.compactMap { match in
          match.source.map { (match.destination.name, $0.name) }
        }
      ) { first, _ in first }
      let before = { (part: Part) -> Part? in
        guard let match = move.match.property(named: part.property), let source = match.source,
          let detail = match.formerDetail(part.detail)
        else { return nil }
        return Part(property: source.name, detail: detail)
      }
      let places = new.map { part in before(part).flatMap { old.firstIndex(of: $0) } }
      bits[number] = places
      if places != Array(old.indices).map(Optional.some) || places.count != old.count {
        changed.insert(number)
      }
      let oldStones = Self.preserved(move.source, tables.comparison.source)
      let newStones = Self.preserved(move.destination, tables.comparison.destination)
      let stones = newStones.map { name in names[name].flatMap { oldStones.firstIndex(of: $0) } }
      if stones != Array(oldStones.indices).map(Optional.some) { tombstones[number] = stones }
    }
  }

  /// The property, or part of a property, that a bit represents.
  private struct Part: Hashable {
    let property: String
    /// The element of a composite, or the entity at the other end.
    var detail = ""
  }

  /// To-one relationships, attributes, to-many relationships; in each the superentity's come first: the
  /// order of ``HistoryBits``.
  private static func parts(of entity: EntityMap, in schema: ModelSchema) -> [Part] {
    var (toOne, attributes, toMany): ([Part], [Part], [Part]) = ([], [], [])
    for name in schema.slotNames(of: entity.name) {
      switch (schema.property(name, of: entity.name), entity[name]) {
      case (.relationship(let relationship), let mapping):
        guard !relationship.isTransient else { continue }
        if relationship.isToMany {
          toMany.append(Part(property: name))
          continue
        }
        toOne.append(Part(property: name))
        if case .toOne(_, .some, _) = mapping {
          toOne.append(Part(property: name, detail: "entity"))
        }
      case (.attribute(let attribute), let mapping):
        if attribute.type == .composite, case .composite(let elements) = mapping {
          attributes += Self.elements(attribute, elements).map { Part(property: name, detail: $0) }
        } else if !attribute.isTransient || attribute.isPlace {
          attributes.append(Part(property: name))
        }
      case (.fetched, _), (nil, _):
        continue
      }
    }
    return toOne + attributes + toMany
  }

  private static func elements(
    _ attribute: AttributeSchema,
    _ places: [String: PropertyMapping]
  ) -> [String] {
    attribute.elements.flatMap { element -> [String] in
      guard case .composite(let inner)? = places[element.name] else { return [element.name] }
      return elements(element, inner).map { "\(element.name).\($0)" }
    }
  }

  /// The attributes of whose values a history keeps the last, as ``StoreHistory`` has them.
  private static func preserved(_ entity: EntityMap, _ schema: ModelSchema) -> [String] {
    schema.declaredProperties(of: entity.name).compactMap { declared in
      guard case .attribute(let attribute) = declared.property,
        attribute.preservesValueInHistoryOnDeletion, !attribute.isTransient,
        attribute.type != .composite, !attribute.isMarked
      else { return nil }
      return attribute.name
    }
  }
}

// MARK: - Elements of composites

extension PropertyMatch {
  /// The former name of the element of a composite that a path leads to; `nil` for a new element, and the text itself
  /// for any other property.
  fileprivate func formerDetail(_ path: String) -> String? {
    guard case .attribute(let new) = destination.property, new.type == .composite,
      case .attribute(let old)? = source?.property
    else { return path }
    let names = path.split(separator: ".").map(String.init)
    return new.formerPath(names[...], in: old)?.joined(separator: ".")
  }
}

// MARK: - Moving

extension HistoryMove {
  /// The bits of an entity's properties as the destination has them.
  func moved(_ bytes: [UInt8], ofEntity number: Int) -> [UInt8] {
    guard let places = bits[number] else { return bytes }
    var result = [UInt8](repeating: 0, count: (places.count + 7) / 8)
    for (new, old) in places.enumerated() {
      guard let old, old / 8 < bytes.count, bytes[old / 8] & (0x80 >> UInt8(old % 8)) != 0 else {
        continue
      }
      result[new / 8] |= 0x80 >> UInt8(new % 8)
    }
    return result
  }

  private var renumbered: [Int] { newNumbers.filter { $0.key != $0.value }.map(\.key) }

  /// The old numbers of the entities whose history changes.
  package var affected: Set<Int> { changed.union(renumbered).union(tombstones.keys) }

  /// The old and the new numbers, in the order of the old.
  package var pairs: [(old: Int, new: Int)] {
    newNumbers.sorted { $0.key < $1.key }.map { (old: $0.key, new: $0.value) }
  }

  func steps(in shape: FileShape) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    if !removed.isEmpty {
      steps.append(
        MigrationStep(
          "ACHANGE: history of entities that are gone goes",
          .rows,
          [
            "DELETE FROM ACHANGE WHERE ZENTITY IN (\(.numbers(removed)))"
          ]
        )
      )
    }
    if affected.isEmpty { return steps }
    var assignments: [SQLFragment] = []
    if !changed.isEmpty {
      let moved = MigrationFunctions.movedColumns
      assignments.append("ZCOLUMNS = \(moved)(ZENTITY, ZCOLUMNS)")
    }
    let (columns, stones) = tombstoneChanges(in: shape)
    assignments += stones
    if !renumbered.isEmpty {
      assignments.append("ZENTITY = \(ColumnContent.renumbered("ZENTITY", pairs))")
    }
    let update: SQLFragment = """
      UPDATE ACHANGE SET \(assignments.joined(separator: ", ")) \
      WHERE ZENTITY IN (\(.numbers(affected)))
      """
    steps.append(
      MigrationStep(
        "ACHANGE: history follows its entities and properties",
        .rows,
        columns + [update]
      )
    )
    return steps
  }

  /// The columns to add for values of deleted objects, and what each gets.
  private func tombstoneChanges(in shape: FileShape) -> ([SQLFragment], [SQLFragment]) {
    if tombstones.isEmpty { return ([], []) }
    let existing = (shape.tables["ACHANGE"]?.columns ?? []).filter { $0.hasPrefix("ZTOMBSTONE") }
    let needed = tombstones.values.map(\.count).max() ?? 0
    let names = (0..<max(needed, existing.count)).map { "ZTOMBSTONE\($0)" }
    let added = names.filter { !existing.contains($0) }
      .map { SQLFragment.description("ALTER TABLE ACHANGE ADD COLUMN \($0) BLOB") }
    let assignments = names.enumerated().map { place, name -> SQLFragment in
      let cases = tombstones.sorted { $0.key < $1.key }.map { number, old -> SQLFragment in
        let source = place < old.count ? old[place] : nil
        let value: SQLFragment = source.map { .column("ZTOMBSTONE\($0)") } ?? "NULL"
        return "WHEN \(.number(number)) THEN \(value)"
      }
      return
        "\(column: name) = CASE ZENTITY \(cases.joined(separator: " ")) ELSE \(column: name) END"
    }
    return (added, assignments)
  }
}
