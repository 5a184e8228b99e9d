/// The sections and items of a list by their identifiers, as data sources use them on Apple's
/// systems.
///
/// ```swift
/// for section in snapshot.sectionIdentifiers {
///   print(section, snapshot.itemIdentifiers(inSection: section).count)
/// }
/// ```
///
/// Identifiers must be unique. Adding an identifier twice, or naming an unknown one as a position,
/// stops the program.
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

  /// Creates an empty snapshot.
  public init() {
    sections = []
  }

  init(sections: [Section]) {
    self.sections = sections
  }
}

/// The type of the snapshots that delegates receive.
///
/// On Apple's systems this is a class that is cast to the structure. Here it is the structure
/// itself, so that the same line compiles:
///
/// ```swift
/// dataSource.apply(snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>)
/// ```
public typealias NSDiffableDataSourceSnapshotReference =
  NSDiffableDataSourceSnapshot<String, NSManagedObjectID>

// MARK: - Asking

extension NSDiffableDataSourceSnapshot {
  /// The number of sections.
  public var numberOfSections: Int { sections.count }

  /// The number of items in all sections.
  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }

  /// The identifiers of the sections, in order.
  public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.id) }

  /// The identifiers of all items, in order.
  public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }

  /// The identifiers of items whose contents have changed.
  public var reloadedItemIdentifiers: [ItemIdentifierType] { reloaded }

  /// The identifiers of items whose contents have changed and whose cells can be kept.
  public var reconfiguredItemIdentifiers: [ItemIdentifierType] { reconfigured }

  /// The identifiers of sections whose contents have changed.
  public var reloadedSectionIdentifiers: [SectionIdentifierType] { reloadedSections }

  /// Returns the number of items in a section.
  ///
  /// - Parameter identifier: The identifier of a section.
  /// - Returns: The number of items.
  public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
    sections[required(identifier)].items.count
  }

  /// Returns the identifiers of the items in a section, in order.
  ///
  /// - Parameter identifier: The identifier of a section.
  /// - Returns: The identifiers of the items.
  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
    sections[required(identifier)].items
  }

  /// Returns the identifier of the section that contains an item.
  ///
  /// - Parameter identifier: The identifier of an item.
  /// - Returns: The identifier of the section, or `nil` if the snapshot does not contain the item.
  public func sectionIdentifier(
    containingItem identifier: ItemIdentifierType
  ) -> SectionIdentifierType? {
    place(of: identifier).map { sections[$0.section].id }
  }

  /// Returns the index of an item among all items.
  ///
  /// - Parameter identifier: The identifier of an item.
  /// - Returns: The index, or `nil` if the snapshot does not contain the item.
  public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
    place(of: identifier).map { place in
      sections[..<place.section].reduce(place.row) { $0 + $1.items.count }
    }
  }

  /// Returns the index of a section.
  ///
  /// - Parameter identifier: The identifier of a section.
  /// - Returns: The index, or `nil` if the snapshot does not contain the section.
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
  /// Adds sections at the end.
  ///
  /// - Parameter identifiers: The identifiers of the new sections.
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    insert(identifiers, at: sections.count)
  }

  /// Inserts sections before another section.
  ///
  /// - Parameters:
  ///   - identifiers: The identifiers of the new sections.
  ///   - toIdentifier: The identifier of an existing section.
  public mutating func insertSections(
    _ identifiers: [SectionIdentifierType],
    beforeSection toIdentifier: SectionIdentifierType
  ) {
    insert(identifiers, at: required(toIdentifier))
  }

  /// Inserts sections after another section.
  ///
  /// - Parameters:
  ///   - identifiers: The identifiers of the new sections.
  ///   - toIdentifier: The identifier of an existing section.
  public mutating func insertSections(
    _ identifiers: [SectionIdentifierType],
    afterSection toIdentifier: SectionIdentifierType
  ) {
    insert(identifiers, at: required(toIdentifier) + 1)
  }

  /// Removes sections and their items.
  ///
  /// - Parameter identifiers: The identifiers of the sections. Unknown identifiers are ignored.
  public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
    let gone = Set(identifiers)
    let items = sections.filter { gone.contains($0.id) }.flatMap(\.items)
    sections.removeAll { gone.contains($0.id) }
    reloadedSections.removeAll { gone.contains($0) }
    unmark(Set(items))
  }

  /// Moves a section before another one.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the section to move.
  ///   - toIdentifier: The identifier of another section.
  public mutating func moveSection(
    _ identifier: SectionIdentifierType,
    beforeSection toIdentifier: SectionIdentifierType
  ) {
    let section = sections.remove(at: required(identifier))
    sections.insert(section, at: required(toIdentifier))
  }

  /// Moves a section behind another one.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the section to move.
  ///   - toIdentifier: The identifier of another section.
  public mutating func moveSection(
    _ identifier: SectionIdentifierType,
    afterSection toIdentifier: SectionIdentifierType
  ) {
    let section = sections.remove(at: required(identifier))
    sections.insert(section, at: required(toIdentifier) + 1)
  }

  /// Marks the contents of sections as changed.
  ///
  /// - Parameter identifiers: The identifiers of the sections.
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
  /// Adds items at the end of a section.
  ///
  /// - Parameters:
  ///   - identifiers: The identifiers of the new items.
  ///   - sectionIdentifier: The identifier of the section, or `nil` for the last one.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType],
    toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    let index = sectionIdentifier.map(required) ?? sections.count - 1
    require(index >= 0, "the snapshot has no section yet; append one before its items")
    insert(identifiers, at: Place(section: index, row: sections[index].items.count))
  }

  /// Inserts items before another item.
  ///
  /// - Parameters:
  ///   - identifiers: The identifiers of the new items.
  ///   - beforeIdentifier: The identifier of an existing item.
  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType],
    beforeItem beforeIdentifier: ItemIdentifierType
  ) {
    insert(identifiers, at: required(beforeIdentifier))
  }

  /// Inserts items after another item.
  ///
  /// - Parameters:
  ///   - identifiers: The identifiers of the new items.
  ///   - afterIdentifier: The identifier of an existing item.
  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType],
    afterItem afterIdentifier: ItemIdentifierType
  ) {
    insert(identifiers, at: placeBehind(afterIdentifier))
  }

  /// Removes items.
  ///
  /// - Parameter identifiers: The identifiers of the items. Unknown identifiers are ignored.
  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
    let gone = Set(identifiers)
    for index in sections.indices { sections[index].items.removeAll { gone.contains($0) } }
    unmark(gone)
  }

  /// Forgets that the contents of items have changed which are gone.
  private mutating func unmark(_ gone: Set<ItemIdentifierType>) {
    reloaded.removeAll { gone.contains($0) }
    reconfigured.removeAll { gone.contains($0) }
  }

  /// Removes all sections and items.
  public mutating func deleteAllItems() {
    self = Self()
  }

  /// Moves an item before another one, possibly to another section.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the item to move.
  ///   - toIdentifier: The identifier of another item.
  public mutating func moveItem(
    _ identifier: ItemIdentifierType,
    beforeItem toIdentifier: ItemIdentifierType
  ) {
    take(identifier)
    let place = required(toIdentifier)
    sections[place.section].items.insert(identifier, at: place.row)
  }

  /// Moves an item behind another one, possibly to another section.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the item to move.
  ///   - toIdentifier: The identifier of another item.
  public mutating func moveItem(
    _ identifier: ItemIdentifierType,
    afterItem toIdentifier: ItemIdentifierType
  ) {
    take(identifier)
    let place = placeBehind(toIdentifier)
    sections[place.section].items.insert(identifier, at: place.row)
  }

  /// Marks the contents of items as changed.
  ///
  /// - Parameter identifiers: The identifiers of the items.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    mark(identifiers, in: \.reloaded)
  }

  /// Marks the contents of items as changed, so that their cells can be kept.
  ///
  /// - Parameter identifiers: The identifiers of the items.
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
