import Foundation

/// Objects that an event touched, by what that means for the results.
struct TouchedObjects {
  var arriving: [NSManagedObject] = []
  var staying: [NSManagedObject] = []
  var departing: [NSManagedObject] = []

  var isEmpty: Bool { arriving.isEmpty && staying.isEmpty && departing.isEmpty }
}

extension Arrangement {
  /// Brings touched objects to the places that their values ask for now, and returns the change.
  ///
  /// k touched objects of n take k log n comparisons; of the others only those are read that a touched
  /// one is compared with. Finding the old places is a walk over pointers.
  mutating func rearrange(_ touched: TouchedObjects, by rule: ResultsRule) -> ResultsChange {
    var work = Rearrangement(self, touched, rule)
    // The sections are in one pair of hands, so that they change in place.
    sections = []
    work.findSteady()
    work.takeOut()
    work.putIn()
    work.recogniseSections()
    sections = work.sections
    return work.change()
  }
}

/// The steps of bringing touched objects to their places.
private struct Rearrangement {
  private(set) var sections: [Arrangement.Section]
  private let rule: ResultsRule
  private let touched: TouchedObjects
  private let startsBefore: [Int]
  private let oldPlaces: [ObjectIdentifier: Place]
  /// The old index of each section that is there now; nil for one that was made.
  private var origins: [Int?]
  /// The sections that lost all their objects, by their old index.
  private var emptied: [Int: Arrangement.Section] = [:]
  /// Objects that changed, but keep their places in relation to all others.
  private var steady: [NSManagedObject] = []
  private var moving: [NSManagedObject] = []

  init(_ arrangement: Arrangement, _ touched: TouchedObjects, _ rule: ResultsRule) {
    sections = arrangement.sections
    startsBefore = arrangement.starts
    oldPlaces = arrangement.places(of: touched.departing + touched.staying)
    origins = Array(sections.indices)
    self.touched = touched
    self.rule = rule
  }

  private func oldPlace(_ object: NSManagedObject) -> Place? {
    oldPlaces[ObjectIdentifier(object)]
  }
}

// MARK: - Objects that need not move

extension Rearrangement {
  /// Separates the objects that may stay where they are from those that must move.
  mutating func findSteady() {
    let departing = Set(touched.departing.map(ObjectIdentifier.init))
    for (section, rows) in touchedRows {
      if rule.hasSections, rows.count == sections[section].objects.count {
        // Nothing is left to hold the section's place; the objects that stay are found at the end.
        moving += sections[section].objects.filter { !departing.contains(ObjectIdentifier($0)) }
        continue
      }
      var candidates: [Int] = []
      for run in rows.runs {
        candidates += candidatesToStay(in: section, run, departing)
      }
      let objects = sections[section].objects
      let places = candidates.longestRun { rule.precedes(objects[$0], objects[$1]) }
      let staying = Set(places.map { candidates[$0] })
      for row in rows where !departing.contains(ObjectIdentifier(objects[row])) {
        if staying.contains(row) {
          steady.append(objects[row])
        } else {
          moving.append(objects[row])
        }
      }
    }
  }

  /// The rows with touched objects, ascending, by section.
  private var touchedRows: [(section: Int, rows: [Int])] {
    Dictionary(grouping: oldPlaces.values, by: \.section)
      .map { ($0, $1.map(\.row).sorted()) }
      .sorted { $0.0 < $1.0 }
  }

  /// Of a run of touched rows, those that belong between the untouched rows around it.
  private func candidatesToStay(
    in section: Int,
    _ run: ClosedRange<Int>,
    _ departing: Set<ObjectIdentifier>
  ) -> [Int] {
    let objects = sections[section].objects
    let above = run.lowerBound > 0 ? objects[run.lowerBound - 1] : nil
    let below = run.upperBound + 1 < objects.count ? objects[run.upperBound + 1] : nil
    return run.filter { row in
      let object = objects[row]
      return !departing.contains(ObjectIdentifier(object))
        && rule.section(of: object) == sections[section].title
        && above.map { !rule.precedes(object, $0) } ?? true
        && below.map { !rule.precedes($0, object) } ?? true
    }
  }
}

extension [Int] {
  /// Ascending numbers, as ranges without gaps.
  fileprivate var runs: [ClosedRange<Int>] {
    var runs: [ClosedRange<Int>] = []
    for number in self {
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs
  }
}

// MARK: - Out and in

extension Rearrangement {
  /// Takes out what departs or moves, and sections that are empty then.
  mutating func takeOut() {
    let places = (touched.departing + moving).compactMap(oldPlace)
    for (section, places) in Dictionary(grouping: places, by: \.section) {
      let rows = places.map(\.row).sorted()
      if rule.hasSections, rows.count == sections[section].objects.count {
        emptied[section] = sections[section]
        sections[section].objects = []
      } else {
        sections[section].objects.remove(at: rows)
      }
    }
    guard !emptied.isEmpty else { return }
    let kept = sections.indices.filter { emptied[$0] == nil }
    sections = kept.map { sections[$0] }
    origins = kept
  }

