import CoreDataModel

/// The join tables of a model, and the side of each relationship in them.
struct JoinPlan {
  let tables: [JoinTable]
  private let sides: [RelationshipEnd.ID: JoinSide]

  init(_ forest: EntityForest, existingTables: Set<String>) {
    let names = JoinColumnNames(forest)
    var tables: [JoinTable] = []
    var sides: [RelationshipEnd.ID: JoinSide] = [:]
    for candidate in JoinPlan.endsByEntityName(in: forest) where sides[candidate.end.id] == nil {
      let pair = Self.masterFirst(candidate, in: forest, existingTables: existingTables)
      let table = JoinTable(master: pair.master, other: pair.other, names: names)
      tables.append(table)
      sides[pair.other.id] = table.otherSide
      sides[pair.master.id] = table.masterSide
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

// MARK: - Who gives the name

extension JoinPlan {
  /// A many-to-many end and its other end.
  struct Candidate {
    let end: RelationshipEnd
    let inverse: RelationshipEnd
  }

  /// All many-to-many ends as one meets them on a walk through the entities by name, on which a
  /// subentity also shows what it inherits.
  ///
  /// Two relationships of one entity are met together; then the first by name comes first. Apple's
  /// choice between them follows no rule that we know, hence `existingTables`.
  static func endsByEntityName(in forest: EntityForest) -> [Candidate] {
    forest.nodesByName.flatMap { node in
      forest.lineage(of: node)
        .flatMap { forest.ends(of: $0) }
        .sortedByCodePoints(\.id.name)
        .compactMap { forest.candidate($0) }
    }
  }

  private static func masterFirst(
    _ candidate: Candidate,
    in forest: EntityForest,
    existingTables: Set<String>
  ) -> (master: RelationshipEnd, other: RelationshipEnd) {
    let isNamedByInverse =
      !existingTables.contains(JoinTable.name(master: candidate.end))
      && existingTables.contains(JoinTable.name(master: candidate.inverse))
    return isNamedByInverse
      ? (candidate.inverse, candidate.end) : (candidate.end, candidate.inverse)
  }
}

extension EntityForest {
  /// The entity and its superentities.
  func lineage(of node: Node) -> [Node] {
    Array(sequence(first: node) { $0.superNumber == 0 ? nil : self[$0.superNumber] })
  }

  func candidate(_ end: RelationshipEnd) -> JoinPlan.Candidate? {
    guard
      case .manyToMany(_, let id) = end.kind,
      let inverse = self[id.entity].schema.relationships.first(where: { $0.name == id.name })
    else { return nil }
    return JoinPlan.Candidate(end: end, inverse: self.end(inverse, of: id.entity))
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
        guard case .manyToMany(_, let inverse) = end.kind else { continue }
        let name = "\(inverse.entity)\(end.id.name.uppercased())"
        var free = name
        var suffix = 0
        while !taken.insert(free).inserted {
          suffix += 1
          free = "\(name)\(suffix)"
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
