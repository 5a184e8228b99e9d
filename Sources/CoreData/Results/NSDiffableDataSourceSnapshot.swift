/// The content of a list in sections, by identities: what a data source applies on Apple's systems.
///
/// ```swift
/// for section in snapshot.sectionIdentifiers {
///   print(section, snapshot.itemIdentifiers(inSection: section).count)
/// }
/// ```
///
/// An item stands in one place at most. A mistake (an unknown section, an item twice) stops the
/// program with a sentence.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>: Sendable
where
  SectionIdentifierType: Hashable & Sendable,
  ItemIdentifierType: Hashable & Sendable
{
  typealias Section = (id: SectionIdentifierType, items: [ItemIdentifierType])

  private(set) var sections: [Section]
  var reloaded: [ItemIdentifierType] = []
  var reconfigured: [ItemIdentifierType] = []
  var reloadedSections: [SectionIdentifierType] = []

  public init() {
    sections = []
  }

  init(sections: [Section]) {
    self.sections = sections
  }
}

/// The type of the snapshots that delegates are given.
///
/// On Apple's systems a class that is cast; here it is the value itself, so that the same line
/// compiles:
///
/// ```swift
/// dataSource.apply(snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>)
/// ```
public typealias NSDiffableDataSourceSnapshotReference =
  NSDiffableDataSourceSnapshot<String, NSManagedObjectID>

// MARK: - Asking

extension NSDiffableDataSourceSnapshot {
  public var numberOfSections: Int { sections.count }

  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }

  public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.id) }

  public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }

  /// The items that are still the same, but whose content has changed.
  public var reloadedItemIdentifiers: [ItemIdentifierType] { reloaded }

  public var reconfiguredItemIdentifiers: [ItemIdentifierType] { reconfigured }

  public var reloadedSectionIdentifiers: [SectionIdentifierType] { reloadedSections }

  public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
    sections[required(identifier)].items.count
  }

  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
    sections[required(identifier)].items
  }

  /// The section of an item; nil when the item is not here.
  public func sectionIdentifier(
    containingItem identifier: ItemIdentifierType
  ) -> SectionIdentifierType? {
    place(of: identifier).map { sections[$0.section].id }
  }

  /// The place of an item among all items; nil when it is not here.
  public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
    place(of: identifier).map { place in
      sections[..<place.section].reduce(place.row) { $0 + $1.items.count }
    }
  }

  public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
    sections.firstIndex { $0.id == identifier }
  }

  private func place(of item: ItemIdentifierType) -> Place? {
    for (index, section) in sections.enumerated() {
      if let row = section.items.firstIndex(of: item) { return Place(section: index, row: row) }
    }
    return nil
  }

  private func required(_ section: SectionIdentifierType) -> Int {
    guard let index = indexOfSection(section) else {
      stop("the snapshot has no section \(section); its sections are \(sectionIdentifiers)")
    }
    return index
  }

  private func required(_ item: ItemIdentifierType) -> Place {
    guard let place = place(of: item) else { stop("the snapshot has no item \(item)") }
    return place
  }
}

extension NSDiffableDataSourceSnapshot: Equatable {
  public static func == (one: Self, other: Self) -> Bool {
    one.sections.elementsEqual(other.sections) { $0.id == $1.id && $0.items == $1.items }
      && one.reloaded == other.reloaded && one.reconfigured == other.reconfigured
      && one.reloadedSections == other.reloadedSections
  }
}

// MARK: - Changing sections

