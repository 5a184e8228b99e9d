import CoreDataModel
import Foundation

/// The model that a file's tables imply, as far as they do.
///
///     Z_PRIMARYKEY  2 Note                Note
///     ZNOTE         ZTITLE VARCHAR        ├ title      String
///                   ZCREATEDAT TIMESTAMP  ├ createdat  Date
///                   ZFOLDER INTEGER       ├ folder  ◀▶ Folder.notes
///     Z_2TAGS       Z_2NOTES, Z_3TAGS     └ tags    ◀▶ Tag.notes
///
/// Every column that Core Data made has its property, so that every row can be read. Facts that are in no table are
/// filled in: the inverse of a key is a plural, delete rules nullify, everything is optional. If a guess has the
/// version hash of the metadata, it is right.
struct ModelFromTables {
  let facts: TableFacts
  let entities: NumberedEntities
  private let names: NamesInTables
  /// For each entity its properties, each in all its possible forms.
  var drafts: [EntityDraft]

  /// Throws a ``NumberedEntities/Contradiction`` for tables that belong to no model.
  init(_ facts: TableFacts) throws(NumberedEntities.Contradiction) {
    self.facts = facts
    entities = try NumberedEntities(facts)
    names = NamesInTables(facts, entities)
    drafts = entities.all.map { EntityDraft($0) }
    let keys = placeColumns()
    // Their names are in the file; of keys, the names of inverses are made up.
    placePairs()
    for key in keys { place(key, among: keys) }
    placeConstraints()
  }

  /// The model, and the names of the entities whose version hashes it has.
  func schema() -> (schema: ModelSchema, confirmed: Set<String>) {
    var schema = ModelSchema()
    var answers: [Int: EntityGuess.Answer] = [:]
    var confirmed: Set<String> = []
    for draft in drafts {
      let answer = answer(for: draft, answers)
      answers[draft.entity.number] = answer
      if answer != nil { confirmed.insert(draft.entity.name) }
      schema.entities.append(draft.schema(below: superentity(of: draft)?.name, answer))
    }
    return (schema.canonical, confirmed)
  }

  private func superentity(of draft: EntityDraft) -> TableFacts.Entity? {
    draft.entity.superNumber == 0 ? nil : entities[draft.entity.superNumber]
  }

  /// The hash of a subentity depends on all above it, so that they have to be known first.
  private func answer(
    for draft: EntityDraft,
    _ known: [Int: EntityGuess.Answer]
  ) -> EntityGuess.Answer? {
    guard let hash = facts.versionHashes[draft.entity.name] else { return nil }
    var guess = draft.guess
    if draft.entity.superNumber != 0 {
      guard let above = known[draft.entity.superNumber] else { return nil }
      guess.superentity = above.superentity
    }
    let hasRows = (facts.tables[entities.tableName(of: draft.entity.number)]?.columns ?? [])
      .contains { $0.contents[draft.entity.number] != nil }
    if !hasRows { guess.abstractness = [false, true] }
    return guess.answer(to: hash)
  }
}

// MARK: - Columns

extension ModelFromTables {
  /// Places attributes and relationships without an inverse, and returns the keys.
  private mutating func placeColumns() -> [PlacedKey] {
    var keys: [PlacedKey] = []
    for root in entities.all where root.superNumber == 0 {
      guard let table = facts.tables[entities.tableName(of: root.number)] else { continue }
      for (column, use) in facts.uses(in: table) {
        let owner = owner(of: column, root: root.number)
        switch use {
        case .attribute(let name):
          place(column, name, of: owner, in: table.name)
        case .owner(let relationship):
          place(relationship, to: owner)
        case .key(let key):
          let destination = Destinations(entities: entities).destination(of: key, column.targets)
          if let destination {
            keys.append(PlacedKey(key: key, owner: owner, destination: destination))
          } else {
            place(column, key.name, of: owner, in: table.name)
          }
        }
      }
    }
    return keys
  }

  private struct PlacedKey: Hashable {
    let key: ColumnUse.Key
    let owner: Int
    let destination: Int
  }

  /// The lowest entity whose rows, and whose subentities' rows, are all that ever have a value.
  func owner(of column: TableFacts.Column, root: Int) -> Int {
    let users = column.contents.filter { $0.value.valueCount > 0 }.map(\.key)
      .filter { entities.family(of: root).contains($0) }
    return entities.common(users) ?? root
  }

