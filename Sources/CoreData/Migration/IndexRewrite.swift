import CoreDataSQL

/// Which indexes of a table stay, which go and which are made.
///
/// An index is recognized by its contents, not by its name: SQLite renames columns inside indexes, so that one that
/// still fits need not be built again.
struct IndexRewrite {
  /// The names of those that go before anything changes.
  private(set) var dropped: [String] = []
  private(set) var made: [TableIndex] = []

  /// `columns` says what becomes of each column; nil for a table that is new.
  init(
    of table: String,
    from shape: FileShape.TableShape?,
    columns: [String: String]?,
    wanted: [TableIndex]
  ) {
    guard let shape, let columns else {
      made = wanted
      return
    }
    let isUnchanged = columns.allSatisfy { $0.key == $0.value }
    var kept: [(index: FileShape.IndexShape, wish: Int)] = []
    for index in shape.indexes {
      let wish = wanted.indices.first { place in
        !kept.contains { $0.wish == place }
          && index.serves(wanted[place], columns: columns, isUnchanged: isUnchanged)
      }
      if let wish {
        kept.append((index, wish))
      } else if index.name.hasPrefix("Z") || !index.survives(columns) {
        dropped.append(index.name)
      }
    }
    // A name that another index will have is given up.
    var clashes = true
    while clashes {
      let missing = wanted.indices.filter { place in !kept.contains { $0.wish == place } }
      let names = Set(missing.map { wanted[$0].name })
      clashes = false
      for place in kept.indices.reversed() where names.contains(kept[place].index.name) {
        dropped.append(kept[place].index.name)
        kept.remove(at: place)
        clashes = true
      }
    }
    made = wanted.indices.filter { place in !kept.contains { $0.wish == place } }
      .map { wanted[$0] }
  }
}

extension FileShape.IndexShape {
  fileprivate func serves(
    _ wish: TableIndex,
    columns renamed: [String: String],
    isUnchanged: Bool
  ) -> Bool {
    guard isUnique == wish.isUnique, columns.count == wish.elements.count else { return false }
    if condition != wish.condition || (condition != nil && !isUnchanged) { return false }
    return zip(columns, wish.elements).allSatisfy { column, element in
      column.name.flatMap { renamed[$0] } == element.column
        && column.isDescending == (element.order == .descending)
        && column.collation.uppercased() == "BINARY"
    }
  }

  /// Whether all its columns stay, so that SQLite can keep an index that nobody here knows.
  fileprivate func survives(_ renamed: [String: String]) -> Bool {
    columns.allSatisfy { column in column.name.map { renamed[$0] != nil } ?? false }
  }
}
