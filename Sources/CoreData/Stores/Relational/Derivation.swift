import CoreDataModel
import CoreDataPredicates

/// The source of a derived attribute, read from the expression in the model.
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

    init?(_ function: PredicateFunction) {
      switch function {
      case .sum: self = .sum
      case .min: self = .minimum
      case .max: self = .maximum
      case .average: self = .average
      case _: return nil
      }
    }
  }

  /// `nil` if the expression has another form; the store then computes the value as it saves.
  init?(_ format: String) {
    switch (try? PredicateFormat.expression(format)).map(DerivationFormat.unfolded) {
    case .function(.now, []):
      self = .now
    case .function(let function, let arguments) where arguments.count == 1:
      guard let names = arguments[0].names else { return nil }
      self.init(function: function, names: names)
    case .keyPath(.evaluatedObject, let names):
      guard names.count == 2, !names.contains(where: { $0.hasPrefix("@") }) else { return nil }
      self = .copy(relationship: names[0], attribute: names[1])
    case .constant, .evaluatedObject, .variable, .keyPath, .variableKey, .aggregate, .function,
      .message, .subquery, .index, .cast, .conditional, .set, .assignment, .fetch, .anyKey, .block,
      nil:
      return nil
    }
  }

  private init?(function: PredicateFunction, names: [String]) {
    if function == .count, names.count == 1 {
      self = .count(relationship: names[0])
    } else if let total = Total(function), names.count == 2 {
      self = .total(total, relationship: names[0], attribute: names[1])
    } else {
      return nil
    }
  }
}
