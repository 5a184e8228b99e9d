import CoreDataPredicates
import Foundation
import Testing

struct EvaluationTests {
  /// One note in a folder, as plain objects.
  static let swift = Tag("swift")
  static let note = Note(
    "Über Swift",
    stars: 4,
    date: Date(timeIntervalSinceReferenceDate: 1000),
    folder: Folder("Work", notes: [Note("A", stars: 1), Note("B", stars: 5), Note(nil, stars: 3)]),
    tags: [swift, Tag("linux")]
  )

  @Test(arguments: [
    // Equality and order
    ("stars == 4", true),
    ("stars = 4.0", true),
    ("stars != 4", false),
    ("stars > 3 AND stars < 5", true),
    ("stars >= 4 AND stars <= 4", true),
    ("title == 'Über Swift'", true),
    ("title == 'über swift'", false),
    ("title ==[c] 'über swift'", true),
    ("title ==[cd] 'uber swift'", true),
    ("title !=[cd] 'uber swift'", false),
    ("title <[cd] 'v'", true),
    ("date == CAST(1000, 'NSDate')", true),
    ("date < CAST(1000.5, 'NSDate')", true),
    ("CAST('2001-01-02', 'NSDate') == CAST(86400, 'NSDate')", true),
    ("CAST('2001-01-01T00:00:10.5Z', 'NSDate') == CAST(10.5, 'NSDate')", true),
    ("date < now()", true),
    ("date + 1 > date AND date - 1 < date", true),
    ("date + 60 == CAST(1060, 'NSDate') AND CAST(940, 'NSDate') == date - 60", true),
    ("date + 60 BETWEEN {CAST(1059, 'NSDate'), CAST(1061, 'NSDate')}", true),
    ("date + 60 IN {CAST(0, 'NSDate'), CAST(1060, 'NSDate')}", true),
    ("date == 1000", false),
    ("SELF == SELF", true),
    ("folder.name == 'Work'", true),
    // Nil
    ("folder != nil", true),
    ("folder.notes == nil", false),
    ("nil == nil", true),
    ("nil < 1 OR nil > 1 OR nil <= 1 OR nil >= 1", false),
    ("nil != 1", true),
    ("nil BEGINSWITH 'a' OR nil LIKE '*' OR nil CONTAINS 'a' OR 'a' IN nil", false),
    // Texts
    ("title BEGINSWITH 'Über'", true),
    ("title BEGINSWITH 'über'", false),
    ("title BEGINSWITH[cd] 'uber'", true),
    ("title ENDSWITH 'Swift'", true),
    ("title ENDSWITH[c] 'SWIFT'", true),
    ("title CONTAINS 'er S'", true),
    ("title CONTAINS ''", true),
    ("title CONTAINS 'swift'", false),
    ("title CONTAINS[c] 'swift'", true),
    ("title CONTAINS[n] 'swift'", false),
    ("'Swift' IN title", true),
    ("'swift' IN[c] title", true),
    ("title LIKE '?ber*'", true),
    ("title LIKE '*Sw'", false),
    ("title LIKE[cd] 'u*S*t'", true),
    ("'a*b' LIKE 'a\\\\*b' AND NOT 'acb' LIKE 'a\\\\*b'", true),
    ("'a' LIKE '[a-c]'", false),
    ("title == '*'", false),
    ("title MATCHES '.*Swift'", true),
    ("title MATCHES 'Swift'", false),
    ("title MATCHES[cd] 'uber.*'", true),
    ("'ab' MATCHES 'a|ab'", true),
    ("title.length == 10", true),
    // Lists
    ("stars IN {1, 4}", true),
    ("stars IN {1, 3}", false),
    ("4.0 IN {1, 4}", true),
    ("{1, 4} CONTAINS stars", true),
    ("title IN[cd] {'uber swift'}", true),
    ("stars BETWEEN {4, 5} AND stars BETWEEN {1, 4}", true),
    ("stars BETWEEN {stars, stars}", true),
    ("stars BETWEEN {5, 9}", false),
    ("nil BETWEEN {1, 2}", false),
    // Collections
    ("ANY tags.name == 'swift'", true),
    ("ANY tags.name == 'cobol'", false),
    ("ANY tags.name IN {'cobol', 'linux'}", true),
    ("NONE tags.name == 'cobol'", true),
    ("ALL folder.notes.stars > 0", true),
    ("ALL folder.notes.stars > 1", false),
    ("ANY nil == 1", false),
    ("ALL nil == 1", true),
    ("ALL {} == 1 AND NOT ANY {} == 1", true),
    ("tags.@count == 2 AND tags[SIZE] == 2", true),
    ("folder.notes.@sum.stars == 9", true),
    ("folder.notes.@avg.stars == 3", true),
    ("folder.notes.@min.stars == 1", true),
    ("folder.notes.@max.stars == 5", true),
    ("folder.notes.@max.title == 'B'", true),
    ("folder.notes.@unionOfObjects.title == {'A', 'B'}", true),
    ("folder.notes.@distinctUnionOfObjects.stars.@count == 3", true),
    ("folder.notes.title == {'A', 'B', nil}", true),
    ("folder.notes[0].title == 'A' AND folder.notes[LAST].stars == 3", true),
    ("folder.notes[9] == nil", true),
    ("SUBQUERY(folder.notes, $n, $n.stars > 2).@count == 2", true),
    ("SUBQUERY(folder.notes, $n, $n.stars > 2 AND $n.title != nil).title == {'B'}", true),
    (
      "SUBQUERY(folder.notes, $n, SUBQUERY(tags, $t, $t.name == 'swift').@count > $n.stars - 1)"
        + "[SIZE] == 1",
      true
    ),
    ("({1, 2} UNION {2, 3}).@count == 3", true),
    ("({1, 2} INTERSECT {2, 3}) CONTAINS 2", true),
    ("({1, 2} MINUS {2, 3}) CONTAINS 2", false),
    // Compounds
    ("TRUEPREDICATE AND NOT FALSEPREDICATE", true),
    ("stars == 1 OR stars == 4", true),
    ("stars == 4 OR nowhere == 1", true),
    ("stars == 1 AND nowhere == 1", false),
    ("TERNARY(stars > 3, 'many', 'few') == 'many'", true),
    ("($x := 5) == 5 AND $x + 1 == 6", true),
  ])
  func `a note answers`(format: String, expected: Bool) throws {
    #expect(try holds(format, for: Self.note) == expected)
  }

