/// The words of the predicate format language; a key of this name is written with `#` before it.
enum FormatWord: String {
  case and = "AND"
  case or = "OR"
  case not = "NOT"
  case any = "ANY"
  case some = "SOME"
  case all = "ALL"
  case none = "NONE"
  case isIn = "IN"
  case like = "LIKE"
  case matches = "MATCHES"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case between = "BETWEEN"
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
  case null = "NULL"
  case nilValue = "NIL"
  case yes = "YES"
  case no = "NO"
  case trueValue = "TRUE"
  case falseValue = "FALSE"
  case truePredicate = "TRUEPREDICATE"
  case falsePredicate = "FALSEPREDICATE"
  case selfObject = "SELF"
  case subquery = "SUBQUERY"
  case cast = "CAST"
  case function = "FUNCTION"
  case ternary = "TERNARY"

  /// The comparison that a word stands for.
  var comparator: PredicateTree.Comparator? {
    PredicateTree.Comparator.allCases.first { $0.symbol == rawValue }
  }
}
