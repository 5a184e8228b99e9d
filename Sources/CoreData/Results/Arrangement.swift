import Foundation

/// The objects of fetched results in their sections.
///
/// ```
/// Ideas   ▸ Lamp, Kite
/// Work    ▸ Letter
/// ```
///
/// Without sections there is one, without a name, even for no objects.
struct Arrangement {
  var sections: [Section]

  struct Section {
    let title: ResultsRule.SectionTitle
    var objects: [NSManagedObject]

    var name: String { title.name }
  }

  /// Puts objects that are in order into sections.
  ///
  /// Reads the section key path of every object, unless `known` names and counts the sections and
  /// proves true. Throws when a section would begin twice.
  init(
    _ objects: [NSManagedObject],
    by rule: ResultsRule,
    known: [KnownSection]? = nil
  ) throws {
    guard rule.hasSections else {
      sections = [Section(title: ResultsRule.SectionTitle(key: "", name: ""), objects: objects)]
      return
    }
    if let known, let sections = Self.sections(objects, by: rule, as: known) {
      self.sections = sections
      return
    }
    sections = []
    var seen: Set<AnyHashable> = []
    var start = 0
    var current: ResultsRule.SectionTitle?
    for (index, object) in objects.enumerated() {
      let title = rule.section(of: object)
      if title.key == current?.key { continue }
      guard seen.insert(title.key).inserted else {
        throw ResultsFailure.sectionBeginsTwice(
          section: title.name,
          index: index,
          entity: object.layout.name
        ).error
      }
      if let current {
        sections.append(Section(title: current, objects: Array(objects[start..<index])))
      }
      (current, start) = (title, index)
    }
    if let current {
      sections.append(Section(title: current, objects: Array(objects[start...])))
    }
  }
}

// MARK: - Known sections

/// A section as a cache remembers it.
struct KnownSection: Codable, Equatable {
  let name: String
  let count: Int
}

extension Arrangement {
  var known: [KnownSection] {
    sections.map { KnownSection(name: $0.name, count: $0.objects.count) }
  }

  /// Sections by names and counts, if these are true of the objects.
  ///
  /// The objects are ordered by section: if the first and last object of a section belong to it, so do all between
  /// them.
  private static func sections(
    _ objects: [NSManagedObject],
    by rule: ResultsRule,
    as known: [KnownSection]
  ) -> [Section]? {
    guard known.reduce(0, { $0 + $1.count }) == objects.count else { return nil }
    var sections: [Section] = []
    var start = 0
    for section in known {
      let members = objects[start..<start + section.count]
      guard let first = members.first, let last = members.last else { return nil }
      let title = rule.section(of: first)
      guard title.name == section.name, rule.section(of: last) == title else { return nil }
      sections.append(Section(title: title, objects: Array(members)))
      start += section.count
    }
    guard Set(sections.map(\.title)).count == sections.count else { return nil }
    return sections
  }
}

// MARK: - Places

/// The place of an object: its section, and its row there.
struct Place: Hashable {
  var section: Int
  var row: Int

  var indexPath: IndexPath { IndexPath(row: row, section: section) }
}

extension Arrangement {
  var count: Int { sections.reduce(0) { $0 + $1.objects.count } }

  var objects: [NSManagedObject] {
    sections.count == 1 ? sections[0].objects : sections.flatMap(\.objects)
  }

  /// How many objects precede each section.
  var starts: [Int] {
    var next = 0
    return sections.map { section in
      defer { next += section.objects.count }
      return next
    }
  }

  /// The place of an object; looks at each until it is found, but only at what it is, not at its
  /// values.
  func place(of object: NSManagedObject) -> Place? {
    for (index, section) in sections.enumerated() {
      if let row = section.objects.firstIndex(where: { $0 === object }) {
        return Place(section: index, row: row)
      }
    }
    return nil
  }

  /// The places of the objects that are here, in one walk through all.
  func places(of objects: [NSManagedObject]) -> [ObjectIdentifier: Place] {
    var places: [ObjectIdentifier: Place] = [:]
    if objects.count <= 3 {
      for object in objects { places[ObjectIdentifier(object)] = place(of: object) }
      return places
    }
    let wanted = Set(objects.map(ObjectIdentifier.init))
    for (index, section) in sections.enumerated() {
      for (row, object) in section.objects.enumerated() {
        let id = ObjectIdentifier(object)
        guard wanted.contains(id) else { continue }
        places[id] = Place(section: index, row: row)
        if places.count == wanted.count { return places }
      }
    }
    return places
  }
}
