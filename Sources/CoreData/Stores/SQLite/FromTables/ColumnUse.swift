import CoreDataModel

/// The use of a column of an entity table.
///
///     ZTITLE VARCHAR        an attribute
///     ZFOLDER INTEGER       a key, for it has the index ZNOTE_ZFOLDER_INDEX
///     Z3_FOLDER INTEGER     goes with ZFOLDER: the entity of the row it leads to
///     Z_FOK_FOLDER INTEGER  goes with ZFOLDER: the place in an ordered relationship back
///     Z1KEPT INTEGER        the key of an entity 1 whose relationship "kept" lacks an inverse
enum ColumnUse: Hashable, Sendable {
  case attribute(String)
  case key(Key)
  case owner(Owner)

  struct Key: Hashable, Sendable {
    /// The property's name, in upper case.
    let name: String
    /// The number of the destination, if a column beside the key shows it.
    let destination: Int?
    let isOrderedBack: Bool
    /// Whether nothing but an index says that it is a key: before iOS 11 attributes had such too.
    let isDoubtful: Bool
  }

  struct Owner: Hashable, Sendable {
    let entity: Int
    let name: String
    let isOrdered: Bool
  }
}

extension TableFacts {
  /// The framework of iOS 11, since which the indexes of attributes have other names.
  private static let firstWithFetchIndexes = 836

  /// The columns of a table that belong to properties, each with its use.
  func uses(in table: Table) -> [(column: Column, use: ColumnUse)] {
    let parts = table.columns.compactMap { column in
      NamedColumn(column.name).map { (column: column, name: $0) }
    }
    let integers = Set(parts.filter { $0.column.type == "INTEGER" }.map(\.column.name))
    return parts.compactMap { column, name in
      switch name {
      case .order:
        return nil
      case .numbered(let number, let rest):
        // `Z3_FOLDER` goes with `ZFOLDER`; alone it is the key of a relationship called `_folder`.
        if rest.hasPrefix("_"), integers.contains("Z" + rest.dropFirst()) { return nil }
        guard column.type == "INTEGER", entities.indices.contains(number - 1) else { return nil }
        let isOrdered = integers.contains("Z_FOK_\(number)\(rest)")
        return (column, .owner(ColumnUse.Owner(entity: number, name: rest, isOrdered: isOrdered)))
      case .plain(let rest):
        return (column, use(of: column, rest, in: table, beside: parts.map(\.name)))
      }
    }
  }

  private func use(
    of column: Column,
    _ name: String,
    in table: Table,
    beside columns: [NamedColumn]
  ) -> ColumnUse {
    guard column.type == "INTEGER" else { return .attribute(name) }
    let numbers = columns.compactMap { other -> Int? in
      if case .numbered(let number, "_" + name) = other { number } else { nil }
    }
    let destination = numbers.first { entities.indices.contains($0 - 1) }
    let isOrderedBack = columns.contains(.order(name))
    let isIndexed = isIndexed(column, in: table.name)
    guard destination != nil || isOrderedBack || isIndexed else { return .attribute(name) }
    let isOld = (frameworkVersion ?? Self.firstWithFetchIndexes) < Self.firstWithFetchIndexes
    return .key(
      ColumnUse.Key(
        name: name,
        destination: destination,
        isOrderedBack: isOrderedBack,
        isDoubtful: isOld && destination == nil && !isOrderedBack
      )
    )
  }
}

/// A column's name taken apart.
private enum NamedColumn: Hashable {
  /// `ZTITLE`, without its Z.
  case plain(String)
  /// `Z3_FOLDER` and `Z1KEPT`.
  case numbered(Int, String)
  /// `Z_FOK_FOLDER`.
  case order(String)

  /// Nil for a column that Core Data did not make, or that belongs to every row.
  init?(_ name: String) {
    guard name.hasPrefix("Z"), name.count > 1, name == name.uppercased(),
      !RowDecoder.keyColumns.contains(name)
    else { return nil }
    let rest = name.dropFirst()
    if rest.hasPrefix("_FOK_") {
      self = .order(String(rest.dropFirst(5)))
      return
    }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), digits.count < rest.count else {
      self = .plain(String(rest))
      return
    }
    self = .numbered(number, String(rest.dropFirst(digits.count)))
  }
}
