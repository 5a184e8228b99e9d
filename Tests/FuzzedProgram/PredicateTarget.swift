/// The parser of predicate formats.
///
/// Scripts/fuzz-predicates searches further, guided by libFuzzer.
struct PredicateTarget: FuzzTarget {
  private let formats = [
    #"title CONTAINS[cd] "swift" AND stars BETWEEN {1, 5}"#,
    #"ANY tags.name IN {"a", %@} OR NOT (date < CAST(631152000.5, "NSDate"))"#,
    #"SUBQUERY(tags, $x, $x.name LIKE "s*" AND $x.$n == nil).@count > 0"#,
    #"TERNARY(stars > 3, tags[FIRST].name, FUNCTION(title, "uppercaseString")) == %@"#,
    #"($x := 5) == $x ** 2 << 1 | ~stars & modulus:by:(7, -2)"#,
    #"%K == %ld && tags.@unionOfObjects.name UNION {"\u00e9"} != {}"#,
    #"stddev:({1, 2.5, 12345678901234567890.5}) >= raise:toPower:(b, c) % 1"#,
  ].map { Array($0.utf8) }
  private let words = [
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "LIKE", "MATCHES", "CONTAINS",
    "BEGINSWITH",
    "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "ANYKEY",
    "TRUEPREDICATE",
    "FALSEPREDICATE", "FIRST", "LAST", "SIZE", "SUBQUERY(", "CAST(", "FUNCTION(", "TERNARY(",
    "FETCH(",
    "UNION", "INTERSECT", "MINUS", "[cd]", "[nl]", "%@", "%K", "%d", "%s", "%c", "%ld", "$x", "$n",
    "@count",
    "@sum", "@unionOfObjects", ":=", "**", "<<", ">>", "==", "!=", "<>", "<=", "=>", "&&", "||",
    "tags",
    "title", "stars", "name", "date", "self", "#in", "NSDate", "NSNumber", "NSString",
    "NSDecimalNumber",
    "NSUUID", "NSURL", "now()", "sum(", "average(", "stddev:(", "modulus:by:(", "raise:toPower:(",
    "uppercase(", "canonical:(", "length(", "randomn(", "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615", "0x", "0b", "1e308", "1e-7", #"\\u"#, #"\\""#,
  ].map { Array($0.utf8) }

  func run(_ dice: inout Dice) {
    let bytes = dice.damaged(dice.one(of: formats), among: dice.once(in: 2) ? words : formats)
    PredicateChecks.check(String(decoding: bytes.prefix(400), as: UTF8.self))
  }
}