  @Test func `an expression that repeats repetitions tried for years`() throws {
    let text = String(repeating: "a", count: 60) + "b"
    let error = #expect(throws: EvaluationError.self) {
      try holds("title MATCHES '(a+)+$'", for: ["title": text])
    }
    #expect(error?.isLimit == true)
    #expect(error?.description.contains("a text of 61 characters") == true)
    #expect(!NSPredicate(format: "title MATCHES '(a+)+$'").evaluate(with: ["title": text]))
    // A long text that fits is not a reason to give up.
    let long = String(repeating: "ab ", count: 100_000)
    #expect(try holds("title MATCHES '([a-z]+ ?)+'", for: ["title": long]))
    #expect(try holds("title MATCHES '.*b .*'", for: ["title": long]))
  }

  @Test(arguments: [
    ("3 * 5 + 2", 17 as any Sendable),
    ("2 + 3 * 5", 17),
    ("2 ** 10", 1024),
    ("5 / 2", 2),
    ("5 / 2.5", 2),
    ("5.0 / 2", 2.5),
    ("1 << 3", 8),
    ("6 & 3", 2),
    ("6 | 3", 7),
    ("6 ^ 3", 5),
    ("~0", -1),
    ("-(3)", -3),
    ("modulus:by:(7, 3)", 1),
    ("abs(-3)", 3),
    ("floor(1.5)", 1),
    ("ceiling(1.5)", 2),
    ("trunc(-1.5)", -1),
    ("sqrt(16)", 4),
    ("ln(1)", 0),
    ("log(1000)", 3),
    ("exp(0)", 1),
    ("raise:toPower:(2, 0.5)", 2.0.squareRoot()),
    ("sum({1, 2, 3})", 6),
    ("sum(1, 2, 3)", 6),
    ("count({1, nil})", 2),
    ("min({3, 1, 2})", 1),
    ("max({3, nil, 2})", 3),
    ("average({1, 2})", 1.5),
    ("sum({'12', ' 3.5 apples', 'none', 2})", 17.5),
    ("average({'1', '2'})", 1.5),
    ("median({5, 1, 3})", 3),
    ("median({1, 2, 3, 4})", 2.5),
    ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", 2),
    ("uppercase('über')", "ÜBER"),
    ("lowercase('ÜBER')", "über"),
    ("canonical('ÜBER')", "uber"),
    ("length('über')", 4),
    ("noindex(3)", 3),
    ("CAST('12', 'NSNumber')", 12),
    ("CAST(12, 'NSString')", "12"),
    ("CAST(CAST(60, 'NSDate'), 'NSNumber') - 60", 0),
    ("FUNCTION('note', 'uppercaseString')", "NOTE"),
    ("FUNCTION('note', 'stringByAppendingString:', 's')", "notes"),
    ("FUNCTION(CAST(0, 'NSDate'), 'dateByAddingTimeInterval:', 9) == nil", false),
    ("9223372036854775807 + 1", 9_223_372_036_854_775_808.0),
  ])
  func `an expression gives`(format: String, expected: any Sendable) throws {
    if let expected = expected as? Bool {
      #expect(try holds(format) == expected)
    } else {
      #expect(Constant(try value(format)) == Constant(expected))
    }
  }

  @Test func `nothing comes of nothing`() throws {
    #expect(try value("1 + nil") == nil)
    #expect(try value("1 / 0") == nil)
    #expect(try value("modulus:by:(1, 0)") == nil)
    #expect(try value("uppercase(nil)") == nil)
    #expect(try value("average({})") == nil)
    #expect(try value("folder.name") == nil)
    #expect(try value("sqrt(-1)") == nil && value("ln(-1)") == nil && value("log(-1)") == nil)
    #expect(try value("raise:toPower:(-8, 0.5)") == nil && value("0.0 / 0.0") == nil)
    #expect(Constant(try value("1.0 / 0")) == Constant(Double.infinity))
  }

  @Test func `the modes are the numbers that come most often`() throws {
    #expect(Constant(try value("mode({1, 2, 2, 3, 3})")) == Constant([2, 3]))
  }

  @Test func `random numbers stay in their range`() throws {
    #expect(try holds("random() >= 0 AND random() < 1 AND randomn(5) BETWEEN {0, 4}"))
  }
}

