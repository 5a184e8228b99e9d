extension NSComparisonPredicate {
  /// The operators that compare two expressions, with the raw values of Apple's framework.
  public enum Operator: UInt, Hashable, Sendable, CaseIterable {
    /// The left value is less than the right one: `<`.
    case lessThan = 0
    /// The left value is less than or equal to the right one: `<=`.
    case lessThanOrEqualTo = 1
    /// The left value is greater than the right one: `>`.
    case greaterThan = 2
    /// The left value is greater than or equal to the right one: `>=`.
    case greaterThanOrEqualTo = 3
    /// The values are equal: `==`.
    case equalTo = 4
    /// The values are not equal: `!=`.
    case notEqualTo = 5
    /// The whole left text matches the regular expression on the right: `MATCHES`.
    case matches = 6
    /// The left text matches the pattern on the right, in which `?` means one character and
    /// `*` for any number: `LIKE`.
    case like = 7
    /// The left text begins with the right one: `BEGINSWITH`.
    case beginsWith = 8
    /// The left text ends with the right one: `ENDSWITH`.
    case endsWith = 9
    /// The left value is an element, or a part of the text, on the right: `IN`.
    case `in` = 10
    /// The right value is an element, or a part of the text, on the left: `CONTAINS`.
    case contains = 99
    /// The left value is between the two bounds on the right or equal to one of them: `BETWEEN`.
    case between = 100
  }

  /// The ways in which a collection on the left side is compared.
  ///
  /// `NONE` is the negation of `.any`.
  public enum Modifier: UInt, Hashable, Sendable, CaseIterable {
    /// The left value itself is compared.
    case direct = 0
    /// All elements must meet the condition.
    ///
    /// It is true for an empty collection.
    case all = 1
    /// At least one element must meet the condition.
    ///
    /// It is false for an empty collection.
    case any = 2
  }

  /// The options of a comparison of texts, which are letters in brackets in a format string:
  /// `CONTAINS[cd]`.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Ignores the difference between upper and lower case: `[c]`.
    public static let caseInsensitive = Options(rawValue: 1)
    /// Ignores diacritics: `[d]`.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// Compares texts code unit by code unit, because they are normalized already: `[n]`.
    public static let normalized = Options(rawValue: 4)
    package static let localeSensitive = Options(rawValue: 8)
    /// Searches for words that begin with the words on the right side: `[w]`.
    ///
    /// For example, `title CONTAINS[cdw] "bru note"` finds "Notes about crème brûlée". Words are
    /// sequences of letters and digits. Each word on the right must be found somewhere on the left;
    /// a right side without words is found in every text. In scripts that do not separate words,
    /// such as Chinese, whole sentences are words. The option can be used with `CONTAINS` only.
    ///
    /// Words between quotation marks (`"`) form a phrase: they must be next to each other on the left, in this order,
    /// with any punctuation between them. The last word of a phrase may go on, the others are compared whole:
    /// `title CONTAINS[cdw] '"about crème br" note'` finds the same text. A single quotation mark is ignored. A
    /// phrase of more than 64 words is looked for in parts of 64.
    ///
    /// A SQLite or PostgreSQL store that is opened with `CoreDataTextSearchOption` evaluates `[cdw]`
    /// with an index. Without the index, or with other letters, every text is read. Apple's framework
    /// does not have this option.
    public static let wordBased = Options(rawValue: 1 << 16)
  }
}