extension NSDiffableDataSourceSnapshot {
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    insert(identifiers, at: sections.count)
  }

  public mutating func insertSections(
    _ identifiers: [SectionIdentifierType],
    beforeSection toIdentifier: SectionIdentifierType
  ) {
    insert(identifiers, at: required(toIdentifier))
  }

  public mutating func insertSections(
    _ identifiers: [SectionIdentifierType],
    afterSection toIdentifier: SectionIdentifierType
  ) {
    insert(identifiers, at: required(toIdentifier) + 1)
  }

  public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
    let gone = Set(identifiers)
    sections.removeAll { gone.contains($0.id) }
    reloadedSections.removeAll { gone.contains($0) }
  }

  public mutating func moveSection(
    _ identifier: SectionIdentifierType,
    beforeSection toIdentifier: SectionIdentifierType
  ) {
    let section = sections.remove(at: required(identifier))
    sections.insert(section, at: required(toIdentifier))
  }

  public mutating func moveSection(
    _ identifier: SectionIdentifierType,
    afterSection toIdentifier: SectionIdentifierType
  ) {
    let section = sections.remove(at: required(identifier))
    sections.insert(section, at: required(toIdentifier) + 1)
  }

  public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
    for identifier in identifiers where !reloadedSections.contains(identifier) {
      reloadedSections.append(sections[required(identifier)].id)
    }
  }

  private mutating func insert(_ identifiers: [SectionIdentifierType], at index: Int) {
    var known = Set(sectionIdentifiers)
    for identifier in identifiers {
      require(known.insert(identifier).inserted, "the snapshot has the section \(identifier) twice")
    }
    sections.insert(contentsOf: identifiers.map { ($0, []) }, at: index)
  }
}

// MARK: - Changing items

extension NSDiffableDataSourceSnapshot {
  /// Adds items to a section, to the last one when none is named.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType],
    toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    let index = sectionIdentifier.map(required) ?? sections.count - 1
    require(index >= 0, "the snapshot has no section yet; append one before its items")
    insert(identifiers, at: Place(section: index, row: sections[index].items.count))
  }

  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType],
    beforeItem beforeIdentifier: ItemIdentifierType
  ) {
    insert(identifiers, at: required(beforeIdentifier))
  }

  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType],
    afterItem afterIdentifier: ItemIdentifierType
  ) {
    insert(identifiers, at: placeBehind(afterIdentifier))
  }

  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
    let gone = Set(identifiers)
    for index in sections.indices { sections[index].items.removeAll { gone.contains($0) } }
    reloaded.removeAll { gone.contains($0) }
    reconfigured.removeAll { gone.contains($0) }
  }

  /// Removes everything, sections too.
  public mutating func deleteAllItems() {
    self = Self()
  }

  public mutating func moveItem(
    _ identifier: ItemIdentifierType,
    beforeItem toIdentifier: ItemIdentifierType
  ) {
    take(identifier)
    let place = required(toIdentifier)
    sections[place.section].items.insert(identifier, at: place.row)
  }

  public mutating func moveItem(
    _ identifier: ItemIdentifierType,
    afterItem toIdentifier: ItemIdentifierType
  ) {
    take(identifier)
    let place = placeBehind(toIdentifier)
    sections[place.section].items.insert(identifier, at: place.row)
  }

  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    mark(identifiers, in: \.reloaded)
  }

  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    mark(identifiers, in: \.reconfigured)
  }

  private mutating func insert(_ identifiers: [ItemIdentifierType], at place: Place) {
    var known = Set(itemIdentifiers)
    for identifier in identifiers {
      require(known.insert(identifier).inserted, "the snapshot has the item \(identifier) twice")
    }
    sections[place.section].items.insert(contentsOf: identifiers, at: place.row)
  }

  private mutating func take(_ identifier: ItemIdentifierType) {
    let place = required(identifier)
    sections[place.section].items.remove(at: place.row)
  }

  private func placeBehind(_ identifier: ItemIdentifierType) -> Place {
    let place = required(identifier)
    return Place(section: place.section, row: place.row + 1)
  }

  private mutating func mark(
    _ identifiers: [ItemIdentifierType],
    in marks: WritableKeyPath<Self, [ItemIdentifierType]>
  ) {
    let present = Set(itemIdentifiers)
    var marked = Set(self[keyPath: marks])
    for identifier in identifiers where marked.insert(identifier).inserted {
      require(present.contains(identifier), "the snapshot has no item \(identifier)")
      self[keyPath: marks].append(identifier)
    }
  }
}
