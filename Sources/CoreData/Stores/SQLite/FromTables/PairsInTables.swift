/// A join table of a file, read backwards: which relationships it is for.
///
///     Z_2TAGS ( Z_2NOTES, Z_3TAGS, Z_FOK_3TAGS )
///     Note (2) .tags, ordered  ◀▶  Tag (3) .notes
struct PairsInTable: Hashable, Sendable {
  let master: End
  /// The same as the master if a relationship is its own inverse.
  let other: End

  /// A relationship by the entity that has it, its name in upper case.
  struct End: Hashable, Sendable {
    let entity: Int
    let name: String
    /// The name with the digits that its column has, which may be part of the name.
    var longName: String?
    let isOrdered: Bool
  }

  static func all(in facts: TableFacts) -> [PairsInTable] {
    let tables = facts.tables.values.filter { !facts.hasEntities($0.name) }
      .sorted { $0.name < $1.name }
    let names = Set(tables.flatMap { $0.columns.map(\.name) })
    return tables.compactMap { PairsInTable($0, among: names, count: facts.entities.count) }
  }

  /// Nil for a table of another kind.
  private init?(_ table: TableFacts.Table, among names: Set<String>, count: Int) {
    let keys = table.columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }
      .map(\.name)
    guard keys.count == 2, let title = Numbered(table.name) else { return nil }
    let orders = table.columns.map(\.name).filter { $0.hasPrefix("Z_FOK_") }
    if let own = keys.firstIndex(where: { $0 != "REFLEXIVE" }), keys[1 - own] == "REFLEXIVE" {
      master = End(entity: title.number, name: title.name, isOrdered: !orders.isEmpty)
      other = master
    } else {
      guard let parts = Self.parts(of: keys, title, among: names) else { return nil }
      master = End(
        entity: title.number,
        name: title.name,
        isOrdered: parts.far.isOrdered(by: orders, beside: parts.own)
      )
      other = End(
        entity: parts.far.number,
        name: parts.own.plain(among: names),
        longName: parts.own.name,
        isOrdered: parts.own.isOrdered(by: orders, beside: parts.far)
      )
    }
    guard [master, other].allSatisfy({ (1...count).contains($0.entity) }) else { return nil }
  }

  /// The column of the objects that have the relationship that the table is called after, and that of
  /// its destinations, which is called after it too.
  private static func parts(
    of keys: [String],
    _ title: Numbered,
    among names: Set<String>
  ) -> (own: Numbered, far: Numbered)? {
    guard let first = Numbered(keys[0]), let second = Numbered(keys[1]) else { return nil }
    let isTurned =
      first.isCalled(title.name) && second.number == title.number
      && !(second.isCalled(title.name) && first.number == title.number)
    return isTurned ? (second, first) : (first, second)
  }

  /// `Z_2TAGS` as 2 and `TAGS`.
  private struct Numbered {
    let column: String
    let number: Int
    let name: String

    init?(_ text: String) {
      guard text.hasPrefix("Z_") else { return nil }
      let rest = text.dropFirst(2)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits), digits.count < rest.count else { return nil }
      column = text
      self.number = number
      name = String(rest.dropFirst(digits.count))
    }

    /// Whether that is its name, whatever digits follow.
    func isCalled(_ name: String) -> Bool {
      self.name.hasPrefix(name)
        && self.name.dropFirst(name.count).allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// Whether there is a column with the places that go with these keys, whatever digits it has.
    func isOrdered(by orders: [String], beside other: Numbered) -> Bool {
      let exact = "Z_FOK_\(column.dropFirst(2))"
      if orders.contains(exact) { return true }
      return orders.filter { $0 != "Z_FOK_\(other.column.dropFirst(2))" }
        .compactMap { Numbered("Z_\($0.dropFirst(6))") }
        .contains { $0.number == number && ($0.isCalled(name) || isCalled($0.name)) }
    }

    /// The name without the digits that distinguish it from the same name in another table.
    func plain(among names: Set<String>) -> String {
      let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
      guard digits > 0, digits < name.count, names.contains(String(column.dropLast(digits))) else {
        return name
      }
      return String(name.dropLast(digits))
    }
  }
}
