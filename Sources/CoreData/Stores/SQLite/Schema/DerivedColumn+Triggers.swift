/// The triggers that keep derived attributes, to the letter of Apple's.
///
/// Each sets the column and then reports the new value by calling a function that the connection
/// has registered; so the framework hears of values it did not write itself.
extension DerivedColumn {
  package var triggers: [Trigger] {
    switch source {
    case .now: nowTriggers
    case .copy(let key, let table, let column): copyTriggers(key, table, column)
    case .count(let key): countTriggers(key)
    case .total(let function, let key, let column): totalTriggers(function, key, column)
    case .unassisted: []
    }
  }
}

// MARK: - The four kinds

extension DerivedColumn {
  private var nowTriggers: [Trigger] {
    let body = { setting("NSCoreDataNow()", where: "Z_PK = NEW.Z_PK", report: $0) }
    return [
      trigger("INSERT", .insert, on: table, when: "NEW.Z_OPT NOT NULL", body(.inserted)),
      trigger("UPDATE", .update(of: ["Z_OPT"]), on: table, body(.updated)),
    ]
  }

  /// The source is the table with the derived column, the parameter the one it is copied from.
  private func copyTriggers(_ key: String, _ other: String, _ value: String) -> [Trigger] {
    let read = "(SELECT \(value) FROM \(other) WHERE Z_PK = NEW.\(key))"
    let pull = { setting(read, where: "Z_PK = NEW.Z_PK", report: $0) }
    let push = { setting("NEW.\(value)", where: "\(key) = NEW.Z_PK", report: $0) }
    return [
      trigger("SOURCE_INSERT", .insert, on: table, pull(.inserted)),
      trigger("SOURCE_UPDATE", .update(of: [key]), on: table, pull(.updated)),
      trigger("PARAMETER_INSERT", .insert, on: other, push(.inserted)),
      trigger("PARAMETER_UPDATE", .update(of: [value]), on: other, push(.updated)),
    ]
  }

  private func countTriggers(_ key: ForeignKey) -> [Trigger] {
    let add = { self.setting($0, where: "Z_PK = NEW.\(key.column)", report: .updated) }
    let remove = setting("\(column) - 1", where: "Z_PK = OLD.\(key.column)", report: .updated)
    let rows = "FROM \(key.table) WHERE \(key.column) = NEW.Z_PK"
    let all = "(SELECT IFNULL(COUNT(\(key.column)), 0) \(rows))"
    return parameterTriggers(
      key,
      insert: add("IFNULL(\(column), 0) + 1"),
      updates: [
        ("UPDATE_INCREMENT", [key.column], .new, add("\(column) + 1")),
        ("UPDATE_DECREMENT", [key.column], .old, remove),
      ],
      delete: remove,
      sourceInsert: all
    )
  }

  /// No store with such a derivation was at hand: these are made after the pattern of the count.
  private func totalTriggers(
    _ function: String,
    _ key: ForeignKey,
    _ value: String
  ) -> [Trigger] {
    let total = { (row: String) in
      let rows = "FROM \(key.table) WHERE \(key.column) = \(row)"
      // As key paths have it: the average of nothing is 0, its maximum is nil.
      return [.sum, .average].map(\Derivation.Total.rawValue).contains(function)
        ? "(SELECT IFNULL(\(function)(\(value)), 0) \(rows))"
        : "(SELECT \(function)(\(value)) \(rows))"
    }
    let refresh = { (row: String) in
      self.setting(total(row), where: "Z_PK = \(row)", report: .updated)
    }
    let (new, old) = ("NEW.\(key.column)", "OLD.\(key.column)")
    return parameterTriggers(
      key,
      insert: refresh(new),
      updates: [
        ("UPDATE", [key.column, value], .new, refresh(new)),
        ("UPDATE_DEPARTURE", [key.column], .old, refresh(old)),
      ],
      delete: refresh(old),
      sourceInsert: total("NEW.Z_PK")
    )
  }
}

// MARK: - Parts

extension DerivedColumn {
  private enum Report: String {
    case inserted = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
    case updated = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
  }

  /// Which of a changed row's two states a trigger looks at.
  private enum Row: String {
    case new = "NEW"
    case old = "OLD"
  }

  /// The parameter is the table whose rows are counted or added up.
  private func parameterTriggers(
    _ key: ForeignKey,
    insert: [String],
    updates: [(event: String, columns: [String], row: Row, body: [String])],
    delete: [String],
    sourceInsert value: String
  ) -> [Trigger] {
    let isSet = { (row: Row) in "\(row.rawValue).\(key.column) NOT NULL" }
    let source = setting(value, where: "Z_PK = NEW.Z_PK", report: .inserted)
    return [trigger("PARAMETER_INSERT", .insert, on: key.table, when: isSet(.new), insert)]
      + updates.map {
        trigger(
          "PARAMETER_\($0.event)",
          .update(of: $0.columns),
          on: key.table,
          when: isSet($0.row),
          $0.body
        )
      }
      + [
        trigger("PARAMETER_DELETE", .delete, on: key.table, when: isSet(.old), delete),
        trigger("SOURCE_INSERT", .insert, on: table, source),
      ]
  }

  private func trigger(
    _ suffix: String,
    _ event: Trigger.Event,
    on subject: String,
    when condition: String? = nil,
    _ body: [String]
  ) -> Trigger {
    Trigger(
      name: "Z_DA_\(subject)_\(entityName)_\(attributeName)_\(suffix)",
      event: event,
      table: subject,
      condition: condition,
      body: body
    )
  }

  private func setting(_ value: String, where rows: String, report: Report) -> [String] {
    [
      "UPDATE \(table) SET \(column) = \(value) WHERE \(rows)",
      "SELECT \(report.rawValue)('\(table)', Z_ENT, Z_PK, '\(attributeName)', \(column))"
        + " FROM \(table) WHERE \(rows)",
    ]
  }
}

// MARK: - In a file

extension KeptDerivations {
  /// Those of a file with these triggers.
  init(triggers: Set<String>) {
    self.init { attribute, layout in
      triggers.contains {
        $0.hasPrefix("Z_DA_") && $0.contains("_\(layout.name)_\(attribute)_")
      }
    }
  }
}
