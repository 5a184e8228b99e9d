import Foundation
import Testing

@testable import CoreDataPredicates

struct ParsingTests {
  @Test(arguments: [
    ("title='The first book'", #"title == "The first book""#),
    ("a = 1", "a == 1"),
    ("a <> 1", "a != 1"),
    ("a =< 1", "a <= 1"),
    ("a => 1", "a >= 1"),
    (
      "SELF.price < 12 AND (SELF.category=$FETCH_SOURCE)",
      "price < 12 AND category == $FETCH_SOURCE"
    ),
    ("isFavorite == true", "isFavorite == 1"),
    ("isFavorite == NO", "isFavorite == 0"),
    ("parent == nil", "parent == nil"),
    ("parent == NULL", "parent == nil"),
    ("keywords_.@count == 0", "keywords_.@count == 0"),
    ("truepredicate", "TRUEPREDICATE"),
    ("FALSEPREDICATE", "FALSEPREDICATE"),
    ("SELF like[c] 'prefix*suffix'", #"SELF LIKE[c] "prefix*suffix""#),
    ("name beginswith[DC] 'a'", #"name BEGINSWITH[cd] "a""#),
    ("a ==[c] 'x'", #"a ==[c] "x""#),
    ("a matches[n] 'x'", #"a MATCHES[n] "x""#),
    ("a contains[lcd] 'x'", #"a CONTAINS[cdl] "x""#),
    ("ANY tags.name == 'swift'", #"ANY tags.name == "swift""#),
    ("SOME tags.name == 'swift'", #"ANY tags.name == "swift""#),
    ("ALL notes.stars > 3", "ALL notes.stars > 3"),
    ("NONE notes.stars > 3", "NOT ANY notes.stars > 3"),
    (
      "SUBQUERY(notes, $n, $n.stars > 3).@count > 0",
      "SUBQUERY(notes, $n, $n.stars > 3).@count > 0"
    ),
    ("stars IN {1, 2, 3}", "stars IN {1, 2, 3}"),
    ("stars in {}", "stars IN {}"),
    ("stars BETWEEN {1, 5}", "stars BETWEEN {1, 5}"),
    ("a == 1 && b == 2 || c == 3", "(a == 1 AND b == 2) OR c == 3"),
    ("a == 1 or b == 2 and c == 3", "a == 1 OR (b == 2 AND c == 3)"),
    ("a == 1 AND b == 2 AND c == 3", "a == 1 AND b == 2 AND c == 3"),
    ("a == 1 AND (b == 2 AND c == 3)", "a == 1 AND (b == 2 AND c == 3)"),
    ("not a == 1", "NOT a == 1"),
    ("!a == 1", "NOT a == 1"),
    ("NOT (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
    ("NOT a == 1 AND b == 2", "(NOT a == 1) AND b == 2"),
    ("NOT NOT a == 1", "NOT (NOT a == 1)"),
    ("((a == 1))", "a == 1"),
    ("(a + 1) > 2", "a + 1 > 2"),
    ("(a + 1) * 2 > 2", "(a + 1) * 2 > 2"),
    ("a + b * c ** 2 == 1", "a + (b * (c ** 2)) == 1"),
    ("a - b - c == 1", "(a - b) - c == 1"),
    ("1 << 3 == 8", "1 << 3 == 8"),
    ("a | b & c == 1", "(a | b) & c == 1"),
    ("-a > -5", "0 - a > -5"),
    ("~flags & 4 == 0", "onesComplement:(flags) & 4 == 0"),
    ("a == -9223372036854775808", "a == -9223372036854775808"),
    ("a == 18446744073709551615", "a == 18446744073709551615"),
    ("a == 0x1F", "a == 31"),
    ("a == 0b101 OR a == 0o17", "a == 5 OR a == 15"),
    ("a == 1.5e3", "a == 1500"),
    ("a == .25", "a == 0.25"),
    (
      "a == 77777777777777777777777777777713e3", "a == 77777777777777777777777777777713000"
    ),
    (
      "a == 77777777777777777777777777777713e16",
      "a == 777777777777777777777777777777130000000000000000"
    ),
    ("a == 'it\\'s'", #"a == "it's""#),
    (#"a == "\"\\\n\u00e9\x41""#, "a == \"\\\"\\\\\\né" + "A\""),
    (#"a == "\ud83d\ude00""#, #"a == "😀""#),
    ("'%K' like '%@'", #""%K" LIKE "%@""#),
    ("größe > 3", "größe > 3"),
    ("#in == 3 AND a.#first == 2", "#in == 3 AND a.#first == 2"),
    ("g.@max.#self == 1", "g.@max.#self == 1"),
    ("size > 3", "#size > 3"),
    ("fetch == 1 OR cast == 2", "#fetch == 1 OR #cast == 2"),
    ("notes[FIRST].title == 'x'", #"notes[FIRST].title == "x""#),
    ("notes[size] > 2 AND notes[last] == notes[0]", "notes[SIZE] > 2 AND notes[LAST] == notes[0]"),
    ("counts['red'] == 2", #"counts["red"] == 2"#),
    ("$note.$attribute == 1", "$note.$attribute == 1"),
    ("$x.a == 1", "$x.a == 1"),
    ("uppercase(title) == 'A'", #"uppercase:(title) == "A""#),
    ("modulus:by:(a, 2) == 1", "modulus:by:(a, 2) == 1"),
    ("multiply:by:(5,3) == 15", "5 * 3 == 15"),
    ("date < now()", "date < now()"),
    ("max:(notes.stars) == 5", "max:(notes.stars) == 5"),
    ("length(title) BETWEEN {1, 5}", "length:(title) BETWEEN {1, 5}"),
    ("FUNCTION(a, 'hasPrefix:', 'x') == YES", #"FUNCTION(a, "hasPrefix:", "x") == 1"#),
    ("FUNCTION(SELF, 'length') > 3", #"FUNCTION(SELF, "length") > 3"#),
    ("CAST(date, 'NSNumber') > 3", #"CAST(date, "NSNumber") > 3"#),
    ("d > CAST(631152000.0, 'NSDate')", #"d > CAST(631152000.000000, "NSDate")"#),
    ("TERNARY(a == 1, b, c) == 2", "TERNARY(a == 1, b, c) == 2"),
    ("a UNION b MINUS c == d", "(a UNION b) MINUS c == d"),
    ("(a INTERSECT b).@count == 1", "(a INTERSECT b).@count == 1"),
    ("($x := 5) == $x", "($x := 5) == $x"),
    ("FETCH($request, $context, NO) != nil", "FETCH($request, $context, NO) != nil"),
    ("ANYKEY == 'x'", #"ANYKEY == "x""#),
    ("SELF == 'a'", #"SELF == "a""#),
    ("SELF like a", "SELF LIKE a"),
    ("a.self.b == 1", "a.#self.b == 1"),
    ("#2 == 1 AND a.#3 == 1", "#2 == 1 AND a.#3 == 1"),
  ])
  func `a format is parsed and printed`(format: String, expected: String) throws {
    let tree = try PredicateFormat.predicate(format)
    #expect(tree.description == expected)
    #expect(try PredicateFormat.predicate(expected) == tree, "parsed again")
  }

  @Test func `arguments go into their places`() throws {
    #expect(try printed("%K == nil", "parent") == "parent == nil")
    #expect(try printed("%K != nil", "attachment") == "attachment != nil")
    #expect(try printed("%K == %@", "folder.name", "Work") == #"folder.name == "Work""#)
    #expect(try printed("%K CONTAINS[cd] %@", "title", "É") == #"title CONTAINS[cd] "É""#)
    #expect(try printed("%@ like %@", "firstName", "Adam") == #""firstName" LIKE "Adam""#)
    #expect(try printed("SELF like[c] %@*%@", "a", "b") == #"SELF LIKE[c] "a" * "b""#)
    #expect(try printed("a == %d AND b < %ld", Int32(3), 4) == "a == 3 AND b < 4")
    #expect(try printed("a == %@", true) == "a == 1")
    #expect(try printed("a == %@", nil) == "a == nil")
    #expect(try printed("a == %@", NSNull()) == "a == nil")
    #expect(try printed("x IN %@", [1, 2]) == "x IN {1, 2}")
    #expect(try printed("x BETWEEN %@", NSArray(array: [1, 2])) == "x BETWEEN {1, 2}")
    #expect(
      try printed("folder.%K == 1 AND $n.%K == 2", "name", "stars")
        == "folder.name == 1 AND $n.stars == 2"
    )
    #expect(try printed("%K.@count == 0", "tags") == "tags.@count == 0")
    #expect(try printed("%K == 1", "tags.@count") == "tags.@count == 1")
    #expect(try printed("%K == 1", "SELF") == "#SELF == 1")
    #expect(try printed("%K == 1", "self.title") == "title == 1")
    #expect(
      try printed("%K like %@+$b+$c", "$single", "b\"") == #"$single LIKE ("b\"" + $b) + $c"#
    )
    let date = Date(timeIntervalSinceReferenceDate: 631_152_000)
    #expect(try printed("date < %@", date) == #"date < CAST(631152000.000000, "NSDate")"#)
    let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000A"))
    #expect(try printed("id == %@", id) == "id == 00000000-0000-0000-0000-00000000000A")
  }

  @Test func `every specifier of C takes its number or its text`() throws {
    for specifier in [
      "d", "i", "u", "x", "X", "o", "D", "U", "O", "ld", "lld", "lu", "llu", "qd", "qi", "hi",
      "hhd",
      "zd", "f", "F", "e", "E", "g", "G", "a", "A", "5.2f", "c", "C",
    ] {
      #expect(try printed("a == %\(specifier)", 65) == "a == 65")
      #expect(try printed("a == %\(specifier)", UInt8(65)) == "a == 65")
    }
    for number in [Float(1.5), NSNumber(value: 1.5), Decimal(1.5)] as [Any] {
      #expect(try printed("a == %f", number) == "a == 1.5")
    }
    #expect(try printed("a == %s AND b == %S", "x", "y" as NSString) == #"a == "x" AND b == "y""#)
    #expect(try printed("a == %c", Character("x")) == #"a == "x""#)
    #expect(try printed("a == %p", "x") == #"a == "x""#)
    let bytes: [CChar] = [0x78, 0x79, 0]
    let units: [UInt16] = [0xD83D, 0xDE00, 0]
    let narrow = try bytes.withUnsafeBufferPointer { try printed("a == %s", $0.baseAddress) }
    let wide = try units.withUnsafeBufferPointer { try printed("a == %S", $0.baseAddress) }
    #expect(narrow == #"a == "xy""# && wide == #"a == "😀""#)
  }

  @Test func `a list of arguments is taken in order, and more than enough is enough`() {
    let list = NSPredicate(format: "%K == %@ AND %K < %d", argumentArray: ["a", "x", "b", 3, 4])
    #expect(list.description == #"a == "x" AND b < 3"#)
  }

  @Test func `expressions and predicates can be arguments`() throws {
    let path = NSExpression(forKeyPath: "folder")
    #expect(try printed("%@.name == 'Work'", path) == #"folder.name == "Work""#)
    let old = NSPredicate(format: "stars > 3 AND done == YES")
    #expect(
      try printed("title == 'x' AND %@", old) == #"title == "x" AND (stars > 3 AND done == 1)"#
    )
    #expect(
      try printed("TERNARY(%@, 1, 2) == 1", old) == "TERNARY(stars > 3 AND done == 1, 1, 2) == 1"
    )
    let young = NSPredicate(format: "stars < 3")
    #expect(try printed("title == 'x' AND %@", young) == #"title == "x" AND stars < 3"#)
  }

  @Test func `SELF and a key are one key path`() throws {
    #expect(
      try PredicateFormat.expression("SELF.folder.name")
        == .keyPath(base: .evaluatedObject, names: ["folder", "name"])
    )
    #expect(try PredicateFormat.expression("folder.name").names == ["folder", "name"])
    #expect(try PredicateFormat.expression("SELF") == .evaluatedObject)
  }

  @Test func `a long conjunction is one list`() throws {
    let format = (0..<20_000).map { "a == \($0)" }.joined(separator: " OR ")
    guard case .or(let terms) = try PredicateFormat.predicate(format) else {
      Issue.record("not a disjunction")
      return
    }
    #expect(terms.count == 20_000)
  }
}

// MARK: - Errors

struct ParsingErrorTests {
  @Test(arguments: [
    ("title ==", 8, "expected a value at the end"),
    ("", 0, "expected a value at the end"),
    ("title == )", 9, #"expected a value at position 9, found ")""#),
    ("title == 'x", 9, "the text that begins here has no closing quote, at position 9"),
    ("1", 1, "expected a comparison, found only a value at the end"),
    ("0 || 1", 2, #"expected a comparison, found only a value before "||" at position 2"#),
    ("TRUE", 4, "expected a comparison, found only a value at the end"),
    ("a == 1 b", 7, #"expected AND, OR or the end at position 7, found "b""#),
    ("a == 1 == 2", 7, #"expected a value, found a whole comparison before "==" at position 7"#),
    ("a == (b == 1)", 13, "expected a value, found a whole comparison at the end"),
    ("(a == 1", 7, #"expected ")" at the end"#),
    ("a ==[q] 1", 5, #"the option "q" is not one of c, d, n, l and w at position 5"#),
    (
      "a % 2 == 0", 2,
      "expected %@ for a value, %K for a key path, or a number's specifier such as %ld at position 2"
    ),
    (
      "a == %k", 5,
      "expected %@ for a value, %K for a key path, or a number's specifier such as %ld at position 5"
    ),
    (
      "in == 3", 0,
      #"expected a value (a key of that name is written #in) at position 0, found "in""#
    ),
    ("foo:(1) == 1", 0, #"there is no function "foo:" at position 0"#),
    ("now(1) == 1", 0, #""now" takes 0 arguments, 1 were given at position 0"#),
    (
      "CAST(a, 'Note') == 1", 8,
      #"cannot cast to "Note", only to NSDate, NSNumber, NSDecimalNumber, NSString, NSUUID, NSURL, at position 8"#
    ),
    (
      "SELF isKindOfClass: 'x'", 5,
      #"the operator "isKindOfClass:" calls a method by its name; use a block predicate at position 5"#
    ),
    (
      "SUBQUERY(notes, n, n == 1).@count > 0", 16,
      #"expected a variable such as $note at position 16, found "n""#
    ),
    ("ANY notes.stars", 15, "expected a comparison at the end"),
    ("a == 12abc", 7, #"a number ends at "12", a key begins with a letter; at position 7"#),
    (
      "a == 0xFFFFFFFFFFFFFFFFFF", 5,
      #""0xFFFFFFFFFFFFFFFFFF" is not a whole number of 64 bits at position 5"#
    ),
    ("a == $", 6, "expected a variable's name at the end"),
    ("a == 1e3080", 5, #""1e3080" is larger than any number at position 5"#),
    (
      "a == %y", 5,
      "expected %@ for a value, %K for a key path, or a number's specifier such as %ld at position 5"
    ),
    ("a == 1 ;", 7, #"did not expect ";" at position 7"#),
    ("a == %@", 5, "%@ at position 5 has no argument: 0 were given"),
  ])
  func `an error names the place and the remedy`(
    format: String,
    position: Int,
    problem: String
  ) throws {
    let error = try #require(throws: PredicateFormatError.self) {
      try PredicateFormat.predicate(format)
    }
    #expect(error.description == "cannot parse \"\(format)\": \(problem)")
    #expect(error.position == position)
  }

  @Test func `a format with thousands of arguments was read for many seconds`() throws {
    let term = "title == %@"
    let format = Array(repeating: term, count: 3_000).joined(separator: " OR ")
    let arguments = (0..<3_000).map { "Note \($0)" as Any? }
    guard case .or(let terms) = try PredicateFormat.predicate(format, arguments: arguments) else {
      Issue.record("it is no OR")
      return
    }
    #expect(terms.count == 3_000)
    let error = try #require(throws: PredicateFormatError.self) {
      try PredicateFormat.predicate(format, arguments: Array(arguments.dropLast()))
    }
    #expect(error.position == 2_999 * (term.count + 4) + 9)
  }

  @Test func `an argument of the wrong kind is named`() throws {
    func problem(_ format: String, _ arguments: Any?...) throws -> String {
      try #require(throws: PredicateFormatError.self) {
        try PredicateFormat.predicate(format, arguments: arguments)
      }.problem
    }
    #expect(
      try problem("%K == 1", 3)
        == "%K at position 0 expects a key path as a text, its argument is the number 3"
    )
    #expect(
      try problem("a == %d", "x")
        == #"%d at position 5 expects a number, its argument is the text "x""#
    )
    #expect(
      try problem("a == %s", 3)
        == "%s at position 5 expects a text, its argument is the number 3"
    )
    #expect(
      try problem("a == %c", "xy")
        == #"%c at position 5 expects a character or its number, its argument is the text "xy""#
    )
    #expect(
      try problem("a == %@ AND b == %@", 1) == "%@ at position 17 has no argument: 1 were given"
    )
    #expect(
      try problem("%@ == 1", NSPredicate(value: true))
        == "expected a value, found a whole comparison before \"==\" at position 3"
    )
  }

  @Test func `deep nesting is an error, not a crash`() async throws {
    let parentheses = String(repeating: "(", count: 100_000) + "a == 1"
    let signs = "a == " + String(repeating: "- ", count: 100_000) + "b"
    let negations = String(repeating: "NOT ", count: 100_000) + "a == 1"
    let chain = "a == 1" + String(repeating: " + 1", count: 100_000)
    let brackets = "a" + String(repeating: "[0]", count: 100_000) + " == 1"
    for format in [parentheses, signs, negations, chain, brackets] {
      let error = try #require(throws: PredicateFormatError.self) {
        try PredicateFormat.predicate(format)
      }
      #expect(error.problem.hasPrefix("more than"))
    }
  }

  @Test func `nesting up to the limit goes all the way through`() async throws {
    let format =
      String(repeating: "(", count: 190) + "1" + String(repeating: " + 1)", count: 190) + " == 191"
    #expect(try PredicateFormat.predicate(format).evaluate(with: nil))
    let chain = "1" + String(repeating: " + 1", count: 499) + " == 500"
    let tree = try PredicateFormat.predicate(chain)
    #expect(try tree.evaluate(with: nil))
    #expect(tree.canonical == tree)
  }
}
