import CoreDataPredicates
import Foundation
import Testing

import class CoreDataPredicates.NSComparisonPredicate
import class CoreDataPredicates.NSCompoundPredicate
import class CoreDataPredicates.NSExpression

struct PredicateTests {
  @Test func `a format makes the class that Apple's parser makes`() throws {
    #expect(NSPredicate(format: "a == 1") is NSComparisonPredicate)
    #expect(NSPredicate(format: "ANY a == 1") is NSComparisonPredicate)
    let and = try #require(NSPredicate(format: "a == 1 AND b == 2") as? NSCompoundPredicate)
    #expect(and.compoundPredicateType == .and)
    #expect(and.subpredicates.map(\.description) == ["a == 1", "b == 2"])
    let not = try #require(NSPredicate(format: "NONE a == 1") as? NSCompoundPredicate)
    #expect(not.compoundPredicateType == .not)
    #expect(not.subpredicates.map(\.description) == ["ANY a == 1"])
    let or = try #require(NSPredicate(format: "a == 1 OR b == 2") as? NSCompoundPredicate)
    #expect(or.compoundPredicateType == .or)
  }

  @Test func `arguments of every usual kind compile and arrive`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let id = UUID()
    let url = try #require(URL(string: "https://notes.example"))
    let title: String? = nil
    let predicates = [
      NSPredicate(format: "%K < %@", "date", date as any CVarArg),
      NSPredicate(format: "date < %@", date as NSDate),
      NSPredicate(format: "id == %@ AND url == %@", id as any CVarArg, url as any CVarArg),
      NSPredicate(format: "data == %@", Data([1]) as any CVarArg),
      NSPredicate(format: "price == %@", Decimal(3) as any CVarArg),
      NSPredicate(format: "stars IN %@", [1, 2]),
      NSPredicate(format: "stars IN %@", [1, 2] as any CVarArg),
      NSPredicate(format: "stars IN %@", Set([1])),
      NSPredicate(format: "stars == %@", NSNumber(value: 3)),
      NSPredicate(format: "stars == %d AND price < %f AND done == %@", 3, 1.5, true),
      NSPredicate(format: "title == %@", title),
      NSPredicate(format: "title == %@", "x" as NSString),
      NSPredicate(format: "note == %@", Note("a")),
      NSPredicate(format: "%K == %@", argumentArray: ["title", "x"]),
      NSPredicate(format: "title == nil", argumentArray: nil),
    ]
    #expect(predicates[0] == predicates[1])
    #expect(predicates[5].description == "stars IN {1, 2}")
    #expect(predicates[5] == predicates[6])
    #expect(predicates[9].description == "stars == 3 AND price < 1.5 AND done == 1")
    #expect(predicates[10].description == "title == nil")
    #expect(predicates[13].description == #"title == "x""#)
    #expect(predicates.allSatisfy { $0.copy() as? NSPredicate == $0 })
  }

  @Test func `values are printed by C's formats too`() {
    #expect(String(format: "%@", Decimal(3) as any CVarArg) == "3")
    #expect(String(format: "%@ %@", NSNumber(value: 3), [1] as any CVarArg) == "3 [1]")
  }

  @Test func `a predicate is asked with variables`() {
    let note = ["stars": 4]
    let predicate = NSPredicate(format: "stars > $least")
    #expect(predicate.evaluate(with: note, substitutionVariables: ["least": 3]))
    #expect(!predicate.evaluate(with: note, substitutionVariables: ["least": 4]))
    let half = NSExpression(format: "stars / 2")
    #expect(predicate.evaluate(with: note, substitutionVariables: ["least": half]))
  }

  @Test func `values take the place of variables`() {
    let note = ["stars": 4, "least": 3]
    let template = NSPredicate(format: "stars > $least AND NOT stars == $most")
    let filled = template.withSubstitutionVariables(["least": 3, "most": 5])
    #expect(filled.description == "stars > 3 AND (NOT stars == 5)")
    #expect(filled.evaluate(with: note))
    let partly = template.withSubstitutionVariables(["most": NSExpression(forKeyPath: "least")])
    #expect(partly.description == "stars > $least AND (NOT stars == least)")
    #expect(template.description == "stars > $least AND (NOT stars == $most)")
    let keyed = NSPredicate(format: "$note.$key == 1")
      .withSubstitutionVariables([
        "note": NSExpression.expressionForEvaluatedObject(), "key": "folder.name",
      ])
    #expect(keyed.description == "folder.name == 1")
    let inner = NSPredicate(format: "SUBQUERY(notes, $n, $n.stars > $m).@count > $n")
      .withSubstitutionVariables(["n": 1, "m": 2])
    #expect(inner.description == "SUBQUERY(notes, $n, $n.stars > 2).@count > 1")
    let always = NSPredicate(value: true).withSubstitutionVariables([:])
    #expect(always.evaluate(with: nil))
  }

  @Test func `equal predicates are equal, however they were made`() {
    let parsed = NSPredicate(format: "title CONTAINS[c] 'x'")
    let built = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "title"),
      rightExpression: NSExpression(forConstantValue: "x"),
      modifier: .direct,
      type: .contains,
      options: .caseInsensitive
    )
    #expect(parsed == built && parsed.hash == built.hash)
    #expect(parsed != NSPredicate(format: "title CONTAINS 'x'"))
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [parsed, built])
    let both = NSPredicate(format: "title CONTAINS[c] 'x' AND title CONTAINS[c] 'x'")
    #expect(both == compound)
    #expect(NSPredicate(format: "TRUEPREDICATE") == NSPredicate(value: true))
    #expect(NSPredicate(format: "TRUEPREDICATE") != NSPredicate(value: false))
    #expect(NSPredicate(format: "a IN {1, 2}") == NSPredicate(format: "a IN %@", [1, 2]))
    #expect(NSPredicate(format: "a == 1").hash == NSPredicate(format: "a == 1.0").hash)
    #expect(!parsed.isEqual("title"))
  }

  @Test func `a parsed compound copies itself, as Foundation's does not`() throws {
    let predicate = NSPredicate(format: "stars > 3 AND NOT title == nil")
    let copy = try #require(predicate.copy() as? NSPredicate)
    #expect(copy == predicate && copy.hash == predicate.hash)
    #expect(copy.evaluate(with: ["stars": 4, "title": "x"]))
    let compound = try #require(copy as? NSCompoundPredicate)
    compound.subpredicates = [NSPredicate(format: "stars > 5"), NSPredicate(format: "stars < 5")]
    compound.compoundPredicateType = .or
    #expect(compound.description == "stars > 5 OR stars < 5")
    #expect(compound.evaluate(with: ["stars": 4]))
    #expect(predicate.description == "stars > 3 AND (NOT title == nil)")
  }

  @Test func `a comparison tells its parts`() throws {
    let predicate = try #require(
      NSPredicate(format: "ALL notes.title LIKE[cd] 'a*'") as? NSComparisonPredicate
    )
    #expect(predicate.leftExpression.keyPath == "notes.title")
    #expect(predicate.rightExpression.constantValue as? String == "a*")
    #expect(predicate.predicateOperatorType == .like)
    #expect(predicate.comparisonPredicateModifier == .all)
    #expect(predicate.options == [.caseInsensitive, .diacriticInsensitive])
    #expect(predicate.predicateFormat == #"ALL notes.title LIKE[cd] "a*""#)
  }

  @Test func `collections are filtered`() throws {
    let notes = NSArray(array: [["stars": 1], ["stars": 5]])
    #expect(notes.filtered(using: NSPredicate(format: "stars > 3")).count == 1)
    let titles = NSMutableArray(array: ["a", "b", "ab"])
    titles.filter(using: NSPredicate(format: "SELF CONTAINS 'a'"))
    #expect(titles.count == 2)
  }

  @Test func `text that people type gives an error`() throws {
    #expect(try NSPredicate(parsing: "stars > %@", arguments: [3]).description == "stars > 3")
    let error = try #require(throws: PredicateFormatError.self) {
      try NSPredicate(parsing: "stars >")
    }
    #expect(error.description == #"cannot parse "stars >": expected a value at the end"#)
    #expect(throws: PredicateFormatError.self) { try NSExpression(parsing: "a == 1") }
    #expect(try NSExpression(parsing: "a + %@", arguments: [1]).description == "a + 1")
  }
}

