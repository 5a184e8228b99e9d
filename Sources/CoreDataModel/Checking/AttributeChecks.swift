import CoreDataPredicates
import Foundation

/// The possible problems of an attribute: its type, its default, its bounds.
extension ModelChecker {
  func problems(of attribute: AttributeSchema, in entity: EntitySchema) -> [ModelProblem] {
    let messages = [
      attribute.typeProblem, attribute.defaultProblem, attribute.boundsProblem,
    ]
    var problems = messages.compactMap(\.self).map {
      ModelProblem(entity: entity.name, property: attribute.name, message: $0)
    }
    for element in attribute.elements {
      if let problem = element.elementProblem {
        problems.append(
          ModelProblem(
            entity: entity.name,
            property: "\(attribute.name).\(element.name)",
            message: problem
          )
        )
      }
      problems += self.problems(of: element, in: entity).map { problem in
        var problem = problem
        problem.property = "\(attribute.name).\(problem.property ?? element.name)"
        return problem
      }
    }
    return problems
  }
}

extension AttributeSchema {
  /// The reason why an attribute cannot be an element of a composite attribute.
  fileprivate var elementProblem: String? {
    if allowsExternalBinaryDataStorage, type == .binaryData {
      return
        "an element of a composite attribute cannot be kept in a file; turn external storage off"
    }
    if derivationExpression != nil {
      return "an element of a composite attribute cannot be derived; make it an attribute"
    }
    guard isTransient else { return nil }
    return "an element of a composite attribute has to be stored; choose another type"
  }

  fileprivate var typeProblem: String? {
    switch type {
    case .undefined where !isTransient:
      "the attribute has no type; choose one, or make the attribute transient"
    case .objectID where !isTransient:
      "an object ID cannot be stored; make the attribute transient or a relationship"
    case .composite where elements.isEmpty:
      "the composite attribute has no elements; choose a composite that exists"
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string,
      .boolean, .date, .binaryData, .uuid, .uri, .transformable, .objectID, .composite:
      nil
    }
  }

  fileprivate var defaultProblem: String? {
    guard let defaultValue, !type.accepts(defaultValue) else { return nil }
    return """
      the default value \(defaultValue.text) does not fit the type \(type.word)\(type.rangeHint); \
      change one of them
      """
  }

  /// The default as a value of the type; `nil` if it cannot be one.
  fileprivate var fittingDefault: SchemaValue? {
    guard let defaultValue, !type.accepts(defaultValue) else { return defaultValue }
    let value = defaultValue.converted(to: type)
    return type.accepts(value) ? value : nil
  }

  /// A lower bound above an upper one, found in the validation predicates.
  fileprivate var boundsProblem: String? {
    var bounds: [ExpressionTree: (lower: Double?, upper: Double?)] = [:]
    for validation in validations {
      // A text that is not a predicate does not have bounds; its own problem is reported elsewhere.
      guard
        case .comparison(let rule)? = try? PredicateFormat.predicate(validation.predicateFormat),
        case .constant(let constant) = rule.right, let number = SchemaValue(constant)?.number
      else { continue }
      switch rule.op {
      case .greaterThanOrEqualTo, .greaterThan:
        bounds[rule.left, default: (nil, nil)].lower = number
      case .lessThanOrEqualTo, .lessThan:
        bounds[rule.left, default: (nil, nil)].upper = number
      case .equalTo, .notEqualTo, .matches, .like, .beginsWith, .endsWith, .in, .contains, .between:
        continue
      }
    }
    for (subject, range) in bounds.sorted(by: { $0.key.format < $1.key.format }) {
      guard let lower = range.lower, let upper = range.upper, lower > upper else { continue }
      let what = subject == .evaluatedObject ? "value" : subject.format
      return "the minimum \(what) is greater than the maximum; swap them"
    }
    return nil
  }
}

extension ModelSchema {
  /// The same without defaults that are not values of their types, as compiled models of others may have them:
  /// programs can work with such a model nevertheless.
  var withFittingDefaults: ModelSchema {
    var schema = self
    for entity in entities.indices {
      for attribute in entities[entity].attributes.indices {
        let fitting = entities[entity].attributes[attribute].fittingDefault
        schema.entities[entity].attributes[attribute].defaultValue = fitting
      }
    }
    return schema
  }
}

extension AttributeType {
  /// Whether a value of this type can be what a model says.
  fileprivate func accepts(_ value: SchemaValue) -> Bool {
    switch (self, value) {
    case (.integer16, .integer(let number)): Int16(exactly: number) != nil
    case (.integer32, .integer(let number)): Int32(exactly: number) != nil
    case (.integer64, .integer): true
    case (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean): true
    case (.decimal, .decimal), (.decimal, .integer), (.decimal, .real): true
    case (.double, .real), (.double, .integer), (.float, .integer): true
    case (.float, .real(let number)): !number.isFinite || Float(number).isFinite
    case (.string, .text), (.date, .date), (.binaryData, .data), (.uuid, .uuid), (.uri, .uri): true
    case (.boolean, .boolean): true
    case (.boolean, .integer(let number)): number == 0 || number == 1
    case (.transformable, _), (.undefined, _), (.composite, _): true
    case (.integer16, _), (.integer32, _), (.integer64, _), (.decimal, _), (.double, _),
      (.float, _), (.string, _), (.boolean, _), (.date, _), (.binaryData, _), (.uuid, _),
      (.uri, _), (.objectID, _):
      false
    }
  }

  fileprivate var rangeHint: String {
    switch self {
    case .integer16: " (-32768 to 32767)"
    case .integer32: " (-2147483648 to 2147483647)"
    case .integer64: " (-9223372036854775808 to 9223372036854775807)"
    case .boolean: " (YES or NO)"
    case .undefined, .decimal, .double, .float, .string, .date, .binaryData, .uuid, .uri,
      .transformable, .objectID, .composite:
      ""
    }
  }
}

extension SchemaValue {
  /// The value as a sentence quotes it.
  fileprivate var text: String {
    switch self {
    case .boolean(let value): value ? "YES" : "NO"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .decimal(let value): value.description
    case .text(let text): "\"\(text)\""
    case .date(let seconds): "(a date, \(seconds) seconds after 1 January 2001)"
    case .data(let data): "(\(data.count) bytes)"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let text): "<\(text)>"
    case .archived: "(an archived object)"
    }
  }

  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value), .date(let value): value
    case .decimal(let value): Double(value.description)
    case .boolean, .text, .data, .uuid, .uri, .archived: nil
    }
  }
}