// MARK: - Numbers

struct NumberTests {
  @Test func `numbers of all kinds are equal by value`() throws {
    let ones: [Any] = [
      1, Int8(1), Int16(1), Int32(1), Int64(1), UInt(1), UInt8(1), UInt64(1), 1.0, Float(1), true,
      Decimal(1), NSNumber(value: 1), NSNumber(value: 1.0), NSNumber(value: true),
      NSDecimalNumber(value: 1), Int?.some(1) as Any,
    ]
    for one in ones {
      for other in ones {
        #expect(try holds("%@ == %@", for: nil, one, other), "\(type(of: one)) \(type(of: other))")
        #expect(try !holds("%@ < %@", for: nil, one, other))
        #expect(Constant(one).hashValue == Constant(other).hashValue)
      }
      #expect(try holds("%@ < %@", for: nil, one, 2) && holds("%@ > %@", for: nil, one, 0.5))
    }
  }

  @Test func `large integers and doubles are compared exactly`() throws {
    let big = Int64.max
    #expect(try holds("%@ < %@", for: nil, big, Double(big)))
    #expect(try !holds("%@ == %@", for: nil, NSNumber(value: big), NSNumber(value: Double(big))))
    #expect(try holds("%@ == %@", for: nil, Int64.min, Double(Int64.min)))
    #expect(try holds("%@ > %@", for: nil, UInt64.max, Int64.max))
    #expect(try holds("%@ > %@", for: nil, UInt64.max, big))
    #expect(try holds("%@ < %@", for: nil, UInt64.max, Double(UInt64.max)))
    #expect(try holds("%@ < %@", for: nil, (1 << 53) as Int, Double(1 << 53) + 2))
    #expect(try holds("%@ > %@", for: nil, (1 << 53) + 1, Double(1 << 53)))
    #expect(try holds("%@ > %@", for: nil, 3, 2.5) && holds("%@ < %@", for: nil, -3, -2.5))
    #expect(try holds("%@ > %@", for: nil, 0, -Double.infinity))
  }

