import CoreDataModel
import CoreDataModelChanges
import CoreDataSQL

/// The losses of a migration: objects, values and links, and the files of such values.
struct MigrationLosses {
  private(set) var all: [MigrationLoss] = []
  private(set) var files: [ExternalNames] = []
  private let tables: MatchedTables

  init(_ tables: MatchedTables, _ links: LinkPlan) {
    self.tables = tables
    for entity in tables.removed where !entity.isAbstract {
      add(
        entity.name,
        "objects",
        "SELECT COUNT(*) FROM \(rows(of: entity.tableName, [entity.number]))"
      )
      for name in entity.properties.keys.sorted() {
        if case .attribute(let attribute)? = tables.comparison.source.property(
          name,
          of: entity.name
        ) {
          addFiles(of: attribute, entity[name], in: entity.tableName, [entity.number])
        }
      }
    }
    addProperties()
    all += links.transfers.compactMap(\.loss)
  }

  private mutating func add(_ place: String, _ noun: String, _ count: SQLFragment) {
    all.append(MigrationLoss(place: place, noun: noun, count: count))
  }

  private func rows(of table: String, _ numbers: [Int]) -> SQLFragment {
    "\(table: table) WHERE \(column: "Z_ENT") IN (\(.numbers(numbers)))"
  }
}

// MARK: - Properties

extension MigrationLosses {
  /// Each property once, with the entities whose objects lose it.
  private mutating func addProperties() {
    var numbers: [DeclaredProperty: [Int]] = [:]
    var emptied: [DeclaredProperty: [Int]] = [:]
    var elements: [LostElement: [Int]] = [:]
    for move in tables.moves {
      for property in move.match.removedProperties {
        numbers[property, default: []].append(move.source.number)
      }
      for match in move.match.properties {
        guard let old = match.source, case .attribute(let before) = old.property,
          case .attribute(let after) = match.destination.property
        else { continue }
        if !before.isTransient, after.isTransient {
          numbers[old, default: []].append(move.source.number)
        } else if before.isMarked, !after.isMarked {
          emptied[old, default: []].append(move.source.number)
        } else if before.type == .composite, after.type == .composite {
          for path in after.lostPaths(of: before) {
            elements[LostElement(composite: old, path: path), default: []]
              .append(move.source.number)
          }
        }
      }
    }
    for (property, numbers) in numbers.sortedByCodePoints(\.key.path) {
      add(property, numbers)
    }
    for (element, numbers) in elements.sortedByCodePoints(\.key.place) { add(element, numbers) }
    for (property, numbers) in emptied {
      guard case .attribute(let attribute) = property.property,
        let entity = tables.source[property.entityName]
      else { continue }
      addFiles(of: attribute, entity[property.name], in: entity.tableName, numbers, property.path)
    }
  }

  private mutating func add(_ declared: DeclaredProperty, _ numbers: [Int]) {
    guard let entity = tables.source[declared.entityName], let mapping = entity[declared.name]
    else {
      return
    }
    switch declared.property {
    case .attribute(let attribute):
      guard attribute.derivationExpression == nil, !attribute.isTransient else { return }
      let columns = mapping.ownColumns.sorted()
        .map { "\(column: $0) IS NOT NULL" as SQLFragment }
      if columns.isEmpty { return }
      add(
        declared.path,
        "values",
        """
        SELECT COUNT(*) FROM \(rows(of: entity.tableName, numbers)) \
        AND (\(columns.joined(separator: " OR ")))
        """
      )
      addFiles(of: attribute, mapping, in: entity.tableName, numbers)
    case .relationship:
      guard let end = LinkEnd(declared, in: tables.source), !isKeptByInverse(end) else { return }
      addLinks(of: end, entity, numbers)
    case .fetched:
      return
    }
  }

  private mutating func add(_ element: LostElement, _ numbers: [Int]) {
    guard let entity = tables.source[element.composite.entityName],
      case .composite(let columns)? = entity[element.composite.name],
      let column = columns.column(at: element.path)
    else { return }
    add(
      element.place,
      "values",
      """
      SELECT COUNT(\(column: column)) FROM \(rows(of: entity.tableName, numbers))
      """
    )
  }

  /// Whether the other end is still there, which knows the same pairs.
  private func isKeptByInverse(_ end: LinkEnd) -> Bool {
    guard let inverse = end.inverse(in: tables.comparison.source, tables.source) else {
      return false
    }
    return tables.moves.contains { move in
      move.match.properties.contains {
        $0.source?.name == inverse.name && $0.source?.entityName == inverse.entity
          && !$0.destination.property.isTransient
      }
    }
  }

  private mutating func addLinks(of end: LinkEnd, _ entity: EntityMap, _ numbers: [Int]) {
    let place = "\(end.entity).\(end.name)"
    switch end.mapping {
    case .toOne(let column, _, _):
      add(
        place,
        "links",
        """
        SELECT COUNT(\(column: column)) FROM \(rows(of: entity.tableName, numbers))
        """
      )
    case .toManyForeignKey(let key):
      add(place, "links", "SELECT COUNT(\(column: key.column)) FROM \(table: key.table)")
    case .join(let side):
      // The two ends are one table of pairs.
      let inverse = end.inverse(in: tables.comparison.source, tables.source)
      let isFirst = inverse.map { ($0.entity, $0.name) >= (end.entity, end.name) } ?? true
      if isFirst { add(place, "links", "SELECT COUNT(*) FROM \(table: side.table)") }
    case .toManyInverse, .none, .attribute, .composite:
      return
    }
  }

  private mutating func addFiles(
    of attribute: AttributeSchema,
    _ mapping: PropertyMapping?,
    in table: String,
    _ numbers: [Int],
    _ fetched: String? = nil
  ) {
    guard attribute.isMarked, case .attribute(let column)? = mapping else { return }
    files.append(
      ExternalNames(
        query: """
          SELECT \(column: column) FROM \(rows(of: table, numbers)) \
          AND SUBSTR(\(column: column), 1, 1) = x'02'
          """,
        fetched: fetched
      )
    )
  }
}

/// An element of a composite attribute that nothing was made of.
private struct LostElement: Hashable {
  let composite: DeclaredProperty
  let path: [String]

  /// The element with its attribute and entity, as in `Note.place.street`.
  var place: String { "\(composite.path).\(path.joined(separator: "."))" }
}

/// Finds values that are in files.
struct ExternalNames: Sendable {
  let query: SQLFragment
  /// The property whose values the migration fetches from the files, as in `Note.image`; `nil` if they go with their
  /// files.
  let fetched: String?
}

extension DeclaredProperty {
  /// The property with its entity, as in `Note.title`.
  fileprivate var path: String { "\(entityName).\(property.name)" }
}
