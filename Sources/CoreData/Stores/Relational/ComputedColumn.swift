import CoreDataModel
import CoreDataPredicates
package import CoreDataSQL

/// The column of a derived attribute that the database does not keep itself: saving computes it.
///
/// ```
/// tagCount   tags.@count
///
/// concerned  the notes that the save writes, and those that have a tag that it writes
/// value      (SELECT COUNT(*) FROM "Z_2TAGS" … )
/// ```
///
/// Both are SQL, made once; the keys travel as one value, however many they are.
package struct ComputedColumn {
  package let table: String
  package let column: String
  /// The derived attribute.
  package let property: String
  /// The rows whose writing concerns the value: those of the entity itself first, then those that
  /// each step of the path leads to.
  package let sources: [Source]
  /// Finds the rows whose value is another: key, entity, value.
  package let outdated: SQLFragment

  package struct Source {
    package unowned(unsafe) let layout: EntityLayout
    /// Finds the keys of the rows that rows of this source concern.
    package let concerned: SQLFragment
  }

  /// Sets one value.
  var update: SQLFragment {
    Update(table, set: [column], where: "\(column: "Z_PK") = \(.parameter)").fragment
  }
}

// MARK: - Making

extension ComputedColumn {
  /// The columns that are computed when rows are written, but for those that the database keeps itself.
  static func all(
    in queries: RowQueries,
    besides kept: KeptDerivations
  ) throws(PredicateCompilationError) -> [ComputedColumn] {
    var columns: [ComputedColumn] = []
    for layout in queries.model.entities {
      for derivation in layout.derivations where layout.declares(derivation) {
        guard case .related(let expression, let hops) = derivation.source,
          !kept.contains(layout.slots[derivation.slot].name, of: layout),
          let column = queries.map(layout).column(of: layout.slots[derivation.slot].name)
        else { continue }
        columns.append(
          try ComputedColumn(
            column,
            for: layout.slots[derivation.slot].name,
            of: layout,
            expression,
            hops,
            queries
          )
        )
      }
    }
    return columns
  }

  private init(
    _ column: String,
    for property: String,
    of layout: EntityLayout,
    _ expression: ExpressionTree,
    _ hops: [DerivedSlot.Hop],
    _ queries: RowQueries
  ) throws(PredicateCompilationError) {
    let map = queries.map(layout)
    self.column = column
    self.property = property
    table = map.tableName
    sources = Self.sources(layout, hops, queries)
    outdated = try Self.outdated(map, column, expression, queries)
  }

  private static func sources(
    _ layout: EntityLayout,
    _ hops: [DerivedSlot.Hop],
    _ queries: RowQueries
  ) -> [Source] {
    let keys = queries.dialect.boundKeys
    var sources = [Source(layout: layout, concerned: keys)]
    for length in hops.indices {
      guard let start = queries.model[number: hops[length].entity],
        let end = start.slots[hops[length].slot].end,
        let destination = queries.model[number: end.destination]
      else { continue }
      var concerned = keys
      for hop in hops[...length].reversed() {
        guard let owner = queries.model[number: hop.entity] else { continue }
        let mapping = queries.map(owner)[owner.slots[hop.slot].name]
        concerned = mapping?.owners(of: concerned, in: queries.map(owner).tableName) ?? concerned
      }
      sources.append(Source(layout: destination, concerned: concerned))
    }
    return sources
  }

  private static func outdated(
    _ map: EntityMap,
    _ column: String,
    _ expression: ExpressionTree,
    _ queries: RowQueries
  ) throws(PredicateCompilationError) -> SQLFragment {
    var compiler = queries.compiler(for: map)
    guard case .value(let value) = try compiler.side(expression) else {
      throw PredicateCompilationError(
        expression,
        "it has no single value",
        remedy: "derive an attribute from an attribute, or from an operator such as @count"
      )
    }
    let (low, high) = (Int64(map.numbers.lowerBound), Int64(map.numbers.upperBound))
    var select = Select(
      [.column("Z_PK", of: "t0"), .column("Z_ENT", of: "t0"), value.sql],
      from: map.tableName,
      as: "t0"
    )
    select.joins = compiler.joins
    select.filter = """
      \(column: "Z_PK", of: "t0") IN (\(queries.dialect.boundKeys)) \
      AND \(column: "Z_ENT", of: "t0") BETWEEN \(.integer(low)) AND \(.integer(high)) \
      AND \(queries.dialect.differ(.column(column, of: "t0"), value.sql))
      """
    return select.fragment
  }
}

extension EntityLayout {
  /// Whether a derived attribute is this entity's own, not inherited: columns are kept once.
  fileprivate func declares(_ derivation: DerivedSlot) -> Bool {
    declarer(of: derivation.slot) == number
  }
}

/// The derived attributes that a database keeps by itself, by triggers or generated columns.
package struct KeptDerivations: Sendable {
  private let test: @Sendable (_ attribute: String, EntityLayout) -> Bool

  static let none = KeptDerivations { _, _ in false }

  init(_ test: @escaping @Sendable (_ attribute: String, EntityLayout) -> Bool) {
    self.test = test
  }

  func contains(_ attribute: String, of layout: EntityLayout) -> Bool { test(attribute, layout) }
}

extension PropertyMapping {
  /// The rows of `table` that have one of these rows at the other end of a relationship.
  fileprivate func owners(of keys: SQLFragment, in table: String) -> SQLFragment? {
    switch self {
    case .toOne(let column, _, _):
      return """
        SELECT \(column: "Z_PK") FROM \(table: table) WHERE \(column: column) IN (\(keys))
        """
    case .toManyInverse(let key), .toManyForeignKey(let key):
      return """
        SELECT \(column: key.column) FROM \(table: key.table) WHERE \(column: "Z_PK") IN (\(keys))
        """
    case .join(let side):
      let owners: SQLFragment = """
        SELECT \(column: side.ownColumn) FROM \(table: side.table) \
        WHERE \(column: side.otherColumn) IN (\(keys))
        """
      guard side.isReflexive else { return owners }
      return """
        \(owners) UNION SELECT \(column: side.otherColumn) FROM \(table: side.table) \
        WHERE \(column: side.ownColumn) IN (\(keys))
        """
    case .none, .attribute, .composite:
      return nil
    }
  }
}