  @Test func `decimals are compared exactly, and with doubles as they are spelled`() throws {
    let tenth = try #require(Decimal(string: "0.1"))
    #expect(try holds("%@ == %@", for: nil, tenth, 0.1))
    #expect(try holds("%@ == 0.1", for: nil, NSDecimalNumber(decimal: tenth)))
    #expect(try holds("%@ + %@ == 0.2", for: nil, tenth, tenth))
    let precise = try #require(Decimal(string: "12345678901234567890.123456789"))
    let next = try #require(Decimal(string: "12345678901234567890.123456790"))
    #expect(try holds("%@ < %@", for: nil, precise, NSDecimalNumber(decimal: next)))
    #expect(try holds("%@ < 1e300 AND %@ > -1e300", for: nil, precise, precise))
    #expect(Constant(tenth).hashValue == Constant(0.1).hashValue)
    #expect(Constant(precise) != Constant(next))
  }

  @Test func `what is not a number has no order`() throws {
    #expect(try !holds("%@ < 1", for: nil, Double.nan) && !holds("%@ >= 1", for: nil, Double.nan))
    #expect(Constant(Double.nan) == Constant(Double.nan))
    #expect(Constant(Double.nan).hashValue == Constant(Decimal.nan).hashValue)
  }

  @Test func `collections may hold decimal numbers`() throws {
    let prices = NSArray(array: [NSDecimalNumber(string: "1.5"), NSDecimalNumber(string: "2.5")])
    #expect(Constant(try value("SELF.@sum.self", for: prices)) == Constant(4))
    #expect(try holds("@distinctUnionOfObjects.self.@count == 2", for: prices))
    #expect(try holds("1.5 IN SELF", for: prices))
    let ordered = NSOrderedSet(array: [["price": prices[0]], ["price": prices[1]]])
    #expect((try value("price", for: ordered) as? [Any])?.count == 2)
    #expect((try value("SELF UNION {3}", for: prices) as? Set<AnyHashable>)?.count == 3)
  }
}

// MARK: - Values

struct ValueTests {
  @Test func `Swift's and Foundation's types are one`() throws {
    let id = UUID()
    let url = try #require(URL(string: "https://notes.example/1"))
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let data = Data([1, 2])
    let pairs: [(Any, Any)] = [
      ("a", "a" as NSString), (id, id as NSUUID), (url, url as NSURL), (date, date as NSDate),
      (data, data as NSData), ([1, 2], NSArray(array: [1, 2])), (Set([1]), NSSet(array: [1])),
      ("a", "abc".prefix(1)), ("a", Character("a")), (Optional(Optional("a")) as Any, "a"),
      (AnyHashable(3), 3), (ArraySlice([1]), [1]),
    ]
    for (one, other) in pairs {
      #expect(try holds("%@ == %@", for: nil, one, other))
      #expect(try holds("%@ IN {1, %@}", for: nil, one, other))
      #expect(Constant(one).hashValue == Constant(other).hashValue)
    }
    #expect(try holds("%@ < %@", for: nil, data, Data([1, 3])))
    #expect(try holds("%@ < %@", for: nil, date, date.addingTimeInterval(1) as NSDate))
  }

