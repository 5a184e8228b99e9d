import CoreDataModel
import CoreDataModelChanges

/// Two models as tables, and which entity of the one becomes which of the other.
///
///     Tag (5) in ZTAG  ─▶  Label (3) in ZLABEL
struct MatchedTables {
  let comparison: ModelComparison
  let source: TableMap
  let destination: TableMap
  /// The entities that both have, in the order of their numbers in the destination.
  let moves: [EntityMove]
  /// The entities of the source that nothing was made of.
  let removed: [EntityMap]
  private let movesByOldNumber: [Int: EntityMove]
  let dialect: any MigrationDialect

  /// `file` has the former contents of the file; `nil` if tables always have the model's names.
  init(_ comparison: ModelComparison, in file: FileTables?, _ dialect: any MigrationDialect) {
    self.comparison = comparison
    self.dialect = dialect
    if let file {
      source = TableMap(comparison.source, in: file)
      destination = TableMap(
        comparison.destination,
        in: Self.keptTables(comparison, from: source, in: file)
      )
    } else {
      source = TableMap(comparison.source)
      destination = TableMap(comparison.destination)
    }
    let (source, destination) = (source, destination)
    moves = comparison.entities.compactMap { match in
      guard let old = match.sourceName.flatMap({ source[$0] }),
        let new = destination[match.destinationName]
      else { return nil }
      return EntityMove(source: old, destination: new, match: match)
    }
    .sorted { $0.destination.number < $1.destination.number }
    removed = comparison.removedEntityNames.compactMap { source[$0] }
      .sorted { $0.number < $1.number }
    movesByOldNumber = Dictionary(uniqueKeysWithValues: moves.map { ($0.source.number, $0) })
  }
}

extension MatchedTables {
  /// The names that stay.
  ///
  /// Tables of pairs that are called as the rule has it are called so afterwards. Others keep their
  /// columns, as far as they keep their names.
  private static func keptTables(
    _ comparison: ModelComparison,
    from source: TableMap,
    in file: FileTables
  ) -> FileTables {
    let rule = TableMap(comparison.source, existingTables: file.names)
    let first = TableMap(comparison.destination)
    let names = keptNames(comparison, from: source, to: first)
    let unusual = Set(source.joinTables).subtracting(rule.joinTables).map(\.name)
      .filter(names.union(first.joinTables.map(\.name)).contains)
    return FileTables(
      names: names.union(unusual),
      columns: file.pairColumns.filter { unusual.contains($0.key) }
    )
  }

  /// The tables of pairs of an entity with itself, as they will be called.
  ///
  /// There is no known rule which of its two relationships gives such a table its name, so the file's name is kept.
  private static func keptNames(
    _ comparison: ModelComparison,
    from source: TableMap,
    to destination: TableMap
  ) -> Set<String> {
    var names: Set<String> = []
    for match in comparison.entities {
      guard let entity = destination[match.destinationName] else { continue }
      for property in match.properties {
        guard case .relationship(let new) = property.destination.property,
          property.destination.entityName == entity.name, new.destinationName == entity.name,
          let old = property.source, let before = source[old.entityName],
          case .join(let side)? = before[old.name],
          side.table == "Z_\(before.number)\(old.name.uppercased())"
        else { continue }
        names.insert("Z_\(entity.number)\(new.name.uppercased())")
      }
    }
    return names
  }
}

/// An entity that both models have: the present and the future place of its rows.
struct EntityMove {
  let source: EntityMap
  let destination: EntityMap
  let match: EntityMatch
}

// MARK: - Asking

extension MatchedTables {
  func move(from number: Int) -> EntityMove? { movesByOldNumber[number] }

  /// The entities that rows of a table will be of, those that were there before.
  func moves(into table: String) -> [EntityMove] {
    moves.filter { $0.destination.tableName == table }
  }

  /// The moves that end at an entity or below it.
  func moves(atOrBelow entity: EntityMap) -> [EntityMove] {
    moves.filter { entity.numbers.contains($0.destination.number) }
  }

  /// Whether some entity has another number than before, or none.
  var renumbers: Bool {
    !removed.isEmpty || moves.contains { $0.source.number != $0.destination.number }
  }

  /// The entities that could be at the end of a source relationship and cannot be at that of the
  /// destination's, by their old numbers.
  func strangers(from old: EntityMap, to new: EntityMap) -> [Int] {
    old.numbers.filter { number in
      guard let move = move(from: number) else { return true }
      return !new.numbers.contains(move.destination.number)
    }
  }
}
