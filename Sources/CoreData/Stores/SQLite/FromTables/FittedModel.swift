import CoreDataModel

/// Guesses about a model that do not fit the tables are taken back, so that all else can be read.
///
/// ```
/// a key that cannot have its inverse     stays, without one
/// a key whose column is missing          is dropped: the column that it was guessed from is a number
/// pairs whose table is missing           are dropped
/// ```
extension ModelFromTables {
  /// The model, and the names of the entities whose version hashes it has.
  ///
  /// Throws if the numbers of entities do not follow from their names, because every row would be taken for something
  /// else, and if an entity's rows are gone.
  func fitted() throws(NumberedEntities.Contradiction) -> (
    schema: ModelSchema, confirmed: Set<String>
  ) {
    var model = self
    while true {
      let (schema, confirmed) = model.schema()
      let misfits = try model.misfits(schema)
      if misfits.isEmpty { return (schema, confirmed) }
      let hasChanged = misfits.map { model.takeBack($0.place) }.contains(true)
      if !hasChanged { throw NumberedEntities.Contradiction(lack: misfits[0].lack) }
    }
  }

  /// A property that does not fit; without a name it is the entity's constraints.
  private struct Misfit {
    let place: Place
    let lack: String

    struct Place {
      let entity: Int
      let name: String?
    }

    init(_ name: String?, of entity: Int, _ lack: String) {
      place = Place(entity: entity, name: name)
      self.lack = lack
    }
  }

  private func misfits(
    _ schema: ModelSchema
  ) throws(NumberedEntities.Contradiction) -> [Misfit] {
    var misfits: [Misfit] = []
    for problem in schema.problems where problem.severity == .error {
      guard let entity = entities.all.first(where: { $0.name == problem.entity }) else {
        throw NumberedEntities.Contradiction(lack: lack(problem))
      }
      misfits.append(Misfit(problem.property, of: entity.number, lack(problem)))
    }
    if !misfits.isEmpty { return misfits }
    let map = TableMap(schema, in: facts.fileTables)
    guard map.entities.map(\.name) == entities.all.map(\.name) else {
      throw NumberedEntities.Contradiction(
        lack: "numbers its entities in another order than that of their names"
      )
    }
    for table in map.tables.map(\.name) where facts.tables[table] == nil {
      throw NumberedEntities.Contradiction(lack: "has no table \(table)")
    }
    return schema.entities.flatMap { entity -> [Misfit] in
      guard let place = map[entity.name] else { return [] }
      return entity.propertyNames
        .filter { name in place[name].map { !isThere($0, in: place) } ?? false }
        .map { Misfit($0, of: place.number, "has no column for \(entity.name).\($0)") }
    }
  }

  private func lack(_ problem: ModelProblem) -> String { "has tables of no model: \(problem)" }

  /// Whether the columns are there that a property is kept in.
  private func isThere(_ mapping: PropertyMapping, in entity: EntityMap) -> Bool {
    switch mapping {
    case .none:
      true
    case .attribute(let column):
      has([column], in: entity.tableName)
    case .composite(let elements):
      elements.values.allSatisfy { isThere($0, in: entity) }
    case .toOne(let column, let entityColumn, let orderColumn):
      has([column, entityColumn, orderColumn], in: entity.tableName)
    case .toManyInverse(let key), .toManyForeignKey(let key):
      has([key.column, key.entityColumn, key.orderColumn], in: key.table)
    case .join(let side):
      has([side.ownColumn, side.otherColumn, side.orderColumn], in: side.table)
    }
  }

  private func has(_ columns: [String?], in table: String) -> Bool {
    columns.compactMap(\.self).allSatisfy { facts.tables[table]?[$0] != nil }
  }
}

// MARK: - Taking back

extension ModelFromTables {
  /// Returns whether there was anything to take back.
  private mutating func takeBack(_ misfit: Misfit.Place) -> Bool {
    guard let name = misfit.name else { return drafts[misfit.entity - 1].removeConstraints() }
    guard let property = drafts[misfit.entity - 1].property(named: name) else { return false }
    drafts[misfit.entity - 1].remove(name)
    guard case .relationship(let relationship) = property else { return true }
    if !relationship.isToMany { placeAsNumber(name, of: misfit.entity) }
    guard let (entity, inverse) = inverse(of: relationship, in: misfit.entity) else { return true }
    if inverse.isToMany {
      drafts[entity - 1].remove(inverse.name)
    } else {
      drafts[entity - 1].removeInverse(of: inverse.name)
    }
    return true
  }

  /// The relationship back, if it names this one.
  private func inverse(
    of relationship: RelationshipSchema,
    in entity: Int
  ) -> (entity: Int, relationship: RelationshipSchema)? {
    guard let name = relationship.inverseName,
      let destination = entities.all.first(where: { $0.name == relationship.destinationName })
    else { return nil }
    for number in entities.lineage(of: destination.number) {
      guard case .relationship(let inverse)? = drafts[number - 1].property(named: name),
        inverse.inverseName == relationship.name,
        let back = entities.all.first(where: { $0.name == inverse.destinationName }),
        entities.lineage(of: back.number).contains(entity)
          || entities.lineage(of: entity).contains(back.number)
      else { continue }
      return (number, inverse)
    }
    return nil
  }

  /// Makes a column that was taken for a key an ordinary number.
  private mutating func placeAsNumber(_ name: String, of entity: Int) {
    let table = entities.tableName(of: entity)
    guard let column = facts.tables[table]?["Z" + name.uppercased()] else { return }
    place(column, name.uppercased(), of: entity, in: table)
  }
}
