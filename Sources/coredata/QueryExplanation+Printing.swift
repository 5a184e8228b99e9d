import CoreData
import CoreDataSQL

extension QueryExplanation {
  /// The statement, the values and the plan, for people.
  var text: String {
    var parts = [sql]
    if !bindings.isEmpty {
      let lines = bindings.enumerated().map { "\(sign)\($0 + 1) = \($1)" }
      parts.append(lines.joined(separator: "\n"))
    }
    let steps = plan.map { String(repeating: "  ", count: $0.depth) + $0.detail }
    parts.append(steps.joined(separator: "\n"))
    if !advice.isEmpty { parts.append(advice.joined(separator: "\n")) }
    return parts.joined(separator: "\n\n")
  }

  var json: [String: Any] {
    [
      "sql": sql,
      "bindings": bindings.map(\.json),
      "plan": plan.map { ["depth": $0.depth, "detail": $0.detail] as [String: Any] },
      "advice": advice,
    ]
  }
}

extension SQLValue {
  fileprivate var json: Any {
    switch self {
    case .integer(let value): value
    case .real(let value) where value.isFinite: value
    case .text(let text): text
    // JSON does not have these; they are spelled as in SQL.
    case .null, .real, .blob: description
    }
  }
}