  @Test func `nil in every shape is nil`() throws {
    for empty in [nil, NSNull(), String?.none as Any, Optional(Int?.none) as Any] as [Any?] {
      #expect(try holds("%@ == nil", for: nil, empty))
      #expect(try !holds("%@ == 0", for: nil, empty))
      #expect(Constant(empty).isNil)
    }
  }

  @Test func `sets are equal in any order, lists are not`() throws {
    #expect(try holds("%@ == %@", for: nil, Set([1, 2, 3]), NSSet(array: [3, 2, 1])))
    #expect(try !holds("%@ == %@", for: nil, [1, 2], [2, 1]))
    #expect(try !holds("%@ == %@", for: nil, [1, 2], Set([1, 2])))
    #expect(try holds("%@ == %@", for: nil, NSOrderedSet(array: [1]), NSOrderedSet(array: [1.0])))
  }

  @Test func `dictionaries answer to their keys`() throws {
    let swift: [String: Any] = ["title": "A", "folder": ["name": "Work"], "tags": ["x", "y"]]
    let foundation = NSDictionary(dictionary: swift)
    for note in [swift, foundation] as [Any] {
      #expect(try holds("title == 'A' AND folder.name == 'Work'", for: note))
      #expect(try holds("tags.@count == 2 AND nowhere == nil AND 'x' IN tags", for: note))
      #expect(try holds("SELF['title'] == 'A' AND tags[1] == 'y'", for: note))
      #expect(try holds("@count == 3", for: note))
    }
    #expect(try holds("ANY SELF.title == 'A'", for: [swift]))
  }

  @Test func `an object can tell its own keys`() throws {
    let note = KeyedNote(["title": "A", "self": "never asked"])
    #expect(try holds("title == 'A' AND stars == nil", for: note))
  }

  @Test func `paths through lists keep nil, those through sets drop it`() throws {
    let notes = [Note("A"), Note(nil), Note("A")]
    #expect(Constant(try value("title", for: notes)) == Constant(["A", nil, "A"]))
    let set = NSSet(array: [["title": "A"], ["title": "A", "stars": 1], ["stars": 2]])
    #expect(try value("title", for: set) as? Set<AnyHashable> == ["A"])
    #expect(try holds("title.@count == 1", for: set))
  }

  @Test func `paths through two collections are flat`() throws {
    let folders = [
      Folder("A", notes: [Note("1"), Note("2")]), Folder("B", notes: [Note("3")]),
    ]
    #expect(Constant(try value("notes.title", for: folders)) == Constant(["1", "2", "3"]))
    #expect(try holds("ANY notes.title == '3' AND notes.@count == 3", for: folders))
  }

  @Test func `identities are compared where there are some`() throws {
    struct Stored: ComparedByIdentity {
      let comparedIdentity: AnyHashable
    }
    #expect(
      try holds("%@ == %@", for: nil, Stored(comparedIdentity: 1), Stored(comparedIdentity: 1))
    )
    #expect(
      try !holds("%@ == %@", for: nil, Stored(comparedIdentity: 1), Stored(comparedIdentity: 2))
    )
  }
}

// MARK: - Rules

