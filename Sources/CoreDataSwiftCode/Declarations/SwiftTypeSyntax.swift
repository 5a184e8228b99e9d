/// A type as source text spells it.
package indirect enum SwiftTypeSyntax: Hashable, Sendable {
  /// `Note`, `Calendar.Component` or `Set<Tag>`.
  case named([Component])
  /// `T?` or `T!`.
  case optional(Self)
  case array(Self)
  case dictionary(Self, Self)
  /// `any P`, or `P & Q`.
  case existential([Self])
  /// A tuple, function or other type that no property of a managed object has.
  case other(String)

  package struct Component: Hashable, Sendable {
    package let name: String
    package let arguments: [SwiftTypeSyntax]

    package init(_ name: String, _ arguments: [SwiftTypeSyntax] = []) {
      self.name = name
      self.arguments = arguments
    }
  }

  package var spelling: String {
    switch self {
    case .named(let components): components.map(\.spelling).joined(separator: ".")
    case .optional(.existential(let parts)): "(\(Self.existential(parts).spelling))?"
    case .optional(let type): "\(type.spelling)?"
    case .array(let type): "[\(type.spelling)]"
    case .dictionary(let key, let value): "[\(key.spelling): \(value.spelling)]"
    case .existential(let parts): "any " + parts.map(\.spelling).joined(separator: " & ")
    case .other(let text): text
    }
  }
}

extension SwiftTypeSyntax.Component {
  var spelling: String {
    let quoted =
      ["Type", "Protocol", "default", "class", "enum"].contains(name) ? "`\(name)`" : name
    guard !arguments.isEmpty else { return quoted }
    return "\(quoted)<\(arguments.map(\.spelling).joined(separator: ", "))>"
  }
}
