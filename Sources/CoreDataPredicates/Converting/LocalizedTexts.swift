public import Foundation

// Methods of texts that `#Predicate` knows on Apple's systems. The macro turns
// `title.localizedStandardContains("a")` into `build_localizedStandardContains(title, "a")`, which
// Foundation on Linux does not have.

extension PredicateExpressions {
  /// Whether a text contains another, whatever their case and diacritics.
  public struct StringLocalizedStandardContains<Root, Other>: StandardPredicateExpression
  where
    Root: StandardPredicateExpression,
    Other: StandardPredicateExpression,
    Root.Output: StringProtocol,
    Other.Output: StringProtocol
  {
    public let root: Root
    public let other: Other

    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      try root.evaluate(bindings).localizedStandardContains(try other.evaluate(bindings))
    }
  }

  /// How two texts stand to each other, whatever their case.
  public struct StringCaseInsensitiveCompare<Root, Other>: StandardPredicateExpression
  where
    Root: StandardPredicateExpression,
    Other: StandardPredicateExpression,
    Root.Output: StringProtocol,
    Other.Output: StringProtocol
  {
    public let root: Root
    public let other: Other

    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      try root.evaluate(bindings).caseInsensitiveCompare(try other.evaluate(bindings))
    }
  }

  /// How two texts stand to each other in the user's language.
  public struct StringLocalizedCompare<Root, Other>: StandardPredicateExpression
  where
    Root: StandardPredicateExpression,
    Other: StandardPredicateExpression,
    Root.Output: StringProtocol,
    Other.Output: StringProtocol
  {
    public let root: Root
    public let other: Other

    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      try root.evaluate(bindings).localizedCompare(try other.evaluate(bindings))
    }
  }
}

// MARK: - What the macro calls

// swift-format-ignore: AlwaysUseLowerCamelCase
extension PredicateExpressions {
  public static func build_localizedStandardContains<Root, Other>(
    _ root: Root,
    _ other: Other
  ) -> StringLocalizedStandardContains<Root, Other> {
    StringLocalizedStandardContains(root: root, other: other)
  }

  public static func build_caseInsensitiveCompare<Root, Other>(
    _ root: Root,
    _ other: Other
  ) -> StringCaseInsensitiveCompare<Root, Other> {
    StringCaseInsensitiveCompare(root: root, other: other)
  }

  public static func build_localizedCompare<Root, Other>(
    _ root: Root,
    _ other: Other
  ) -> StringLocalizedCompare<Root, Other> {
    StringLocalizedCompare(root: root, other: other)
  }
}

// MARK: - In trees

extension PredicateExpressions.StringLocalizedStandardContains: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let text = try conversion.value(of: root)
    let part = try conversion.value(of: other)
    return .comparison(
      text,
      .contains,
      part,
      [.caseInsensitive, .diacriticInsensitive, .localeSensitive]
    )
  }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let text = try conversion.value(of: root)
    return .order(text, try conversion.value(of: other), .caseInsensitive)
  }
}

extension PredicateExpressions.StringLocalizedCompare: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let text = try conversion.value(of: root)
    return .order(text, try conversion.value(of: other), .localeSensitive)
  }
}