struct EvaluationRuleTests {
  @Test func `texts are ordered and told apart by their bytes, as SQLite does`() throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    #expect(try !holds("%@ == %@", for: nil, composed, decomposed))
    #expect(try holds("%@ < %@", for: nil, decomposed, composed))
    #expect(try holds("%@ < %@", for: nil, "\u{FFFF}", "\u{10000}"))
    #expect(try holds("%@ < %@ AND %@ < %@", for: nil, "Z", "a", "a", "ab"))
    let title = NSSortDescriptor(key: "self", ascending: true)
    #expect(title.compare(decomposed, to: composed) == .orderedAscending)
    #expect(title.compare("\u{FFFF}", to: "\u{10000}") == .orderedAscending)
  }

  @Test func `a collection has no order and is no text`() throws {
    let note = EvaluationTests.note
    for format in [
      "tags.name > 3", "tags.name <= 'z'", "tags.name BEGINSWITH 's'", "tags.name LIKE '*'",
      "tags.name == 'swift'", "tags.name BETWEEN {'a', 'z'}", "3 > tags.name",
    ] {
      #expect(try !holds(format, for: note), "\(format)")
    }
    #expect(try holds("tags.name != 'swift'", for: note))
  }

  @Test func `ten thousand notes ask for a hundred thousand ids in a moment`() throws {
    let ids = (0..<100_000).map { "id-\($0)" }
    let predicates = [
      try PredicateFormat.predicate("SELF IN %@", arguments: [ids]),
      try PredicateFormat.predicate("%@ CONTAINS SELF", arguments: [NSSet(array: ids)]),
      try PredicateFormat.predicate("SELF IN[c] %@", arguments: [ids.map { $0.uppercased() }]),
    ]
    for predicate in predicates {
      let time = try ContinuousClock().measure {
        let found = try (95_000..<105_000).filter { try predicate.evaluate(with: "id-\($0)") }
        #expect(found.count == 5_000)
      }
      #expect(time < .seconds(20))
    }
  }

  @Test func `members of a constant collection are found by value`() throws {
    #expect(try holds("%@ IN %@", for: nil, 1.0, [1, "a", nil] as [Any?]))
    #expect(try holds("nil IN %@", for: nil, [1, "a", NSNull()] as [Any]))
    #expect(try holds("'Ä' IN[cd] %@", for: nil, NSOrderedSet(array: ["a", "b"])))
    #expect(try !holds("'Ä' IN[c] %@", for: nil, ["a", "b"]))
    #expect(try holds("%@ IN %@", for: nil, Double.nan, [Double.nan]))
    #expect(try !holds("%@ IN %@", for: nil, 1, [[1]]))
    #expect(try holds("%@ IN %@", for: nil, [1], [[1.0]]))
    #expect(try !holds("%@ IN %@", for: nil, 1, [Int]()))
    // A decimal equals the double that is written so, which means another whole number here.
    let decimal = try #require(Decimal(string: "4611686018427388000"))
    #expect(try holds("%@ IN %@", for: nil, decimal, [4_611_686_018_427_387_904.0]))
  }

  @Test func `numbers at their ends neither trap nor wrap`() throws {
    #expect(Constant(try value("(-2) ** 63")) == Constant(Double(Int64.min)))
    #expect(Constant(try value("abs(%@)", for: nil, Int.min)) == Constant(9.223372036854775808e18))
    #expect(Constant(try value("%@ / -1", for: nil, Int.min)) == Constant(9.223372036854775808e18))
    #expect(Constant(try value("modulus:by:(%@, -1)", for: nil, Int.min)) == Constant(0))
    #expect(Constant(try value("1 << 64")) == Constant(0))
    #expect(Constant(try value("-1 >> 200")) == Constant(-1))
    #expect(Constant(try value("%@ | 0", for: nil, 1e300)) == Constant(Int.max))
    #expect(Constant(try value("sum(%@, 1)", for: nil, Int.max)) == Constant(Double(Int.max) + 1))
    #expect(Constant(try value("~%@", for: nil, Int.max)) == Constant(Int.min))
    #expect(try value("randomn(-3)") == nil)
  }

  /// Values are data, whatever they contain.
  @Test(arguments: [
    "O'Brien", "\"", "\\", "'; DROP TABLE notes; --", "\" OR \"\" == \"", "%@", "%K %d %", "100%",
    "_", "a_c", "*", "?", "$x", "#in", "@count", "a\0b", "\0", "😀", "🇩🇪👩‍👩‍👧", "e\u{301}", "\n\r\t",
    "\u{202E}", "SELF", "nil", "TRUEPREDICATE",
  ])
  func `a value stays a value`(text: String) throws {
    let note = ["title": text, "other": "x\(text)y"]
    let formats = [
      "title == %@", "title IN %@", "title BEGINSWITH %@", "title ENDSWITH %@", "other CONTAINS %@",
      "other CONTAINS[cd] %@", "title ==[n] %@",
    ]
    for format in formats {
      let argument: Any = format.contains(" IN ") ? [text] : text
      let predicate = try NSPredicate(parsing: format, arguments: [argument])
      #expect(predicate.evaluate(with: note), "\(format)")
      let other = ["title": "~~~", "other": "~~~"]
      #expect(!predicate.evaluate(with: other), "\(format)")
      let again = try NSPredicate(parsing: predicate.description)
      #expect(again == predicate && again.evaluate(with: note), "\(format)")
    }
    let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "*", with: "\\*").replacingOccurrences(of: "?", with: "\\?")
    #expect(try holds("title LIKE %@", for: note, escaped))
    #expect(try holds("title MATCHES %@", for: note, NSRegularExpression.escapedPattern(for: text)))
    let key = ["k\(text.filter { $0 != "." })": 1]
    #expect(try holds("%K == 1", for: key, "k\(text.filter { $0 != "." })"))
  }
}

