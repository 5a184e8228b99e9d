import CoreDataModel
import CoreDataPredicates
import CoreDataSQL

/// Key paths, step by step from row to row.
extension PredicateCompiler {
  /// The target of a path; `part` is the name for errors.
  mutating func resolve(
    _ names: ArraySlice<String>,
    from start: Side,
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> Side {
    var place = start
    var rest = names
    while let name = rest.popFirst() {
      switch place {
      case .object(let row):
        place = try property(name, of: row, &rest, in: part)
      case .many(let rows):
        place = try step(name, from: rows, &rest, in: part)
      case .constant(.null):
        return place
      case .value, .constant, .list:
        throw PredicateCompilationError(
          part,
          "the database cannot read \"\(name)\" of a value",
          remedy: "compare the value itself, or use a function such as length:(title)"
        )
      }
    }
    return place
  }

  private mutating func step(
    _ name: String,
    from rows: RowSet,
    _ rest: inout ArraySlice<String>,
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> Side {
    if name.hasPrefix("@") { return try .value(aggregate(name, of: rows, &rest, in: part)) }
    if name == "self" { return .many(rows) }
    guard let row = rows.place else {
      throw PredicateCompilationError(
        part,
        "the database cannot read \"\(name)\" of values",
        remedy: PredicateCompilationError.filterInMemory
      )
    }
    var mapped = rows
    switch try property(name, of: row, &rest, in: part, extending: rows) {
    case .many(let further):
      return .many(further)
    case .object(let next):
      guard next.key != row.key else { return .many(rows) }
      mapped.place = next
      mapped.element = next.value
    case .value(let value):
      mapped.place = nil
      mapped.element = value
    case .constant, .list:
      return .many(rows)
    }
    mapped.hasDoubles = true
    return .many(mapped)
  }

  private mutating func property(
    _ name: String,
    of row: RowPlace,
    _ rest: inout ArraySlice<String>,
    in part: CoreDataPredicates.ExpressionTree,
    extending rows: RowSet? = nil
  ) throws(PredicateCompilationError) -> Side {
    if let mapping = row.entity[name] {
      return try self.property(name, mapping, of: row, &rest, in: part, extending: rows)
    }
    let narrowed = narrowings.last { $0.clause == row.clause && $0.key == row.key }
    if let narrowed, let mapping = narrowed.entity[name] {
      return try property(name, mapping, of: narrowed, &rest, in: part, extending: rows)
    }
    switch name {
    case "self", "SELF", "objectID":
      return .object(row)
    case "entity":
      return .value(entity(of: row, &rest))
    default:
      throw PredicateCompilationError(
        part,
        "the entity \(row.entity.name) has no property \"\(name)\"",
        remedy: "correct the name, or fetch the entity that has it"
      )
    }
  }

  private mutating func property(
    _ name: String,
    _ mapping: PropertyMapping,
    of row: RowPlace,
    _ rest: inout ArraySlice<String>,
    in part: CoreDataPredicates.ExpressionTree,
    extending rows: RowSet?
  ) throws(PredicateCompilationError) -> Side {
    switch mapping {
    case .attribute(let column):
      return .value(attribute(name, in: column, of: row))
    case .composite(let elements):
      return .value(try element(of: name, elements, of: row, &rest, in: part))
    case .toOne(let column, _, _):
      return .object(
        RowPlace(
          entity: try destination(of: name, row, in: part),
          key: self.column(column, of: row),
          clause: row.clause,
          alias: nil,
          isNullable: true
        )
      )
    case .toManyInverse, .toManyForeignKey, .join:
      return .many(
        members(of: mapping, at: row, try destination(of: name, row, in: part), extending: rows)
      )
    case .none:
      throw PredicateCompilationError(
        part,
        "\(name) of \(row.entity.name) is not kept in the database",
        remedy: PredicateCompilationError.filterInMemory
      )
    }
  }
}

// MARK: - Columns

extension PredicateCompiler {
  mutating func column(_ name: String, of row: RowPlace) -> SQLFragment {
    .column(name, of: alias(of: row))
  }

  /// The table of a row, joined the first time that it is asked for.
  private mutating func alias(of row: RowPlace) -> String {
    if let alias = row.alias ?? clauses[row.clause]?.aliases[row.key] { return alias }
    let alias = freshAlias()
    clauses[row.clause]?.aliases[row.key] = alias
    clauses[row.clause]?.tables.append(
      """
      LEFT OUTER JOIN \(table: row.entity.tableName, as: alias) \
      ON \(column: "Z_PK", of: alias) = \(row.key)
      """
    )
    return alias
  }

  private mutating func attribute(
    _ name: String,
    in column: String,
    of row: RowPlace
  ) -> CompiledValue {
    let attribute = schemaAttribute(name, of: row)
    let alias = alias(of: row)
    return CompiledValue(
      sql: .column(column, of: alias),
      kind: attribute.map(ValueKind.init) ?? .archive,
      isNullable: true,
      canonical: draft.canonical[name, of: row.entity].map {
        CanonicalText(sql: self.column($0.column, of: row), column: $0)
      },
      indexed: textIndexes.isEmpty ? nil : indexed(column, of: row, as: alias)
    )
  }

  private mutating func element(
    of name: String,
    _ elements: [String: PropertyMapping],
    of row: RowPlace,
    _ rest: inout ArraySlice<String>,
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> CompiledValue {
    var attribute = schemaAttribute(name, of: row)
    var mapping = PropertyMapping.composite(elements)
    while case .composite(let inner) = mapping, let key = rest.popFirst() {
      attribute = attribute?.elements.first { $0.name == key }
      mapping = inner[key] ?? PropertyMapping.none
    }
    if case .composite(let inner) = mapping, attribute != nil {
      return CompiledValue(
        sql: firstValue(of: inner.columns, of: row),
        kind: .composite(element: "\(name).\(elements.keys.min() ?? "element")"),
        isNullable: true
      )
    }
    guard case .attribute(let column) = mapping, let attribute else {
      throw PredicateCompilationError(
        part,
        "\(name) of \(row.entity.name) has no such element",
        remedy: "name one that it has, such as \(name).\(elements.keys.min() ?? "element")"
      )
    }
    return CompiledValue(
      sql: self.column(column, of: row),
      kind: ValueKind(attribute),
      isNullable: true
    )
  }

  /// Null exactly if a composite attribute is: if none of its elements has a value.
  private mutating func firstValue(of columns: [String], of row: RowPlace) -> SQLFragment {
    let columns = columns.map { column($0, of: row) }
    return columns.count == 1 ? columns[0] : dialect.firstValue(of: columns)
  }

  private func schemaAttribute(_ name: String, of row: RowPlace) -> AttributeSchema? {
    guard case .attribute(let attribute)? = schema.property(name, of: row.entity.name) else {
      return nil
    }
    return attribute
  }

  /// `entity` is the row's number of it; `entity.name` is found by that number.
  private mutating func entity(
    of row: RowPlace,
    _ rest: inout ArraySlice<String>
  ) -> CompiledValue {
    let number = column("Z_ENT", of: row)
    guard rest.first == "name" else {
      return CompiledValue(sql: number, kind: .entity, isNullable: row.isNullable)
    }
    rest.removeFirst()
    var names: SQLFragment = "CASE \(number)"
    for number in row.entity.numbers {
      guard let name = tables[number: number]?.name else { continue }
      names += " WHEN \(.integer(Int64(number))) THEN \(.text(name))"
    }
    return CompiledValue(sql: "\(names) END", kind: .text, isNullable: true)
  }

  private func destination(
    of name: String,
    _ row: RowPlace,
    in part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> EntityMap {
    guard case .relationship(let relationship)? = schema.property(name, of: row.entity.name),
      let destination = tables[relationship.destinationName]
    else {
      throw PredicateCompilationError(
        part,
        "\(name) of \(row.entity.name) leads out of this store",
        remedy: PredicateCompilationError.filterInMemory
      )
    }
    return destination
  }
}

extension ValueKind {
  /// Data that may be in a file of its own is not in the column to be compared.
  init(_ attribute: AttributeSchema) {
    self =
      switch attribute.type {
      case .binaryData where attribute.allowsExternalBinaryDataStorage: .archive
      case .integer16, .integer32, .integer64, .boolean: .integer
      case .double, .float: .real
      case .decimal: .decimal
      case .string: .text
      case .date: .date
      case .uuid: .uuid
      case .uri: .url
      case .binaryData: .data
      case .transformable, .undefined, .objectID, .composite: .archive
      }
  }
}

// MARK: - To-many relationships

extension PredicateCompiler {
  /// The destinations: rows of their own `FROM`, or joined to the rows that have the relationship.
  private mutating func members(
    of mapping: PropertyMapping,
    at owner: RowPlace,
    _ destination: EntityMap,
    extending rows: RowSet?
  ) -> RowSet {
    let alias = freshAlias()
    let (table, ownColumn, memberColumn) = mapping.members(of: destination, as: alias)
    let isMember: SQLFragment = "\(column: ownColumn, of: alias) = \(owner.key)"
    let clause: FromClause.ID
    if let rows {
      clause = rows.clause
      clauses[clause]?.tables.append("JOIN \(table) ON \(isMember)")
    } else {
      clause = openClause(table)
    }
    let place = RowPlace(
      entity: destination,
      key: .column(memberColumn, of: alias),
      clause: clause,
      alias: memberColumn == "Z_PK" ? alias : nil,
      isNullable: false
    )
    guard var further = rows else {
      return RowSet(
        clause: clause,
        conditions: [Condition(isMember, isCertain: !owner.isNullable)],
        element: place.value,
        place: place,
        owner: owner.isNullable ? owner.key : nil,
        ownerColumn: mapping.hasPairs && owner.key == root.key
          ? .column(ownColumn, of: alias) : nil
      )
    }
    further.ownerColumn = nil
    further.place = place
    further.element = place.value
    further.hasDoubles = true
    return further
  }
}

extension [String: PropertyMapping] {
  /// The columns of a composite attribute's elements, and of theirs.
  fileprivate var columns: [String] {
    sorted { $0.key < $1.key }.flatMap { entry -> [String] in
      switch entry.value {
      case .attribute(let column): [column]
      case .composite(let elements): elements.columns
      case .none, .toOne, .toManyInverse, .toManyForeignKey, .join: []
      }
    }
  }
}

extension PropertyMapping {
  /// Whether a table of its own has a pair for each member, which names the owner in one column.
  fileprivate var hasPairs: Bool {
    if case .join(let side) = self { !side.isReflexive } else { false }
  }

  /// The table whose rows represent the members, its column for the owner and the one for the member.
  fileprivate func members(
    of destination: EntityMap,
    as alias: String
  ) -> (table: SQLFragment, own: String, member: String) {
    switch self {
    case .toManyInverse(let key), .toManyForeignKey(let key):
      return ("\(table: key.table, as: alias)", key.column, "Z_PK")
    case .join(let side):
      guard side.isReflexive else {
        return ("\(table: side.table, as: alias)", side.ownColumn, side.otherColumn)
      }
      let (own, other) = (side.ownColumn, side.otherColumn)
      let pairs: SQLFragment = """
        (SELECT \(column: own), \(column: other) FROM \(table: side.table) \
        UNION SELECT \(column: other), \(column: own) FROM \(table: side.table)) \(name: alias)
        """
      return (pairs, own, other)
    case .none, .attribute, .composite, .toOne:
      preconditionFailure("\(self) is not to many")
    }
  }
}