// MARK: - Trees of objects

struct PredicateTreeTests {
  @Test func `Foundation's own predicates have trees`() throws {
    #expect(NSPredicate(value: true).tree == .constant(true))
    #expect(NSPredicate(value: false).tree == .constant(false))
    let block = NSPredicate { object, _ in object as? Int == 1 }
    #expect(block.tree == .block(PredicateBlock(block)))
    let comparison = NSPredicate(format: "a == 1")
    let compound = NSCompoundPredicate(
      orPredicateWithSubpredicates: [
        block, comparison, NSCompoundPredicate(notPredicateWithSubpredicate: comparison),
        NSCompoundPredicate(andPredicateWithSubpredicates: []),
      ]
    )
    #expect(
      compound.tree
        == .or([block.tree, comparison.tree, .not(comparison.tree), .and([])])
    )
    #expect(try compound.tree.evaluate(with: 1))
  }

  @Test func `a class of somebody else is a block`() throws {
    final class Everything: NSPredicate {
      override func evaluate(
        with object: Any?,
        substitutionVariables bindings: [String: Any]?
      ) -> Bool {
        bindings?["answer"] as? Int == 42
      }
    }
    let predicate = Everything(value: false)
    #expect(predicate.tree == .block(PredicateBlock(predicate)))
    #expect(try predicate.tree.evaluate(with: nil, variables: ["answer": 42]))
    #expect(predicate.tree.description.hasPrefix("BLOCKPREDICATE(0x"))
    #expect(NSPredicate.of(predicate.tree) === predicate)
  }

  @Test func `a compound that a user makes evaluates our comparisons with variables`() {
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "SELF > $low"), NSPredicate(format: "SELF < $high"),
    ])
    #expect(compound.evaluate(with: 3, substitutionVariables: ["low": 1, "high": 5]))
    let filled = compound.withSubstitutionVariables(["low": 1, "high": 3])
    #expect(filled.description == "SELF > 1 AND SELF < 3")
  }

  @Test func `trees are printed as compounds nest`() {
    let a = NSPredicate(format: "a == 1").tree
    #expect(PredicateTree.and([]).description == "TRUEPREDICATE")
    #expect(PredicateTree.or([]).description == "FALSEPREDICATE")
    #expect(PredicateTree.and([a]).description == "a == 1")
    #expect(PredicateTree.not(.and([])).description == "NOT TRUEPREDICATE")
    #expect(PredicateTree.not(.or([a, a])).description == "NOT (a == 1 OR a == 1)")
    #expect(PredicateTree.and([.or([.not(a)]), a]).description == "(NOT a == 1) AND a == 1")
  }
}

