public import Foundation

// Methods of texts that `#Predicate` knows on Apple's systems. The macro turns
// `title.localizedStandardContains("a")` into `build_localizedStandardContains(title, "a")`, which
// Foundation on Linux does not have.

extension PredicateExpressions {
  /// An expression that tests whether a text contains another one, ignoring case and diacritics.
  public struct StringLocalizedStandardContains<Root, Other>: StandardPredicateExpression
  where
    Root: StandardPredicateExpression,
    Other: StandardPredicateExpression,
    Root.Output: StringProtocol,
    Other.Output: StringProtocol
  {
    /// The text in which to search.
    public let root: Root
    /// The text to search for.
    public let other: Other

    /// Creates the expression.
    ///
    /// - Parameters:
    ///   - root: The text in which to search.
    ///   - other: The text to search for.
    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    /// Returns whether the text contains the other one.
    ///
    /// - Parameter bindings: The values of the predicate's variables.
    /// - Returns: `true` if the text contains the other one.
    /// - Throws: An error if one of the texts cannot be evaluated.
    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      try root.evaluate(bindings).localizedStandardContains(try other.evaluate(bindings))
    }
  }

  /// An expression that compares two texts, ignoring case.
  public struct StringCaseInsensitiveCompare<Root, Other>: StandardPredicateExpression
  where
    Root: StandardPredicateExpression,
    Other: StandardPredicateExpression,
    Root.Output: StringProtocol,
    Other.Output: StringProtocol
  {
    /// The first text.
    public let root: Root
    /// The second text.
    public let other: Other

    /// Creates the expression.
    ///
    /// - Parameters:
    ///   - root: The first text.
    ///   - other: The second text.
    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    /// Returns the order of the texts.
    ///
    /// - Parameter bindings: The values of the predicate's variables.
    /// - Returns: The order of the first text relative to the second.
    /// - Throws: An error if one of the texts cannot be evaluated.
    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      try root.evaluate(bindings).caseInsensitiveCompare(try other.evaluate(bindings))
    }
  }

  /// An expression that compares two texts by the rules of the user's language.
  public struct StringLocalizedCompare<Root, Other>: StandardPredicateExpression
  where
    Root: StandardPredicateExpression,
    Other: StandardPredicateExpression,
    Root.Output: StringProtocol,
    Other.Output: StringProtocol
  {
    /// The first text.
    public let root: Root
    /// The second text.
    public let other: Other

    /// Creates the expression.
    ///
    /// - Parameters:
    ///   - root: The first text.
    ///   - other: The second text.
    public init(root: Root, other: Other) {
      self.root = root
      self.other = other
    }

    /// Returns the order of the texts.
    ///
    /// - Parameter bindings: The values of the predicate's variables.
    /// - Returns: The order of the first text relative to the second.
    /// - Throws: An error if one of the texts cannot be evaluated.
    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      try root.evaluate(bindings).localizedCompare(try other.evaluate(bindings))
    }
  }
}

// MARK: - What the macro calls

// swift-format-ignore: AlwaysUseLowerCamelCase
extension PredicateExpressions {
  /// Builds the expression for a call of `localizedStandardContains(_:)` in `#Predicate`.
  ///
  /// - Parameters:
  ///   - root: The text in which to search.
  ///   - other: The text to search for.
  /// - Returns: The expression.
  public static func build_localizedStandardContains<Root, Other>(
    _ root: Root,
    _ other: Other
  ) -> StringLocalizedStandardContains<Root, Other> {
    StringLocalizedStandardContains(root: root, other: other)
  }

  /// Builds the expression for a call of `caseInsensitiveCompare(_:)` in `#Predicate`.
  ///
  /// - Parameters:
  ///   - root: The first text.
  ///   - other: The second text.
  /// - Returns: The expression.
  public static func build_caseInsensitiveCompare<Root, Other>(
    _ root: Root,
    _ other: Other
  ) -> StringCaseInsensitiveCompare<Root, Other> {
    StringCaseInsensitiveCompare(root: root, other: other)
  }

  /// Builds the expression for a call of `localizedCompare(_:)` in `#Predicate`.
  ///
  /// - Parameters:
  ///   - root: The first text.
  ///   - other: The second text.
  /// - Returns: The expression.
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
