import CoreDataModel

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
  init?(_ format: String) {
    switch CommonFormats().expression(format).map(DerivationFormat.unfolded) {
    case .function("now", []):
      self = .now
    case .function(let function, let arguments):
      guard
        arguments.count == 1,
        case .keyPath(let path, of: .evaluatedObject) = arguments[0]
      else { return nil }
      self.init(function: function, path: path.split(separator: ".").map(String.init))
    case .keyPath(let path, of: .evaluatedObject):
      let names = path.split(separator: ".").map(String.init)
      guard names.count == 2, !path.contains("@") else { return nil }
      self = .copy(relationship: names[0], attribute: names[1])
    case .constant, .evaluatedObject, .variable, .keyPath, .method, .aggregate, .combination,
      .subquery, .conditional, nil:
      return nil
    }
  }

  private init?(function: String, path: [String]) {
    let totals: [String: Total] = [
      "sum:": .sum, "min:": .minimum, "max:": .maximum, "average:": .average,
    ]
    if function == "count:", path.count == 1 {
      self = .count(relationship: path[0])
    } else if let total = totals[function], path.count == 2 {
      self = .total(total, relationship: path[0], attribute: path[1])
    } else {
      return nil
    }
  }
}
