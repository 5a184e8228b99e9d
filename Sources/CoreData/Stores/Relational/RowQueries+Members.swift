import CoreDataModel
package import CoreDataSQL

/// Queries for the members of to-many relationships, of one object or of many.
extension RowQueries {
  /// The rows that a to-many relationship leads to; the one value to bind is the owner's key, twice
  /// for a relationship that is its own inverse.
  ///
  /// Members without an order come by their keys, named where an index has them in this order already.
  func members(
    of layout: EntityLayout,
    at slot: Int,
    destination: EntityLayout,
    columns: [String]
  ) -> SQLFragment? {
    var select = Select(
      columns.map { .column($0, of: "t0") },
      from: map(destination).tableName,
      as: "t0"
    )
    var key = SQLFragment.column("Z_PK", of: "t0")
    switch map(layout)[layout.slots[slot].name] {
    case .toManyInverse(let key), .toManyForeignKey(let key):
      select.filter = "\(column: key.column, of: "t0") = \(.parameter)"
      if let order = key.orderColumn { select.order = [.column(order, of: "t0")] }
    case .join(let side) where side.isReflexive:
      let (own, other) = (side.ownColumn, side.otherColumn)
      select.filter = """
        \(column: "Z_PK", of: "t0") IN (\
        SELECT \(column: other) FROM \(table: side.table) WHERE \(column: own) = \(.parameter) \
        UNION \
        SELECT \(column: own) FROM \(table: side.table) WHERE \(column: other) = \(.parameter))
        """
    case .join(let side):
      select.joins = [
        """
        JOIN \(table: side.table, as: "j") \
        ON \(column: side.otherColumn, of: "j") = \(column: "Z_PK", of: "t0")
        """
      ]
      select.filter = "\(column: side.ownColumn, of: "j") = \(.parameter)"
      if let order = side.orderColumn { select.order = [.column(order, of: "j")] }
      key = .column(side.otherColumn, of: "j")
    case .none?, .attribute, .composite, .toOne, nil:
      return nil
    }
    select.order.append(key)
    return select.fragment
  }

  /// The members of many owners at once, owner by owner: the columns, then the key of the owner that a row
  /// is for.
  func members(
    of owners: [Int64],
    in layout: EntityLayout,
    at slot: Int,
    destination: EntityLayout,
    columns: [SQLFragment]
  ) -> SQLFragment? {
    var select = Select(columns, from: map(destination).tableName, as: "t0")
    let owner: SQLFragment
    var key = SQLFragment.column("Z_PK", of: "t0")
    switch map(layout)[layout.slots[slot].name] {
    case .toManyInverse(let key), .toManyForeignKey(let key):
      owner = .column(key.column, of: "t0")
      if let order = key.orderColumn { select.order = [.column(order, of: "t0")] }
    case .join(let side):
      let (own, other) = (side.ownColumn, side.otherColumn)
      let pairs: SQLFragment =
        side.isReflexive
        ? """
        (SELECT \(column: own), \(column: other) FROM \(table: side.table) \
        UNION SELECT \(column: other), \(column: own) FROM \(table: side.table)) \(name: "j")
        """ : "\(table: side.table, as: "j")"
      select.joins = [
        """
        JOIN \(pairs) \
        ON \(column: other, of: "j") = \(column: "Z_PK", of: "t0")
        """
      ]
      owner = .column(own, of: "j")
      key = .column(other, of: "j")
      if let order = side.orderColumn { select.order = [.column(order, of: "j")] }
    case .none?, .attribute, .composite, .toOne, nil:
      return nil
    }
    select.columns.append(owner)
    select.filter = isOne(of: owners, owner)
    // As indexes have them: sorting all the rows would cost more than reading them.
    select.order = [owner] + select.order + [key]
    return select.fragment
  }

  /// The rows with these keys.
  package func rows(
    _ primaryKeys: [Int64],
    of layout: EntityLayout,
    columns: [SQLFragment]
  ) -> SQLFragment {
    var select = Select(columns, from: map(layout).tableName, as: "t0")
    select.filter = isOne(of: primaryKeys, .column("Z_PK", of: "t0"))
    return select.fragment
  }

  private func isOne(of numbers: [Int64], _ column: SQLFragment) -> SQLFragment {
    let list = ConstantList(numbers)
    return Condition.any(list.conditions(for: column, isCertain: true, in: dialect)).sql
  }
}
