/// The difference between two arrangements, found by comparing them after a new fetch.
///
/// n log n steps, without reading a value.
extension ResultsChange {
  init(from old: Arrangement, to new: Arrangement, touched: Set<NSManagedObject>) {
    self.init(startsBefore: old.starts, startsAfter: new.starts)
    let kept = compareSections(old, new)
    compareObjects(old, new, kept, touched)
  }

  /// Gives, for each new section, the index of the old one that it is.
  private mutating func compareSections(_ old: Arrangement, _ new: Arrangement) -> [Int: Int] {
    var indices: [AnyHashable: Int] = [:]
    for (index, section) in old.sections.enumerated() { indices[section.title.key] = index }
    let known = new.sections.indices.compactMap { index in
      indices[new.sections[index].title.key].map { (new: index, old: $0) }
    }
    let run = known.longestRun { $0.old < $1.old }.map { known[$0] }
    let stayed = Dictionary(uniqueKeysWithValues: run.map { ($0.new, $0.old) })
    let stayedBefore = Set(stayed.values)
    removedSections = old.sections.indices.filter { !stayedBefore.contains($0) }
      .map { SectionChange(section: old.sections[$0], index: $0) }
    insertedSections = new.sections.indices.filter { stayed[$0] == nil }
      .map { SectionChange(section: new.sections[$0], index: $0) }
    return stayed
  }

  private mutating func compareObjects(
    _ old: Arrangement,
    _ new: Arrangement,
    _ kept: [Int: Int],
    _ touched: Set<NSManagedObject>
  ) {
    var oldPlaces = old.allPlaces
    for (index, section) in new.sections.enumerated() {
      var here: [(row: Int, old: Int)] = []
      for (row, object) in section.objects.enumerated() {
        let place = Place(section: index, row: row)
        guard let before = oldPlaces.removeValue(forKey: ObjectIdentifier(object)) else {
          objects.append(ObjectChange(object: object, type: .insert, old: nil, new: place))
          continue
        }
        if before.section == kept[index] {
          here.append((row, before.row))
        } else {
          objects.append(ObjectChange(object: object, type: .move, old: before, new: place))
        }
      }
      compareRows(here, of: section, Place(section: index, row: 0), kept[index], touched)
    }
    for place in oldPlaces.values {
      let object = old.sections[place.section].objects[place.row]
      objects.append(ObjectChange(object: object, type: .delete, old: place, new: nil))
    }
    sortObjects()
  }

  /// Objects that were in the section already, by their rows now and before.
  private mutating func compareRows(
    _ rows: [(row: Int, old: Int)],
    of section: Arrangement.Section,
    _ place: Place,
    _ oldIndex: Int?,
    _ touched: Set<NSManagedObject>
  ) {
    guard let oldIndex else { return }
    let steady = Set(rows.longestRun { $0.old < $1.old })
    for (index, (row, old)) in rows.enumerated() {
      let object = section.objects[row]
      let isSteady = steady.contains(index)
      if isSteady, !touched.contains(object) { continue }
      objects.append(
        ObjectChange(
          object: object,
          type: isSteady ? .update : .move,
          old: Place(section: oldIndex, row: old),
          new: Place(section: place.section, row: row)
        )
      )
    }
  }

  /// Deleted, inserted, moved, updated; each by place.
  mutating func sortObjects() {
    func rank(_ change: ObjectChange) -> (Int, Int, Int) {
      let place = change.new ?? change.old ?? Place(section: 0, row: 0)
      switch change.type {
      case .delete: return (0, place.section, place.row)
      case .insert: return (1, place.section, place.row)
      case .move: return (2, place.section, place.row)
      case .update: return (3, place.section, place.row)
      }
    }
    objects.sort { rank($0) < rank($1) }
  }
}

extension Arrangement {
  fileprivate var allPlaces: [ObjectIdentifier: Place] {
    var places: [ObjectIdentifier: Place] = [:]
    places.reserveCapacity(count)
    for (index, section) in sections.enumerated() {
      for (row, object) in section.objects.enumerated() {
        places[ObjectIdentifier(object)] = Place(section: index, row: row)
      }
    }
    return places
  }
}
