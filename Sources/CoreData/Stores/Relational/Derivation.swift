/// What a derived attribute is computed from, read from the expression in the model.
///
///     now()                 .now
///     folder.name           .copy("folder", "name")
///     notes.@count          .count("notes")
///     sum:(notes.stars)     .total(.sum, "notes", "stars")
enum Derivation: Hashable {
  case now
  case copy(relationship: String, attribute: String)
  case count(relationship: String)
  case total(Total, relationship: String, attribute: String)

  /// Raw values are the functions of SQL.
  enum Total: String {
    case sum = "SUM"
    case minimum = "MIN"
    case maximum = "MAX"
    case average = "AVG"
  }

  /// Nil when the expression is none of these; the store then computes the value as it saves.
  init?(_ expression: String) {
    let expression = expression.filter { !$0.isWhitespace }
    let path = expression.split(separator: ".").map(String.init)
    if expression == "now()" {
      self = .now
    } else if let (function, argument) = Self.call(expression) {
      self.init(function: function, path: argument.split(separator: ".").map(String.init))
    } else if path.count >= 2, path[1].hasPrefix("@") {
      self.init(function: String(path[1].dropFirst()), path: [path[0]] + path.dropFirst(2))
    } else if path.count == 2 {
      self = .copy(relationship: path[0], attribute: path[1])
    } else {
      return nil
    }
  }

  private init?(function: String, path: [String]) {
    let totals: [String: Total] = [
      "sum": .sum, "min": .minimum, "max": .maximum, "average": .average, "avg": .average,
    ]
    if function == "count", path.count == 1 {
      self = .count(relationship: path[0])
    } else if let total = totals[function], path.count == 2 {
      self = .total(total, relationship: path[0], attribute: path[1])
    } else {
      return nil
    }
  }

  /// The function and argument of `function:(argument)`.
  private static func call(_ expression: String) -> (function: String, argument: Substring)? {
    guard expression.hasSuffix(")"), let opening = expression.firstIndex(of: "("),
      opening > expression.startIndex,
      expression[expression.index(before: opening)] == ":"
    else { return nil }
    let function = expression[..<expression.index(before: opening)]
    let argument = expression[expression.index(after: opening)...].dropLast()
    return (String(function), argument)
  }
}