  mutating func place(
    _ column: TableFacts.Column,
    _ name: String,
    of owner: Int,
    in table: String
  ) {
    let forms = AttributeForms(column, in: entities.family(of: owner))
      .all(named: names.guesses(name, in: table).filter { $0.uppercased() == name })
    drafts[owner - 1].add(forms.map(PropertySchema.attribute))
  }

  /// A relationship without an inverse is in the table of its destination.
  private mutating func place(_ owner: ColumnUse.Owner, to destination: Int) {
    var relationship = RelationshipSchema(
      name: owner.name.lowercased(),
      destinationName: entities[destination].name
    )
    relationship.maxCount = 0
    relationship.isOrdered = owner.isOrdered
    drafts[owner.entity - 1].add(relationship)
  }
}

// MARK: - Relationships

extension ModelFromTables {
  private mutating func place(_ placed: PlacedKey, among all: [PlacedKey]) {
    let (owner, destination) = (entities[placed.owner], entities[placed.destination])
    let twins = all.filter { $0.owner == placed.owner && $0.destination == placed.destination }
    let table = entities.tableName(of: placed.owner)
    let inverse = freeName(for: placed, isOnly: twins.count == 1)
    var forward = RelationshipSchema(
      name: names.guesses(placed.key.name, in: table).first ?? placed.key.name.lowercased(),
      destinationName: destination.name,
      inverseName: inverse
    )
    var back = RelationshipSchema(
      name: inverse,
      destinationName: owner.name,
      inverseName: forward.name
    )
    back.maxCount = 0
    back.isOrdered = placed.key.isOrderedBack
    forward.maxCount = 1
    drafts[placed.owner - 1].add(forward)
    drafts[placed.destination - 1].add(back)
  }

  /// `notes`, or `notesOfParent` where several keys lead from notes to the same entity.
  private func freeName(for placed: PlacedKey, isOnly: Bool) -> String {
    let plural = Plural.of(entities[placed.owner].name)
    let long = plural + "Of" + placed.key.name.capitalized
    let taken = takenNames(around: placed.destination)
    let names = (isOnly ? [plural] : []) + [long] + (2...).lazy.prefix(1000).map { "\(long)\($0)" }
    return names.first { !taken.contains($0.uppercased()) } ?? long
  }

  /// The names of all properties above and below an entity, in upper case.
  private func takenNames(around number: Int) -> Set<String> {
    let relatives = entities.lineage(of: number) + entities.family(of: number)
    var taken = Set(relatives.flatMap { drafts[$0 - 1].names })
    // Columns of the table that have their turn later.
    for column in facts.tables[entities.tableName(of: number)]?.columns ?? [] {
      taken.insert(String(column.name.dropFirst()))
    }
    return taken
  }

  private mutating func placePairs() {
    for pairs in PairsInTable.all(in: facts) {
      let name = freeName(for: pairs.master)
      guard pairs.other != pairs.master else {
        place(pairs.master, name, back: pairs.master, name)
        continue
      }
      let back = freeName(for: pairs.other, besides: name)
      place(pairs.master, name, back: pairs.other, back)
      place(pairs.other, back, back: pairs.master, name)
    }
  }

  /// The relationship's name; with digits where an entity has another of the same name already.
  private func freeName(for end: PairsInTable.End, besides other: String = "") -> String {
    let taken = takenNames(around: end.entity)
    let names = [end.name, end.longName].compactMap(\.self) + (1...1000).map { "\(end.name)\($0)" }
    let free = names.first { !taken.contains($0) && $0.lowercased() != other }
    return (free ?? end.name).lowercased()
  }

  private mutating func place(
    _ end: PairsInTable.End,
    _ name: String,
    back: PairsInTable.End,
    _ inverse: String
  ) {
    var relationship = RelationshipSchema(
      name: name,
      destinationName: entities[back.entity].name,
      inverseName: inverse
    )
    relationship.maxCount = 0
    relationship.isOrdered = end.isOrdered
    drafts[end.entity - 1].add(relationship)
  }
}

// MARK: - Constraints

extension ModelFromTables {
  private mutating func placeConstraints() {
    for index in facts.indexes where index.isUnique {
      guard let columns = index.columns else { continue }
      let family = entities.all.filter { entities.tableName(of: $0.number) == index.table }
      let named = family.first { NamesInTables.constrained(index, of: $0.name) != nil }
      // Before iOS 12 a table demanded it itself, and did not say for which entity.
      guard let entity = named ?? (index.name.hasPrefix("sqlite_") ? family.first : nil) else {
        continue
      }
      drafts[entity.number - 1].addConstraint(columns.map { String($0.dropFirst()) })
    }
  }
}
