import CoreData
import CoreDataModel
import CoreDataSQL

/// One-to-one relationships whose other end does not lead back.
///
/// ```
/// Folder 1 .cover ─▶ Note 4          Note 4 .covers ─▶ Folder 2
/// ```
///
/// Pairs that agree stay. Of what is left, a key whose other end is empty is answered, and every other
/// one is taken out: both of its ends cannot be right.
///
/// A key whose other end is empty is not wrong by itself: Apple's Notes leaves nearly all of its objects like that.
struct InverseCheck: RowCheck {
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    table.links.flatMap { link -> [RowFault] in
      guard let inverse = link.inverse else { return [] }
      let back = "\(link.destination.name).\(inverse.name)"
      return [
        RowFault(
          .warning,
          .inverse,
          link.place,
          where: link.isContradicted,
          remedy: remedy(for: link, in: store)
        ) { count in
          "\(count.rows("leads", "lead")) to an object whose \(back) does not lead back"
        },
        RowFault(
          .note,
          .inverse,
          link.place,
          where: link.isAlone,
          remedy: remedy(for: link, in: store)
        ) { count in
          "\(count.rows("leads", "lead")) to an object whose \(back) is empty"
        },
      ]
    }
  }

  private func remedy(for link: CheckedLink, in store: CheckedStore) -> Remedy? {
    guard let back = link.reversed else { return nil }
    var statements: [SQLFragment] = []
    // The order is the same from both ends, so that one remedy serves both.
    let ends = link.isFirst(of: back) ? [link, back] : [back, link]
    for end in ends {
      let labelling = end.reversed?.labelling(by: store.witnesses(of: end.holder))
      statements += [end.answering, labelling ?? ""]
    }
    for end in ends where end.isOptional {
      statements.append(end.emptying(where: end.isUnanswered))
    }
    return Remedy(
      "lets both ends agree: a key is answered where the other end is empty, and taken out otherwise",
      .inverses,
      statements.filter { !$0.isEmpty }
    )
  }
}

extension CheckedLink {
  /// Whether the key of `t0` leads to a row that does not lead back.
  fileprivate var isUnanswered: SQLFragment { leads { "\($0) IS NOT \(own("Z_PK"))" } }

  /// Whether it leads to a row that leads to another one.
  fileprivate var isContradicted: SQLFragment { leads { "\($0) <> \(own("Z_PK"))" } }

  /// Whether it leads to a row that leads nowhere.
  fileprivate var isAlone: SQLFragment { leads { "\($0) IS NULL" } }

  private func leads(back condition: (SQLFragment) -> SQLFragment) -> SQLFragment {
    guard let inverse else { return "0" }
    let back: SQLFragment = .column(inverse.column, of: "d")
    return "\(isSet) AND EXISTS (\(target) AND \(condition(back)))"
  }

  /// The same relationship from its other end.
  fileprivate var reversed: CheckedLink? {
    guard let inverse else { return nil }
    var relationship = relationship
    relationship.name = inverse.name
    relationship.inverseName = self.relationship.name
    relationship.isOptional = inverse.isOptional
    return CheckedLink(
      declarer: destination,
      relationship: relationship,
      holder: destination,
      column: inverse.column,
      entityColumn: inverse.entityColumn,
      orderColumn: nil,
      destination: holder,
      inverse: Inverse(
        name: self.relationship.name,
        column: column,
        entityColumn: entityColumn,
        isOptional: self.relationship.isOptional
      )
    )
  }

  fileprivate func isFirst(of other: CheckedLink) -> Bool {
    (holder.number, column) <= (other.holder.number, other.column)
  }

  /// Lets rows whose own end is empty lead back to the first that leads to them.
  fileprivate var answering: SQLFragment {
    guard let inverse else { return "" }
    let asking: SQLFragment = """
      FROM \(name: holder.tableName) AS \(name: "h") \
      WHERE \(.column(column, of: "h")) = \(own("Z_PK")) AND \(holder.has("h"))
      """
    return """
      UPDATE \(name: destination.tableName) AS \(name: "t0") \
      SET \(column: inverse.column) = (SELECT MIN(\(.column("Z_PK", of: "h"))) \(asking)) \
      WHERE \(destination.has("t0")) AND \(own(inverse.column)) IS NULL \
      AND EXISTS (SELECT 1 \(asking))
      """
  }
}
