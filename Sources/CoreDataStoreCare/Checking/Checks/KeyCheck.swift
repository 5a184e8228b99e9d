import CoreData
import CoreDataModel
import CoreDataSQL

/// Keys that lead to rows that are not there, or to the wrong ones.
///
/// If deleting an object leaves keys behind by design, a key without a row is a warning: with the rule No Action, and
/// if the relationship lacks an inverse, no rule finds the keys that lead to the object.
struct KeyCheck: ModelCheck {
  func faults(in table: CheckedTable, _ schema: ModelSchema, _ tables: TableMap) -> [RowFault] {
    table.links.flatMap { link in
      [dangling(link, schema, where: link.isDangling)]
        + (link.isMisled.map { [misled(link, where: $0)] } ?? [])
        + (link.isMislabelled.map { [mislabelled(link, where: $0, nil)] } ?? [])
    }
  }

  /// In a file, where a repair may follow, no key is changed because of a row whose `Z_ENT` is outvoted.
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    table.links.flatMap { link in
      let holders = store.witnesses(of: link.holder)
      let destinations = store.witnesses(of: link.destination)
      // An object that is deleted should be known to be one that requires the key.
      let sparing = { (condition: SQLFragment, fault: (SQLFragment) -> RowFault) in
        link.isOptional
          ? [fault(condition)] : holders.parts(of: condition, by: own("Z_PK")) { [fault($0)] }
      }
      let dangling = sparing(link.isDangling) { self.dangling(link, store.schema, where: $0) }
      let misled = link.isMisled.map { condition in
        destinations.parts(of: condition, by: own(link.column)) { condition in
          sparing(condition) { self.misled(link, where: $0) }
        }
      }
      let mislabelled = link.isMislabelled.map { condition in
        destinations.parts(of: condition, by: own(link.column)) {
          [self.mislabelled(link, where: $0, destinations)]
        }
      }
      return dangling + (misled ?? []) + (mislabelled ?? [])
    }
  }

  private func dangling(
    _ link: CheckedLink,
    _ schema: ModelSchema,
    where condition: SQLFragment
  ) -> RowFault {
    let destination = link.destination.name
    return RowFault(
      link.outlivesDestination(schema) ? .warning : .error,
      .danglingKey,
      link.place,
      where: condition,
      remedy: link.remedy(where: condition)
    ) { "\($0.rows("leads", "lead")) to a \(destination) that is not there" }
  }

  private func misled(_ link: CheckedLink, where condition: SQLFragment) -> RowFault {
    RowFault(
      .error,
      .danglingKey,
      link.place,
      where: condition,
      remedy: link.remedy(where: condition)
    ) { "\($0.rows("leads", "lead")) to an object that is no \(link.destination.name)" }
  }

  private func mislabelled(
    _ link: CheckedLink,
    where condition: SQLFragment,
    _ destinations: EntityWitnesses?
  ) -> RowFault {
    RowFault(
      .warning,
      .keyEntity,
      link.place,
      where: condition,
      remedy: Remedy(
        "writes the entity that the destination has",
        .keys,
        [link.labelling(by: destinations)]
      )
    ) { count in
      "\(count.rows("says", "say")) in \(link.entityColumn ?? "") that the destination is of another"
        + " entity than it is"
    }
  }
}

extension CheckedLink {
  fileprivate var isDangling: SQLFragment { "\(isSet) AND NOT EXISTS (\(target))" }

  /// Only where a table has rows of several entities can a key lead to another one.
  fileprivate var isMisled: SQLFragment? {
    guard destination.number != destination.rootNumber else { return nil }
    return """
      \(isSet) AND EXISTS (\(target)) AND NOT EXISTS (\(target) AND \(destination.has("d")))
      """
  }

  fileprivate var isMislabelled: SQLFragment? {
    entityColumn.map { entityColumn in
      """
      \(isSet) AND EXISTS (\(target) \
      AND (\(.column("Z_ENT", of: "d")) <> \(own(entityColumn)) OR \(own(entityColumn)) IS NULL))
      """
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

  /// Gives every key the entity of the row it leads to, unless the row's `Z_ENT` is outvoted.
  func labelling(by destinations: EntityWitnesses?) -> SQLFragment {
    guard let entityColumn else { return "" }
    let entity: SQLFragment = """
      (SELECT \(.column("Z_ENT", of: "d")) FROM \(name: destination.tableName) AS \(name: "d") \
      WHERE \(.column("Z_PK", of: "d")) = \(own(column)))
      """
    return """
      UPDATE \(name: holder.tableName) AS \(name: "t0") SET \(column: entityColumn) = \(entity) \
      WHERE \(isSet) AND EXISTS (\(target)) AND \(own(entityColumn)) IS NOT \(entity)\
      \(destinations?.sparing(own(column)) ?? "")
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

  /// The repair of keys that lead nowhere.
  func remedy(where condition: SQLFragment) -> Remedy {
    isOptional
      ? Remedy("takes the key out of them", .keys, [emptying(where: condition)])
      : Remedy.deletion(of: holder, where: condition)
  }
}
