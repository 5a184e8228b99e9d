import CoreDataPredicates
import Foundation
import Testing

import class CoreDataPredicates.NSComparisonPredicate
import class CoreDataPredicates.NSCompoundPredicate
import class CoreDataPredicates.NSExpression

/// Compounds that a program makes of others print, compare and copy themselves.
struct CompoundPredicateTests {
  private let starred = NSPredicate(format: "stars > 3")
  private let titled = NSPredicate(format: "title != nil")

  @Test func `a compound has the text of its parts`() {
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [starred, titled])
    #expect(both.predicateFormat == "stars > 3 AND title != nil")
    #expect("\(both)" == "stars > 3 AND title != nil")
    let one = NSCompoundPredicate(orPredicateWithSubpredicates: [starred, titled])
    #expect(one.predicateFormat == "stars > 3 OR title != nil")
    let none = NSCompoundPredicate(notPredicateWithSubpredicate: one)
    #expect(none.predicateFormat == "NOT (stars > 3 OR title != nil)")
    let plain: NSPredicate = NSCompoundPredicate(type: .and, subpredicates: [one, none])
    #expect(
      plain.description
        == "(stars > 3 OR title != nil) AND (NOT (stars > 3 OR title != nil))"
    )
    #expect(NSCompoundPredicate(type: .and, subpredicates: []).predicateFormat == "TRUEPREDICATE")
    #expect(NSCompoundPredicate(type: .or, subpredicates: []).predicateFormat == "FALSEPREDICATE")
    #expect(
      NSCompoundPredicate(type: .and, subpredicates: [starred]).predicateFormat == "stars > 3"
    )
  }

  @Test func `compounds are equal by what they say`() {
    let one = NSCompoundPredicate(andPredicateWithSubpredicates: [starred, titled])
    let other = NSCompoundPredicate(andPredicateWithSubpredicates: [starred, titled])
    let parsed = NSPredicate(format: "stars > 3 AND title != nil")
    #expect(one == other && one.hash == other.hash)
    #expect(one == parsed && parsed == one && one.hash == parsed.hash)
    #expect(one != NSCompoundPredicate(orPredicateWithSubpredicates: [starred, titled]))
    #expect(one != NSCompoundPredicate(andPredicateWithSubpredicates: [titled, starred]))
    #expect(Set<NSPredicate>([one, other, parsed]).count == 1)
  }

  @Test func `a copy of a compound is equal to it, and its own`() throws {
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [starred, titled])
    let copy = try #require(both.copy() as? NSCompoundPredicate)
    #expect(copy == both && copy !== both)
    #expect(copy.evaluate(with: ["stars": 4, "title": "x"]))
    #expect(!copy.evaluate(with: ["stars": 2, "title": "x"]))
    copy.subpredicates = [titled]
    #expect(both.subpredicates.count == 2 && both.evaluate(with: ["stars": 4, "title": "x"]))
    copy.compoundPredicateType = .not
    #expect(copy.predicateFormat == "NOT title != nil")
  }

  @Test func `the parts are the objects that were given`() {
    let block = NSPredicate { object, _ in (object as? [String: Any])?["stars"] as? Int == 4 }
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [starred, block])
    #expect(both.subpredicates[0] === starred && both.subpredicates[1] === block)
    #expect(both.compoundPredicateType == .and)
    #expect(both.evaluate(with: ["stars": 4]) && !both.evaluate(with: ["stars": 5]))
    #expect(both.predicateFormat.hasPrefix("stars > 3 AND BLOCKPREDICATE(0x"))
  }

  @Test func `Foundation's own compounds are understood`() {
    let foundation = Foundation.NSCompoundPredicate(
      andPredicateWithSubpredicates: [starred, titled]
    )
    #expect(foundation.tree.description == "stars > 3 AND title != nil")
    let ours = NSCompoundPredicate(notPredicateWithSubpredicate: foundation)
    #expect(ours.predicateFormat == "NOT (stars > 3 AND title != nil)")
  }

  @Test func `values take the place of variables in a compound`() {
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "stars > $least"), titled,
    ])
    let filled: NSCompoundPredicate = both.withSubstitutionVariables(["least": 2])
    #expect(filled.predicateFormat == "stars > 2 AND title != nil")
  }
}

// MARK: - Lists of arguments

struct ArgumentListTests {
  private func predicate(_ format: String, _ arguments: any CVarArg...) -> NSPredicate {
    withVaList(arguments) { NSPredicate(format: format, arguments: $0) }
  }

  private func later(_ format: String, _ arguments: any CVarArg...) -> NSPredicate {
    NSPredicate(format: format, arguments: getVaList(arguments))
  }

  @Test
  func `a list of arguments made a predicate with Foundation's words that it is not supported`() {
    let date = Date(timeIntervalSinceReferenceDate: 5)
    for make in [predicate, later] as [(String, any CVarArg...) -> NSPredicate] {
      let made = make(
        "%K == %@ AND stars > %d AND price < %f AND date == %@",
        "title",
        "x",
        3,
        1.5,
        date
      )
      #expect(
        made.description
          == #"title == "x" AND stars > 3 AND price < 1.5 AND date == CAST(5.000000, "NSDate")"#
      )
    }
    #expect(NSPredicate(format: "a IN %@", argumentArray: [[1, 2]]).description == "a IN {1, 2}")
    let expression = withVaList([2]) { NSExpression(format: "stars * %d", arguments: $0) }
    #expect(expression.description == "stars * 2")
  }

  @Test func `two lists at a time are two`() {
    let (one, other) = (getVaList(["a"]), getVaList(["b"]))
    #expect(NSPredicate(format: "x == %@", arguments: other).description == #"x == "b""#)
    #expect(NSPredicate(format: "x == %@", arguments: one).description == #"x == "a""#)
    let nested = withVaList(["a"]) { outer in
      withVaList(["b"]) { inner in
        [inner, outer].map { NSPredicate(format: "x == %@", arguments: $0).description }
      }
    }
    #expect(nested == [#"x == "b""#, #"x == "a""#])
  }

  @Test func `a list is good for C's functions too`() {
    let text = withVaList([3, 2.5]) { NSString(format: "%d %.1f", arguments: $0) as String }
    #expect(text == "3 2.5")
    let kept = NSString(format: "%d %.1f %d", arguments: getVaList([3, 2.5, 4])) as String
    #expect(kept == "3 2.5 4")
  }

  @Test func `another list stops the program with what to write instead`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = Swift.withVaList([1]) { NSPredicate(format: "a == %d", arguments: $0) }
    }
    #expect(result.says("or write NSPredicate(format: format, argumentArray: arguments)"))
  }
}
