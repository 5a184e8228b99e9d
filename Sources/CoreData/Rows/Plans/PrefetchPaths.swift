/// Relationships to read ahead, as a tree: paths that begin alike share their first steps.
///
/// ```
/// folder, folder.parent, tags
/// ├── folder
/// │   └── parent
/// └── tags
/// ```
struct PrefetchPaths {
  let steps: [Step]

  struct Step {
    let slot: Int
    /// The entity where the relationship was found.
    let layout: EntityLayout
    let destination: EntityLayout
    let rest: PrefetchPaths
  }

  var isEmpty: Bool { steps.isEmpty }

  /// Stops the program for a path that does not lead along relationships.
  init(_ paths: [String], of layout: EntityLayout) {
    self.init(paths.map { $0.split(separator: ".").map(String.init)[...] }, of: layout)
  }

  private init(_ paths: [ArraySlice<String>], of layout: EntityLayout) {
    var names: [String] = []
    for path in paths {
      if let name = path.first, !names.contains(name) { names.append(name) }
    }
    steps = names.map { name in
      guard let slot = layout.slot(named: name), layout.slots[slot].kind.isRelationship,
        let end = layout.slots[slot].end, let destination = layout.model[number: end.destination]
      else {
        stop(
          """
          \(name) is no relationship of \(layout.name), and cannot be prefetched; \
          relationshipKeyPathsForPrefetching takes paths such as "folder.parent"
          """
        )
      }
      let rest = paths.filter { $0.first == name && $0.count > 1 }.map { $0.dropFirst() }
      return Step(
        slot: slot,
        layout: layout,
        destination: destination,
        rest: PrefetchPaths(rest, of: destination)
      )
    }
  }
}
