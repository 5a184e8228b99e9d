package import CoreDataModel

/// How one kind of database spells views.
package struct ViewSpelling: Sendable {
  /// The beginning of a statement, for the name of a view.
  package var heading: @Sendable (String) -> String
  /// A table, quoted.
  package var table: @Sendable (String) -> String
  /// A quoted column as the value that its type means.
  package var value: @Sendable (_ column: String, AttributeType) -> String
  /// The condition that each row must fulfil, or `nil`.
  package var condition: String?
  /// The column with the row's zone, or `nil` if only one zone is shown.
  package var zoneColumn: String?

  package init(
    heading: @escaping @Sendable (String) -> String,
    table: @escaping @Sendable (String) -> String,
    condition: String? = nil,
    zoneColumn: String? = nil,
    value: @escaping @Sendable (_ column: String, AttributeType) -> String
  ) {
    self.heading = heading
    self.table = table
    self.condition = condition
    self.zoneColumn = zoneColumn
    self.value = value
  }

  package static func quote(_ name: String) -> String {
    "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }

  package static func literal(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }
}

extension ViewPlan.View {
  /// The statement that makes the view.
  package func statement(_ spelling: ViewSpelling) -> String {
    let selects = [columns, mirror].compactMap(\.self).map { select($0, spelling) }
    return "\(spelling.heading(name)) AS \(selects.joined(separator: " UNION "))"
  }

  private func select(_ columns: [ViewPlan.Column], _ spelling: ViewSpelling) -> String {
    let zone = spelling.zoneColumn.map { "\($0) AS \"zone\"" }
    let values = columns.map { column in
      "\(Self.expression(column.content, spelling)) AS \(ViewSpelling.quote(column.name))"
    }
    let list = [values[0]] + [zone].compactMap(\.self) + values.dropFirst()
    let entities = numbers.map { numbers in
      let column = ViewSpelling.quote("Z_ENT")
      return numbers.count == 1
        ? "\(column) = \(numbers.lowerBound)"
        : "\(column) BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound)"
    }
    let conditions = [spelling.condition, entities].compactMap(\.self)
    return "SELECT \(commas(list)) FROM \(spelling.table(table))"
      + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))")
  }

  private static func expression(_ content: ViewPlan.Content, _ spelling: ViewSpelling) -> String {
    switch content {
    case .number(let column): return ViewSpelling.quote(column)
    case .value(let column, let type): return spelling.value(ViewSpelling.quote(column), type)
    case .entity(let names):
      let cases = names.sorted { $0.key < $1.key }
        .map { "WHEN \($0.key) THEN \(ViewSpelling.literal($0.value))" }
      return "CASE \(ViewSpelling.quote("Z_ENT")) \(cases.joined(separator: " ")) END"
    }
  }
}