// MARK: - Errors

struct EvaluationErrorTests {
  @Test(arguments: [
    ("title < 3", #"cannot compare the text "Über Swift" with the number 3 in: title < 3"#),
    ("nowhere == 1", #"an object of the class Note has no value for the key "nowhere""#),
    ("title.nowhere == 1", #"the text "Über Swift" has no value for the key "nowhere""#),
    ("title == $x", "the variable $x has no value; pass one in the substitution variables"),
    (
      "stars BEGINSWITH 'a'",
      #"BEGINSWITH expects two texts, not the number 4 and the text "a" in: stars BEGINSWITH "a""#
    ),
    (
      "title IN stars",
      "IN expects a collection, or two texts, not the number 4 and the text \"Über Swift\" in: title IN stars"
    ),
    (
      "stars BETWEEN 3",
      "BETWEEN expects two bounds such as {1, 5}, not the number 3 in: stars BETWEEN 3"
    ),
    ("title MATCHES '['", #""[" is not a regular expression"#),
    ("ANY stars == 1", "ANY and ALL expect a collection, stars is the number 4 in: ANY stars == 1"),
    (
      "tags.@best.name == 1",
      "there is no operator @best, only @count, @sum, @avg, @min, @max, @unionOfObjects, @distinctUnionOfObjects, @unionOfArrays, @distinctUnionOfArrays, @unionOfSets, @distinctUnionOfSets"
    ),
    ("tags.@sum == 1", "@sum needs a key behind it, such as @sum.stars or @sum.self"),
    ("tags.@sum.self == 1", "@sum expects numbers, not "),
    ("1 + title == 1", #""add:to:" expects a number, not the text "Über Swift""#),
    (
      "FUNCTION(title, 'explode:', 1) == 1", #"the text "Über Swift" does not answer to "explode:""#
    ),
    (
      "FUNCTION(title, 'hasPrefix:', nil) == 1",
      #"the argument of "hasPrefix:" is nil; the text "Über Swift" needs one that is not"#
    ),
    (
      "FUNCTION(now(), 'timeIntervalSinceDate:', nil) < 1",
      #"the argument of "timeIntervalSinceDate:" is nil"#
    ),
    ("ANYKEY == 1", "ANYKEY names every key of a Spotlight query; it has no value here"),
    (
      "FETCH(title, SELF, NO) == 1",
      "FETCH needs a managed object context, SELF is an object of the class Note"
    ),
  ])
  func `an error is a sentence`(format: String, expected: String) throws {
    let error = try #require(throws: EvaluationError.self) {
      _ = try holds(format, for: EvaluationTests.note)
    }
    #expect(error.description.hasPrefix(expected))
  }
}
