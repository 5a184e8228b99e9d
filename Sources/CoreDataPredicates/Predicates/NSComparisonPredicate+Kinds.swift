extension NSComparisonPredicate {
  /// How the two sides are compared.
  public enum Operator: UInt, Hashable, Sendable, CaseIterable {
    case lessThan = 0
    case lessThanOrEqualTo = 1
    case greaterThan = 2
    case greaterThanOrEqualTo = 3
    case equalTo = 4
    case notEqualTo = 5
    /// A regular expression that covers the whole text.
    case matches = 6
    /// `?` stands for one character, `*` for any number of them.
    case like = 7
    case beginsWith = 8
    case endsWith = 9
    /// The left side is an element, or a part of the text, of the right side.
    case `in` = 10
    /// The right side is an element, or a part of the text, of the left side.
    case contains = 99
    /// The right side lists two bounds, both included.
    case between = 100
  }

  /// What a collection on the left side has to do with it; `NONE` is written as not any.
  public enum Modifier: UInt, Hashable, Sendable, CaseIterable {
    case direct = 0
    /// Every element compares so; true of an empty collection.
    case all = 1
    /// Some element compares so; false of an empty collection.
    case any = 2
  }

  /// The letters in brackets behind an operator: `CONTAINS[cd]`.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    public static let caseInsensitive = Options(rawValue: 1)
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// The texts are normalised already: compare them code unit by code unit.
    public static let normalized = Options(rawValue: 4)
    package static let localeSensitive = Options(rawValue: 8)
    /// The letter `w`: the right side's words are looked for among those of the left side, each of
    /// which may go on: `title CONTAINS[cdw] "bru note"` finds "Notes about crème brûlée".
    ///
    /// Words are runs of letters and digits. Each word of the right side has to be found, in any
    /// place; a right side without words is in every text, as an empty one is for `CONTAINS`. It goes
    /// with `CONTAINS` only. A script without blanks between words, such as Chinese, has its whole
    /// sentences for words.
    ///
    /// The name is ours: Apple has none. A SQLite store opened with `CoreDataTextSearchOption`
    /// answers `[cdw]` from an index; without, and with other letters, it reads every text.
    public static let wordBased = Options(rawValue: 1 << 16)
  }
}
