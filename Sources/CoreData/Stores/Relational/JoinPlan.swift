import CoreDataModel

/// The join tables of a model, and the side of each relationship in them.
struct JoinPlan {
  let tables: [JoinTable]
  private let sides: [RelationshipEnd.ID: JoinSide]

  /// The tables of a new file; of those that `file` has already, the names are as they are there.
  init(_ forest: EntityForest, in file: FileTables) {
    let names = JoinColumnNames(forest)
    let pairs = Self.pairs(in: forest)
    let found = PairTables(file, for: pairs, names)
    var tables: [JoinTable] = []
    var sides: [RelationshipEnd.ID: JoinSide] = [:]
    for pair in pairs {
      let (pair, table) =
        found[pair] ?? (pair, JoinTable(master: pair.first, other: pair.second, names: names))
      tables.append(table)
      sides[pair.second.id] = table.otherSide
      sides[pair.first.id] = table.masterSide
    }
    self.tables = tables.sorted { ($0.masterNumber, $0.name) < ($1.masterNumber, $1.name) }
    self.sides = sides
  }

  func side(of id: RelationshipEnd.ID) -> JoinSide {
    guard let side = sides[id] else {
      preconditionFailure("relationship \(id.name) of entity \(id.entity) has no join table")
    }
    return side
  }
}

// MARK: - Names

extension JoinPlan {
  /// A many-to-many relationship by its two ends; the first gives the table its name.
  struct Pair {
    let first: RelationshipEnd
    let second: RelationshipEnd

    var reversed: Pair { Pair(first: second, second: first) }
  }

  /// Each pair once, as one meets them on a walk through the entities by name, on which a subentity
  /// also shows what it inherits.
  ///
  /// Two relationships of one entity are met together; then the first by name comes first. Apple's
  /// choice between them follows no rule that we know, so that a file that is there decides.
  static func pairs(in forest: EntityForest) -> [Pair] {
    var known: Set<RelationshipEnd.ID> = []
    return forest.nodesByName.flatMap { node in
      forest.lineage(of: node)
        .flatMap { forest.ends(of: $0) }
        .sortedByCodePoints(\.id.name)
        .compactMap { forest.pair($0) }
    }
    .filter {
      known.insert($0.first.id).inserted && ($0.isReflexive || known.insert($0.second.id).inserted)
    }
  }
}

extension JoinPlan.Pair {
  /// Whether the relationship is its own inverse.
  var isReflexive: Bool { first.id == second.id }
}

extension EntityForest {
  /// The entity and its superentities.
  func lineage(of node: Node) -> [Node] {
    Array(sequence(first: node) { $0.superNumber == 0 ? nil : self[$0.superNumber] })
  }

  func pair(_ end: RelationshipEnd) -> JoinPlan.Pair? {
    guard
      case .manyToMany(_, let id) = end.kind,
      let inverse = self[id.entity].schema.relationships.first(where: { $0.name == id.name })
    else { return nil }
    return JoinPlan.Pair(first: end, second: self.end(inverse, of: id.entity))
  }
}

// MARK: - Names

/// The column that holds each many-to-many relationship's destinations, without its `Z_`.
///
/// Two entities may have relationships of one name to the same destination; the second has a 1.
struct JoinColumnNames {
  private var names: [RelationshipEnd.ID: String] = [:]

  init(_ forest: EntityForest) {
    var taken: Set<String> = []
    for node in forest.nodesByName {
      for end in forest.ends(of: node) {
        guard let name = PairColumnName(end) else { continue }
        var free = name.text
        var suffix = 0
        while !taken.insert(free).inserted {
          suffix += 1
          free = "\(name.text)\(suffix)"
        }
        names[end.id] = free
      }
    }
  }

  subscript(id: RelationshipEnd.ID) -> String {
    guard let name = names[id] else {
      preconditionFailure("relationship \(id.name) of entity \(id.entity) is not many-to-many")
    }
    return name
  }
}

/// The name of a column of pairs before digits distinguish it from others: `3TAGS`.
struct PairColumnName {
  /// The number of the entity whose keys it holds.
  let number: Int
  let name: String

  /// Nil for a relationship that is not many-to-many.
  init?(_ end: RelationshipEnd) {
    guard case .manyToMany(_, let inverse) = end.kind else { return nil }
    number = inverse.entity
    name = end.id.name.uppercased()
  }

  var text: String { "\(number)\(name)" }
}

extension JoinTable {
  static func name(master: RelationshipEnd) -> String {
    "Z_\(master.id.entity)\(master.id.name.uppercased())"
  }

  init(master: RelationshipEnd, other: RelationshipEnd, names: JoinColumnNames) {
    name = Self.name(master: master)
    masterNumber = master.id.entity
    isReflexive = master.id == other.id
    masterColumn = "Z_" + names[other.id]
    otherColumn = isReflexive ? "REFLEXIVE" : "Z_" + names[master.id]
    masterOrderColumn =
      other.schema.isOrdered && !isReflexive ? "Z_FOK_" + names[other.id] : nil
    otherOrderColumn =
      master.schema.isOrdered
      ? (isReflexive ? "Z_FOK_REFLEXIVE" : "Z_FOK_" + names[master.id]) : nil
  }
}
