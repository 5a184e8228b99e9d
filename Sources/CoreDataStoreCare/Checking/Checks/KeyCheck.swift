import CoreData
import CoreDataModel
import CoreDataSQL

/// Keys that lead to rows that are not there, or to the wrong ones.
///
/// Where deleting an object leaves keys behind by design, a key without a row is a warning: with the rule
/// No Action, and where the relationship has no inverse, nobody looks for those that lead there.
struct KeyCheck: ModelCheck {
  func faults(in table: CheckedTable, _ schema: ModelSchema, _ tables: TableMap) -> [RowFault] {
    table.links.flatMap { link in
      [dangling(link, schema), misled(link), mislabelled(link)].compactMap(\.self)
    }
  }

  private func dangling(_ link: CheckedLink, _ schema: ModelSchema) -> RowFault {
    let condition: SQLFragment = "\(link.isSet) AND NOT EXISTS (\(link.target))"
    let destination = link.destination.name
    return RowFault(
      link.outlivesDestination(schema) ? .warning : .error,
      .danglingKey,
      link.place,
      where: condition,
      remedy: link.remedy(where: condition)
    ) { "\($0.rows("leads", "lead")) to a \(destination) that is not there" }
  }

  /// Only where a table has rows of several entities can a key lead to another one.
  private func misled(_ link: CheckedLink) -> RowFault? {
    let destination = link.destination
    guard destination.number != destination.rootNumber else { return nil }
    let condition: SQLFragment = """
      \(link.isSet) AND EXISTS (\(link.target)) \
      AND NOT EXISTS (\(link.target) AND \(destination.has("d")))
      """
    return RowFault(
      .error,
      .danglingKey,
      link.place,
      where: condition,
      remedy: link.remedy(where: condition)
    ) { "\($0.rows("leads", "lead")) to an object that is no \(destination.name)" }
  }

  private func mislabelled(_ link: CheckedLink) -> RowFault? {
    guard let entityColumn = link.entityColumn else { return nil }
    let condition: SQLFragment = """
      \(link.isSet) AND EXISTS (\(link.target) \
      AND (\(.column("Z_ENT", of: "d")) <> \(own(entityColumn)) OR \(own(entityColumn)) IS NULL))
      """
    return RowFault(
      .warning,
      .keyEntity,
      link.place,
      where: condition,
      remedy: Remedy("writes the entity that the destination has", .keys, [link.labelling])
    ) { count in
      "\(count.rows("says", "say")) in \(entityColumn) that the destination is of another entity"
        + " than it is"
    }
  }
}

extension CheckedLink {
  /// Whether the key stays when the object that it leads to is deleted.
  fileprivate func outlivesDestination(_ schema: ModelSchema) -> Bool {
    if relationship.isToMany { return relationship.deleteRule == .noAction }
    guard let name = relationship.inverseName,
      case .relationship(let inverse)? = schema.property(name, of: destination.name)
    else { return true }
    return inverse.deleteRule == .noAction
  }

  /// Whether a row `t0` that should have the key has one.
  var isSet: SQLFragment { "\(holder.has("t0")) AND \(own(column)) IS NOT NULL" }

  /// The row `d` that the key of `t0` leads to, whatever its entity.
  var target: SQLFragment {
    """
    SELECT 1 FROM \(table: destination.tableName, as: "d") \
    WHERE \(.column("Z_PK", of: "d")) = \(own(column))
    """
  }

  /// Gives every key the entity of the row it leads to.
  var labelling: SQLFragment {
    guard let entityColumn else { return "" }
    let entity: SQLFragment = """
      (SELECT \(.column("Z_ENT", of: "d")) FROM \(name: destination.tableName) AS \(name: "d") \
      WHERE \(.column("Z_PK", of: "d")) = \(own(column)))
      """
    return """
      UPDATE \(name: holder.tableName) AS \(name: "t0") SET \(column: entityColumn) = \(entity) \
      WHERE \(isSet) AND EXISTS (\(target)) AND \(own(entityColumn)) IS NOT \(entity)
      """
  }

  /// Takes the key out of rows, with all that belongs to it.
  func emptying(where condition: SQLFragment) -> SQLFragment {
    let assignments = columns.map { "\(column: $0) = NULL" as SQLFragment }
    return """
      UPDATE \(name: holder.tableName) AS \(name: "t0") \
      SET \(assignments.joined(separator: ", ")) WHERE \(condition)
      """
  }

  /// What can be done about keys that lead nowhere.
  func remedy(where condition: SQLFragment) -> Remedy {
    isOptional
      ? Remedy("takes the key out of them", .keys, [emptying(where: condition)])
      : Remedy.deletion(of: holder, where: condition)
  }
}
