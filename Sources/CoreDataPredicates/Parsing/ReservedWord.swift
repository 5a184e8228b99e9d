/// The words that mean something to the parser, in any mixture of cases.
///
/// A key of that name is written with a number sign: `#in == 3`.
enum ReservedWord: String, CaseIterable {
  case and = "AND"
  case or = "OR"
  case not = "NOT"

  case anyOf = "ANY"
  case someOf = "SOME"
  case allOf = "ALL"
  case noneOf = "NONE"

  case `in` = "IN"
  case like = "LIKE"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"

  case null = "NULL"
  case `nil` = "NIL"
  case `self` = "SELF"
  case `true` = "TRUE"
  case yes = "YES"
  case `false` = "FALSE"
  case no = "NO"
  case anyKey = "ANYKEY"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"

  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"

  case subquery = "SUBQUERY"
  case cast = "CAST"
  case function = "FUNCTION"
  case ternary = "TERNARY"
  case fetch = "FETCH"

  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"

  private static let words = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) }
  )

  private static let longest = "FALSEPREDICATE".utf8.count

  init?(_ word: String) {
    guard word.utf8.count <= Self.longest, let reserved = Self.words[word.uppercased()] else {
      return nil
    }
    self = reserved
  }
}
