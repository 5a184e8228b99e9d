package import CoreDataModel

/// Which name of the destination goes back to which name of the source.
///
///     version 1   name
///     version 2   title      renamed from name
///     version 3   heading    renamed from name      the identifier stays that of the first name
///
/// A renaming identifier is a canonical name that all versions share, so that 1 → 3 and 2 → 3 both find
/// the pair, and so does 3 → 1. The surest pair is made first: the same name under the same identifier,
/// then an identifier of the destination, then one of the source, then equal names.
struct RenamedNames {
  private(set) var sources: [String: String] = [:]
  private var taken: Set<String> = []

  struct Name {
    let name: String
    /// The name in an earlier version; nil when that is the same.
    let identifier: String?

    init(_ name: String, identifier: String?) {
      self.name = name
      self.identifier = identifier == name ? nil : identifier
    }

    var canonical: String { identifier ?? name }
  }

  init(from sources: [Name], to destinations: [Name]) {
    pair(sources, destinations) { old, new in
      old.name == new.name && old.identifier == new.identifier && new.identifier != nil
    }
    pair(sources, destinations) { old, new in
      new.identifier != nil && old.canonical == new.identifier
    }
    pair(sources, destinations) { old, new in
      new.identifier != nil && old.name == new.identifier
    }
    // A name that is still there and unclaimed is more likely the same thing than a former name is.
    let staying = Set(destinations.map(\.name))
      .subtracting(self.sources.keys).subtracting(sources.compactMap(\.identifier))
    pair(sources, destinations) { old, new in
      old.identifier == new.name && !staying.contains(old.name)
    }
    pair(sources, destinations) { old, new in old.name == new.name }
  }

  private mutating func pair(
    _ sources: [Name],
    _ destinations: [Name],
    by belongTogether: (Name, Name) -> Bool
  ) {
    for new in destinations where self.sources[new.name] == nil {
      guard let old = sources.first(where: { !taken.contains($0.name) && belongTogether($0, new) })
      else { continue }
      self.sources[new.name] = old.name
      taken.insert(old.name)
    }
  }
}

extension AttributeSchema {
  /// For each element of a composite attribute, the name of the element of an earlier version that it was; none
  /// for one that is new.
  package func namesOfElements(in old: AttributeSchema) -> [String: String] {
    RenamedNames(
      from: old.elements.map { .init($0.name, identifier: $0.renamingIdentifier) },
      to: elements.map { .init($0.name, identifier: $0.renamingIdentifier) }
    ).sources
  }
}