// MARK: - Mistakes of the program

struct PredicateExitTests {
  @Test func `a format that cannot be parsed stops the program with its sentence`() async throws {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = NSPredicate(format: "title ==")
    }
    #expect(result.says(#"cannot parse "title ==": expected a value at the end"#))
  }

  @Test func `so does one with too few arguments, or for an expression`() async throws {
    let missing = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = NSPredicate(format: "title == %@ AND stars == %@", argumentArray: ["x"])
    }
    #expect(missing.says("%@ at position 25 has no argument: 1 were given"))
    let expression = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = NSExpression(format: "1 +")
    }
    #expect(expression.says(#"cannot parse "1 +": expected a value at the end"#))
  }

  @Test func `a class of somebody else cannot be made from a format`() async throws {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      final class Mine: NSPredicate {}
      _ = Mine(format: "a == 1")
    }
    #expect(result.says("this NSPredicate is not a Mine"))
  }

  @Test func `an unknown function, selector or part stops the program`() async throws {
    let function = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = NSExpression(forFunction: "explode:", arguments: [1])
    }
    #expect(function.says(#"there is no function "explode:""#))
    let selector = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = NSSortDescriptor(key: "title", ascending: true, selector: "explode:")
    }
    #expect(selector.says(#"cannot sort by "explode:", only by compare:"#))
    let part = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = NSExpression(forConstantValue: 1).keyPath
    }
    #expect(part.says("the expression 1 has no key path"))
  }
}

extension ExitTest.Result? {
  func says(_ sentence: String) -> Bool {
    String(decoding: self?.standardErrorContent ?? [], as: UTF8.self).contains(sentence)
  }
}

@Suite struct SpellingTests {
  @Test func `a pattern with an accent is not taken for its other spelling`() {
    let composed = "caf\u{e9}"
    let decomposed = "cafe\u{301}"
    for (pattern, other) in [(composed, decomposed), (decomposed, composed)] {
      #expect(NSPredicate(format: "SELF MATCHES %@", pattern).evaluate(with: pattern))
      #expect(!NSPredicate(format: "SELF MATCHES %@", pattern).evaluate(with: other))
    }
  }

  @Test func `a format with an accent is not taken for its other spelling`() {
    for text in ["caf\u{e9}", "cafe\u{301}"] {
      #expect(NSPredicate(format: "SELF == '\(text)'").evaluate(with: text))
    }
  }
}
