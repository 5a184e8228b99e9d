import CoreDataPredicates
import Foundation
import Testing

/// Tests of the answers of every kind of value to key paths.
struct KeyValueCodingTests {
  private static let notes: [[String: any Sendable]] = [
    ["title": "a", "stars": 1, "tags": ["x", "y"]], ["title": "b", "tags": ["y"]],
    ["title": "a", "stars": 4, "tags": [String]()],
  ]

  @Test(arguments: [
    ("@count", 3 as any Sendable),
    ("@sum.stars", 5),
    ("@avg.stars", 2.5),
    ("@min.stars", 1),
    ("@max.stars", 4),
    ("@max.title", "b"),
    ("title", ["a", "b", "a"]),
    ("@unionOfObjects.title", ["a", "b", "a"]),
    ("@distinctUnionOfObjects.title", ["a", "b"]),
    ("@unionOfObjects.stars", [1, 4]),
    ("@unionOfArrays.tags", ["x", "y", "y"]),
    ("@distinctUnionOfArrays.tags", ["x", "y"]),
    ("@unionOfObjects.title.@count", 3),
    ("tags.@count", 3),
    ("@distinctUnionOfArrays.tags.length", [1]),
  ])
  func `a list of notes answers`(path: String, expected: any Sendable) throws {
    for list in [Self.notes as Any, NSArray(array: Self.notes)] {
      #expect(Constant(try value(path, for: list)) == Constant(expected), "\(type(of: list))")
    }
  }

  @Test func `lists keep a place for nil, sets and ordered sets do not`() throws {
    let list = try value("stars", for: Self.notes) as? [Any]
    #expect(list?.count == 3 && list?[1] is NSNull)
    let ordered = try value("stars", for: NSOrderedSet(array: Self.notes))
    #expect((ordered as? NSOrderedSet)?.count == 2)
    let set = try value("stars", for: NSSet(array: Self.notes))
    #expect(Constant(set) == Constant(Set([1, 4])))
    #expect(
      Constant(try value("@distinctUnionOfSets.self", for: Set([Set([1, 2]), [2]])))
        == Constant(Set([1, 2]))
    )
  }

  @Test func `sums of nothing are nothing, the least of nothing is nil`() throws {
    let none: [[String: Any]] = []
    #expect(Constant(try value("@sum.stars", for: none)) == Constant(0))
    #expect(Constant(try value("@avg.stars", for: none)) == Constant(0))
    #expect(try value("@min.stars", for: none) == nil)
    #expect(Constant(try value("@unionOfObjects.stars", for: none)) == Constant([Int]()))
  }

  @Test func `plain classes answer with their stored properties, inherited ones too`() throws {
    class Paper {
      let size: Int? = 4
    }
    final class Sheet: Paper {
      let text = "a"
      let next: Paper? = Paper()
    }
    struct Pile {
      let top: Sheet
    }
    let pile = Pile(top: Sheet())
    #expect(Constant(try value("top.text.length", for: pile)) == Constant(1))
    #expect(Constant(try value("top.size", for: pile)) == Constant(4))
    #expect(Constant(try value("top.next.size", for: pile)) == Constant(4))
    #expect(throws: EvaluationError.self) { try value("top.colour", for: pile) }
  }

  @Test func `values answer with what Objective-C calls their properties`() throws {
    let link = try #require(URL(string: "https://notes.example/a/b.txt?q=1#f"))
    let id = UUID()
    let answers: [(Any, String, Any)] = [
      ("Ab c", "uppercaseString", "AB C"), ("Ab c", "length", 4), ("12x", "integerValue", 12),
      (NSNumber(value: 2.5), "intValue", 2), (3, "stringValue", "3"), (0, "boolValue", false),
      (Date(timeIntervalSinceReferenceDate: 5), "timeIntervalSinceReferenceDate", 5),
      (link, "host", "notes.example"), (link, "pathExtension", "txt"), (link, "fragment", "f"),
      (id, "UUIDString", id.uuidString), (Data([1, 2]), "length", 2),
    ]
    for (object, key, expected) in answers {
      #expect(Constant(try value(key, for: object)) == Constant(expected), "\(key)")
    }
  }

  @Test(arguments: ["👩 12", "🇩🇪", "é1", ""])
  func `a number in a text that begins with an emoji stopped the program`(text: String) throws {
    for key in ["integerValue", "doubleValue"] {
      #expect(Constant(try value(key, for: text)) == Constant(0), "\(key)")
    }
    #expect(Constant(try value("boolValue", for: text)) == Constant(false))
    #expect(Constant(try value("integerValue", for: "12" + text)) == Constant(12))
  }

  @Test func `a part that an address does not have was taken for an unknown key`() throws {
    let file = try #require(URL(string: "file:///notes/a"))
    for key in ["host", "query", "fragment"] {
      #expect(try value(key, for: file) == nil, "\(key)")
    }
    #expect(NSPredicate(format: "query == nil").evaluate(with: file))
  }

  @Test func `an expression flattened the arrays that key-value coding keeps`() {
    let rows: [[[String: Int]]] = [[["n": 1], ["n": 2]], [["n": 3]]]
    let nested = NSExpression(forKeyPath: "n").expressionValue(with: rows, context: nil)
    #expect(nested as? [[Int]] == [[1, 2], [3]])
    let flat = NSExpression(forKeyPath: "@unionOfArrays.n").expressionValue(
      with: rows,
      context: nil
    )
    #expect(flat as? [Int] == [1, 2, 3])
    // A predicate asks for each value, however deep it is.
    #expect(NSPredicate(format: "ANY n == 3").evaluate(with: rows))
    #expect(!NSPredicate(format: "ANY n == 4").evaluate(with: rows))
  }
}
