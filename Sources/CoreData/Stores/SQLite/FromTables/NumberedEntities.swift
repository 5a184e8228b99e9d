import CoreDataModel

/// The entities of a file with their numbers and superentities.
///
///     1 Car            ZCAR
///     2   SportCar     ZCAR
///     3     LuxuryCar  ZCAR     called ExpensiveSportCar here before a migration renamed it
///     4 Person         ZPERSON
struct NumberedEntities: Sendable {
  /// The one with number 1 comes first.
  let all: [TableFacts.Entity]

  /// The reason why the numbers cannot come from a model, as in "has an entity without a name".
  struct Contradiction: Error {
    let lack: String
  }

  init(_ facts: TableFacts) throws(Contradiction) {
    try Self.check(facts.entities)
    all = Self.renamed(
      Self.renamed(facts.entities, to: Set(facts.versionHashes.keys)),
      as: facts
    )
  }

  subscript(number: Int) -> TableFacts.Entity { all[number - 1] }

  func tableName(of number: Int) -> String { "Z" + self[root(of: number)].name.uppercased() }

  func root(of number: Int) -> Int { lineage(of: number).last ?? number }

  /// The entity and its superentities, from the bottom up.
  func lineage(of number: Int) -> [Int] {
    Array(sequence(first: number) { self[$0].superNumber == 0 ? nil : self[$0].superNumber })
  }

  func hasSubentities(_ number: Int) -> Bool { all.contains { $0.superNumber == number } }

  /// The entity itself, and all below it.
  func family(of number: Int) -> [Int] {
    all.map(\.number).filter { lineage(of: $0).contains(number) }
  }

  /// The lowest entity that is above all these, or one of them; nil for entities without a relation.
  func common(_ numbers: some Sequence<Int>) -> Int? {
    let lineages = numbers.map { lineage(of: $0) }
    return lineages.first?.first { number in lineages.allSatisfy { $0.contains(number) } }
  }
}

// MARK: - Checking

extension NumberedEntities {
  /// Numbers follow each other, and a superentity has a lower one than its subentities.
  private static func check(_ entities: [TableFacts.Entity]) throws(Contradiction) {
    if entities.isEmpty { throw Contradiction(lack: "has no entity in its table Z_PRIMARYKEY") }
    for (index, entity) in entities.enumerated() {
      guard entity.number == index + 1 else {
        throw Contradiction(lack: "has no entity number \(index + 1) in its table Z_PRIMARYKEY")
      }
      guard !entity.name.isEmpty else {
        throw Contradiction(lack: "has no name for the entity number \(entity.number)")
      }
      guard (0..<entity.number).contains(entity.superNumber) else {
        throw Contradiction(
          lack: "says that \(entity.name) inherits from an entity \(entity.superNumber),"
            + " which it cannot"
        )
      }
      if entities[..<index].contains(where: { $0.name == entity.name }) {
        throw Contradiction(lack: "has two entities of the name \(entity.name)")
      }
    }
  }
}

// MARK: - Renaming

extension NumberedEntities {
  /// A migration that renames an entity may leave its old name in the table of keys, but not in the
  /// metadata.
  ///
  /// Entities that are beside each other are numbered by name, which shows the new name of each.
  private static func renamed(
    _ entities: [TableFacts.Entity],
    to names: Set<String>
  ) -> [TableFacts.Entity] {
    let old = entities.indices.filter { !names.contains(entities[$0].name) }
    let new = names.subtracting(entities.map(\.name)).sortedByCodePoints()
    // Names of other configurations are not in the metadata; more than a few do not come from renaming.
    guard old.count == new.count, old.count <= 4 else { return entities }
    for order in permutations(new) {
      var renamed = entities
      for (place, name) in zip(old, order) {
        renamed[place] = TableFacts.Entity(
          number: entities[place].number,
          name: name,
          superNumber: entities[place].superNumber
        )
      }
      if isInOrder(renamed) { return renamed }
    }
    return entities
  }

  /// If the metadata do not help, a table of an unknown name, with rows of an entity without a table, shows the new
  /// name in upper case.
  private static func renamed(
    _ entities: [TableFacts.Entity],
    as facts: TableFacts
  ) -> [TableFacts.Entity] {
    var entities = entities
    for place in entities.indices where entities[place].superNumber == 0 {
      let (number, name) = (entities[place].number, entities[place].name)
      guard facts.tables["Z" + name.uppercased()] == nil else { continue }
      let known = Set(entities.map { "Z" + $0.name.uppercased() })
      let candidates = facts.tables.values.filter { table in
        facts.hasEntities(table.name) && !known.contains(table.name)
          && table.columns.contains { $0.contents.keys.contains(number) }
      }
      guard candidates.count == 1 else { continue }
      var renamed = entities
      renamed[place] = TableFacts.Entity(
        number: number,
        name: candidates[0].name.dropFirst().lowercased().capitalizedFirst,
        superNumber: 0
      )
      if isInOrder(renamed) { entities = renamed }
    }
    return entities
  }

  private static func isInOrder(_ entities: [TableFacts.Entity]) -> Bool {
    Dictionary(grouping: entities, by: \.superNumber).values.allSatisfy { siblings in
      zip(siblings, siblings.dropFirst()).allSatisfy { $0.name.precedesAsEntity($1.name) }
    }
  }

  private static func permutations(_ names: [String]) -> [[String]] {
    guard !names.isEmpty else { return [[]] }
    return names.indices.flatMap { index in
      var rest = names
      let first = rest.remove(at: index)
      return permutations(rest).map { [first] + $0 }
    }
  }
}