  /// Puts arriving and moving objects into their sections, which are made if they are missing.
  mutating func putIn() {
    let coming = rule.sorted(moving.sorted(by: isBefore) + touched.arriving)
    guard !coming.isEmpty else { return }
    var indices: [AnyHashable: Int] = [:]
    for (index, section) in sections.enumerated() { indices[section.title.key] = index }
    var missing: [ResultsRule.SectionTitle: [NSManagedObject]] = [:]
    for (title, objects) in Dictionary(grouping: coming, by: rule.section) {
      if let index = indices[title.key] {
        sections[index].objects.insert(sorted: objects, rule.precedes)
      } else {
        missing[title] = objects
      }
    }
    for (title, objects) in missing { make(title, with: objects) }
  }

  private func isBefore(_ one: NSManagedObject, _ other: NSManagedObject) -> Bool {
    guard let first = oldPlace(one), let second = oldPlace(other) else { return false }
    return (first.section, first.row) < (second.section, second.row)
  }

  /// Makes a section at the place that its objects have among those of the others.
  private mutating func make(_ title: ResultsRule.SectionTitle, with objects: [NSManagedObject]) {
    let firsts = sections.compactMap(\.objects.first)
    let index = firsts.place(of: objects[0], rule.precedes)
    sections.insert(Arrangement.Section(title: title, objects: objects), at: index)
    origins.insert(nil, at: index)
  }

  /// A section that was emptied and made again where it was is the same as before.
  mutating func recogniseSections() {
    guard !emptied.isEmpty else { return }
    let old = Dictionary(uniqueKeysWithValues: emptied.map { ($1.title.key, $0) })
    let kept = origins.compactMap { $0 }
    var passed = 0
    var candidates: [(index: Int, old: Int)] = []
    for index in sections.indices {
      if origins[index] != nil {
        passed += 1
      } else if let before = old[sections[index].title.key],
        kept.count(where: { $0 < before }) == passed
      {
        candidates.append((index, before))
      }
    }
    var settled: Set<ObjectIdentifier> = []
    for place in candidates.longestRun({ $0.old < $1.old }) {
      let (index, before) = candidates[place]
      origins[index] = before
      settled.formUnion(steadyObjects(in: sections[index], from: before))
    }
    steady += moving.filter { settled.contains(ObjectIdentifier($0)) }
    moving.removeAll { settled.contains(ObjectIdentifier($0)) }
  }

  /// Of a section that was made again, the objects that are in their old order.
  private func steadyObjects(
    in section: Arrangement.Section,
    from before: Int
  ) -> [ObjectIdentifier] {
    let known = section.objects.compactMap { object in
      oldPlace(object).flatMap { $0.section == before ? (object: object, row: $0.row) : nil }
    }
    return known.longestRun { $0.row < $1.row }.map { ObjectIdentifier(known[$0].object) }
  }
}

extension [NSManagedObject] {
  /// Takes out ascending rows.
  fileprivate mutating func remove(at rows: [Int]) {
    if rows.count <= 8 {
      for row in rows.reversed() { remove(at: row) }
      return
    }
    var kept: [NSManagedObject] = []
    kept.reserveCapacity(count - rows.count)
    var start = 0
    for row in rows {
      kept += self[start..<row]
      start = row + 1
    }
    self = kept + self[start...]
  }
}

// MARK: - What it was

extension Rearrangement {
  func change() -> ResultsChange {
    let after = Arrangement(sections: sections)
    var change = ResultsChange(startsBefore: startsBefore, startsAfter: after.starts)
    let kept = Set(origins.compactMap { $0 })
    change.removedSections = emptied.filter { !kept.contains($0.key) }
      .sorted { $0.key < $1.key }
      .map { ResultsChange.SectionChange(section: $1, index: $0) }
    change.insertedSections = sections.indices.filter { origins[$0] == nil }
      .map { ResultsChange.SectionChange(section: sections[$0], index: $0) }
    // Nothing was taken out or put in: every object is where it was.
    let isStill = touched.arriving.isEmpty && touched.departing.isEmpty && moving.isEmpty
    let newPlaces = isStill ? oldPlaces : after.places(of: touched.arriving + moving + steady)
    func changes(_ type: NSFetchedResultsChangeType, _ objects: [NSManagedObject]) {
      change.objects += objects.map { object in
        ResultsChange.ObjectChange(
          object: object,
          type: type,
          old: oldPlace(object),
          new: type == .delete ? nil : newPlaces[ObjectIdentifier(object)]
        )
      }
    }
    changes(.delete, touched.departing)
    changes(.insert, touched.arriving)
    changes(.move, moving)
    changes(.update, steady)
    change.sortObjects()
    return change
  }
}

extension Arrangement {
  init(sections: [Section]) {
    self.sections = sections
  }
}
