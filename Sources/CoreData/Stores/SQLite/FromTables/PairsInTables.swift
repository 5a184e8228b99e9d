/// A join table of a file, read backwards: which relationships it is for.
///
///     Z_2TAGS ( Z_2NOTES, Z_3TAGS, Z_FOK_3TAGS )
///     Note (2) .tags, ordered  ◀▶  Tag (3) .notes
struct PairsInTable: Hashable, Sendable {
  let master: End
  /// The same as the master where a relationship is its own inverse.
  let other: End

  /// A relationship by the entity that has it, its name in upper case.
  struct End: Hashable, Sendable {
    let entity: Int
    let name: String
    let isOrdered: Bool
  }

  static func all(in facts: TableFacts) -> [PairsInTable] {
    let names = facts.tables.values.filter { !facts.hasEntities($0.name) }
      .flatMap { $0.columns.map(\.name) }
    return facts.tables.values.sorted { $0.name < $1.name }
      .compactMap { PairsInTable($0, among: names, count: facts.entities.count) }
  }

  /// Nil for a table of another kind.
  private init?(_ table: TableFacts.Table, among names: [String], count: Int) {
    let keys = table.columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
    guard keys.count == 2, let title = Numbered(table.name), let own = Numbered(keys[0].name)
    else { return nil }
    let columns = Set(table.columns.map(\.name))
    if keys[1].name == "REFLEXIVE" {
      let isOrdered = columns.contains("Z_FOK_REFLEXIVE")
      master = End(entity: title.number, name: title.name, isOrdered: isOrdered)
      other = master
    } else {
      guard let far = Numbered(keys[1].name) else { return nil }
      master = End(
        entity: title.number,
        name: title.name,
        isOrdered: columns.contains("Z_FOK_\(keys[1].name.dropFirst(2))")
      )
      other = End(
        entity: far.number,
        name: Self.plain(own.name, of: keys[0].name, among: names),
        isOrdered: columns.contains("Z_FOK_\(keys[0].name.dropFirst(2))")
      )
    }
    guard [master, other].allSatisfy({ (1...count).contains($0.entity) }) else { return nil }
  }

  /// A name without the number that tells it from the same name in another table.
  private static func plain(_ name: String, of column: String, among names: [String]) -> String {
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard digits > 0, digits < name.count, names.contains(String(column.dropLast(digits))) else {
      return name
    }
    return String(name.dropLast(digits))
  }

  /// `Z_2TAGS` as 2 and `TAGS`.
  private struct Numbered {
    let number: Int
    let name: String

    init?(_ text: String) {
      guard text.hasPrefix("Z_") else { return nil }
      let rest = text.dropFirst(2)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits), digits.count < rest.count else { return nil }
      self.number = number
      name = String(rest.dropFirst(digits.count))
    }
  }
}
