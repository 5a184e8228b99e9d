package import CoreDataModel

/// The views that show a store's tables to programs that know SQL, and not this framework.
///
///     Note (2), ZNOTE ──▶ note ( id, title, created_at, folder_id )
///     Z_2TAGS         ──▶ note_tags ( note_id, tag_id )
///
/// There is a view for each entity, with the rows of the entities below it, and one for each many-to-many
/// relationship. A view plan is computed once from a model, and does not depend on a kind of database.
package struct ViewPlan: Hashable, Sendable {
  package let views: [View]

  package struct View: Hashable, Sendable {
    package let name: String
    package let table: String
    package let columns: [Column]
    /// The values of `Z_ENT` of the rows to show, or `nil` for all rows of the table.
    let numbers: ClosedRange<Int>?
    /// The columns of a relationship that is its own inverse, seen from the other side, or `nil`.
    let mirror: [Column]?
  }

  package struct Column: Hashable, Sendable {
    package let name: String
    let content: Content
  }

  enum Content: Hashable, Sendable {
    /// A key or a place, as it is.
    case number(String)
    /// The name of the row's entity.
    case entity([Int: String])
    case value(String, AttributeType)
  }

  /// Plans the views of a schema's tables; `isZoned` reserves the name `zone` in each view.
  package init(_ schema: ModelSchema, _ map: TableMap, isZoned: Bool) {
    var names = ViewNames(taken: map.tables.map(\.name) + map.joinTables.map(\.name))
    let entities = map.entities.map { ($0, names.add($0.name)) }
    let strangers = Self.keysWithoutProperty(in: map)
    let own = entities.map { entity, name in
      View(
        entity,
        name,
        ViewColumns(schema, map, isZoned: isZoned).columns(of: entity, strangers)
      )
    }
    views =
      own
      + map.joinTables.compactMap { join in
        Self.view(of: join, schema, map, isZoned: isZoned, &names)
      }
  }

  /// A to-many relationship without an inverse, whose keys are in the rows of its destination.
  struct StrangeKey {
    let name: String
    let key: ForeignKey
    let numbers: ClosedRange<Int>
  }

  private static func keysWithoutProperty(in map: TableMap) -> [StrangeKey] {
    var keys: [ForeignKey: StrangeKey] = [:]
    // Entities above come first, so that a key is named after the one that declares the relationship.
    for entity in map.entities {
      for (name, property) in entity.properties {
        guard case .toManyForeignKey(let key) = property, keys[key] == nil else { continue }
        let root = map.entities.first { $0.tableName == key.table }
        let name = "\(SQLName.snake(entity.name))_\(SQLName.snake(name))"
        keys[key] = root.map { StrangeKey(name: name, key: key, numbers: $0.numbers) }
      }
    }
    return keys.values.sorted { $0.name < $1.name }
  }
}

extension ViewPlan.View {
  fileprivate init(_ entity: EntityMap, _ name: String, _ columns: [ViewPlan.Column]) {
    self.name = name
    table = entity.tableName
    self.columns = columns
    numbers = entity.superNumber == 0 ? nil : entity.numbers
    mirror = nil
  }
}

// MARK: - Pairs

extension ViewPlan {
  private static func view(
    of join: JoinTable,
    _ schema: ModelSchema,
    _ map: TableMap,
    isZoned: Bool,
    _ names: inout ViewNames
  ) -> View? {
    guard let entity = map[number: join.masterNumber],
      let name = entity.properties.keys.sorted().first(where: {
        guard case .join(let side) = entity[$0] else { return false }
        return side.table == join.name && side.ownColumn == join.masterColumn
      }),
      let relationship = schema.relationship(name, of: entity.name)
    else { return nil }
    var columns = ViewNames(taken: isZoned ? ["zone"] : [])
    let own = columns.add("\(SQLName.snake(entity.name))_id")
    let destination = "\(SQLName.snake(relationship.destinationName))_id"
    // Of two objects of one entity, the second is called after the relationship.
    let other = columns.add(destination == own ? "\(SQLName.snake(name))_id" : destination)
    var pair = [
      Column(name: own, content: .number(join.masterColumn)),
      Column(name: other, content: .number(join.otherColumn)),
    ]
    var mirror = [
      Column(name: own, content: .number(join.otherColumn)),
      Column(name: other, content: .number(join.masterColumn)),
    ]
    if let order = join.otherOrderColumn {
      let place = columns.add("\(SQLName.snake(name))_position")
      pair.append(Column(name: place, content: .number(order)))
      mirror.append(Column(name: place, content: .number(join.masterOrderColumn ?? order)))
    }
    if let order = join.masterOrderColumn, !join.isReflexive {
      let place = columns.add("\(SQLName.snake(relationship.inverseName ?? "other"))_position")
      pair.append(Column(name: place, content: .number(order)))
    }
    return View(
      name: names.add("\(SQLName.snake(entity.name))_\(SQLName.snake(name))"),
      table: join.name,
      columns: pair,
      numbers: nil,
      mirror: join.isReflexive ? mirror : nil
    )
  }
}

extension ModelSchema {
  /// A relationship of an entity or of one above it.
  fileprivate func relationship(_ name: String, of entity: String) -> RelationshipSchema? {
    lineage(of: entity).flatMap(\.relationships).first { $0.name == name }
  }

  /// An entity and those above it, beginning with the root.
  func lineage(of name: String) -> [EntitySchema] {
    var line: [EntitySchema] = []
    var next: String? = name
    while let name = next, line.count < entities.count, let entity = entity(named: name) {
      line.insert(entity, at: 0)
      next = entity.superentityName
    }
    return line
  }
}
