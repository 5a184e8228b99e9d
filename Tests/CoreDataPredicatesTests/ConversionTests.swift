import CoreDataPredicates
import Foundation
import Testing

import class CoreDataPredicates.NSExpression

/// A page of a notebook, whose class knows the names of its Swift key paths.
final class Page: KeyPathNaming, Sendable {
  let title: String?
  let body: String
  let stars: Int
  let price: Double
  let isDone: Bool
  let date: Date
  let folder: Folder?
  let tags: [Tag]
  let counts: [String: Int]
  let mystery: Int

  init(
    _ title: String? = "Swift",
    body: String = "",
    stars: Int = 0,
    price: Double = 0,
    isDone: Bool = false,
    folder: Folder? = nil,
    tags: [Tag] = []
  ) {
    self.title = title
    self.body = body
    self.stars = stars
    self.price = price
    self.isDone = isDone
    date = Date(timeIntervalSinceReferenceDate: 0)
    self.folder = folder
    self.tags = tags
    counts = ["red": stars]
    mystery = 0
  }

  final class Folder: KeyPathNaming, Sendable {
    let name: String?
    let rank: Int

    init(_ name: String?, rank: Int = 0) {
      self.name = name
      self.rank = rank
    }

    static func name(of keyPath: AnyKeyPath) -> String? {
      [\Folder.name: "name", \Folder.rank: "rank"][keyPath]
    }
  }

  final class Tag: KeyPathNaming, Hashable, Sendable {
    let name: String

    init(_ name: String) { self.name = name }

    static func name(of keyPath: AnyKeyPath) -> String? { keyPath == \Tag.name ? "name" : nil }

    static func == (one: Tag, other: Tag) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  static func name(of keyPath: AnyKeyPath) -> String? {
    switch keyPath {
    case \Page.title: "title"
    case \Page.body: "body"
    case \Page.stars: "stars"
    case \Page.price: "price"
    case \Page.isDone: "isDone"
    case \Page.date: "date"
    case \Page.folder: "folder"
    case \Page.tags: "tags"
    case \Page.counts: "counts"
    default: nil
    }
  }
}

struct ConversionTests {
  static let swift = Page.Tag("swift")

  /// Pages that differ in everything a predicate can ask.
  static let pages = [
    Page(),
    Page(nil, stars: 1),
    Page("swift in a day", body: "Über", stars: 4, price: 2.5, isDone: true, tags: [swift]),
    Page("x", stars: 3, folder: Page.Folder("Work", rank: 4), tags: [Page.Tag("x"), swift]),
    Page("", stars: 5, folder: Page.Folder(nil), tags: [Page.Tag("ä")]),
  ]

  /// Each with the format that it becomes.
  static let predicates: [(Predicate<Page>, String)] = {
    let word = "Swift"
    let limits = 2...4
    let stars = [1, 4]
    let same = ComparisonResult.orderedSame
    let ascending = ComparisonResult.orderedAscending
    let none: String? = nil
    return [
      (#Predicate { $0.stars > 3 && $0.title == "x" }, #"stars > 3 AND title == "x""#),
      (
        #Predicate { $0.stars >= 3 || $0.stars < 1 || $0.stars <= 0 },
        "stars >= 3 OR stars < 1 OR stars <= 0"
      ),
      (#Predicate { !($0.stars != 3) }, "NOT stars != 3"),
      (#Predicate { $0.isDone }, "isDone == 1"),
      (#Predicate { !$0.isDone && true }, "(NOT isDone == 1) AND TRUEPREDICATE"),
      (#Predicate { $0.isDone == false }, "isDone == 0"),
      (#Predicate { ($0.stars > 3) == true }, "stars > 3"),
      (#Predicate { ($0.stars > 3) == $0.isDone }, "TERNARY(stars > 3, 1, 0) == isDone"),
      (#Predicate { _ in true }, "TRUEPREDICATE"),
      // Texts
      (#Predicate { $0.body.contains("be") }, #"body CONTAINS "be""#),
      (#Predicate { $0.body.starts(with: word) }, #"body BEGINSWITH "Swift""#),
      (
        #Predicate { $0.body.localizedStandardContains("uber") },
        #"body CONTAINS[cdl] "uber""#
      ),
      (
        #Predicate { $0.body.caseInsensitiveCompare("über") == same },
        #"body ==[c] "über""#
      ),
      (
        #Predicate { $0.body.localizedCompare("v") == ascending },
        #"body <[l] "v""#
      ),
      (#Predicate { $0.body.isEmpty }, "length:(body) == 0"),
      (#Predicate { $0.body.count > 3 }, "length:(body) > 3"),
      (#Predicate { $0.body.contains(/b.r/) }, #"body MATCHES "(?s:.*?)(?:b.r)(?s:.*)""#),
      // Optionals
      (#Predicate { $0.title == nil }, "title == nil"),
      (#Predicate { $0.title != none }, "title != nil"),
      (#Predicate { $0.folder?.name == "Work" }, #"folder.name == "Work""#),
      (#Predicate { $0.folder?.name != nil }, "folder.name != nil"),
      (
        #Predicate { $0.title?.contains("x") == true },
        #"(NOT title == nil) AND title CONTAINS "x""#
      ),
      (
        #Predicate { $0.title?.contains("x") ?? false },
        #"(NOT title == nil) AND title CONTAINS "x""#
      ),
      (#Predicate { $0.title?.isEmpty ?? true }, "title == nil OR length:(title) == 0"),
      (
        #Predicate { $0.title?.isEmpty != true },
        "NOT ((NOT title == nil) AND length:(title) == 0)"
      ),
      (#Predicate { ($0.title ?? "") == "" }, #"TERNARY(title == nil, "", title) == """#),
      (
        #Predicate { ($0.folder?.rank ?? 9) > 3 },
        "TERNARY(folder.rank == nil, 9, folder.rank) > 3"
      ),
      (
        #Predicate { $0.folder.flatMap { $0.name ?? "none" } == nil },
        #"TERNARY(folder == nil, nil, TERNARY(folder.name == nil, "none", folder.name)) == nil"#
      ),
      (
        #Predicate { if let title = $0.title { title == "x" } else { $0.stars == 1 } },
        #"((NOT title == nil) AND title == "x") OR (title == nil AND stars == 1)"#
      ),
      (
        #Predicate { if $0.isDone { $0.stars == 4 } else { $0.stars == 3 } },
        "(isDone == 1 AND stars == 4) OR ((NOT isDone == 1) AND stars == 3)"
      ),
      (#Predicate { ($0.isDone ? 1 : 2) == 1 }, "TERNARY(isDone == 1, 1, 2) == 1"),
      // Numbers
      (#Predicate { $0.stars + 1 == 5 }, "stars + 1 == 5"),
      (
        #Predicate { ($0.stars * 2 - 1) / 2 == 3 && $0.stars % 2 == 0 },
        "((stars * 2) - 1) / 2 == 3 AND modulus:by:(stars, 2) == 0"
      ),
      (#Predicate { $0.price / 2 > 1 && -$0.price < 0 }, "price / 2 > 1 AND 0 - price < 0"),
      (#Predicate { (2...4).contains($0.stars) }, "stars BETWEEN {2, 4}"),
      (#Predicate { limits.contains($0.stars) }, "stars BETWEEN {2, 4}"),
      (#Predicate { (2..<4).contains($0.stars) }, "stars >= 2 AND stars < 4"),
      (#Predicate { ($0.stars...9).contains(4) }, "4 BETWEEN {stars, 9}"),
      // Collections
      (#Predicate { stars.contains($0.stars) }, "stars IN {1, 4}"),
      (#Predicate { $0.tags.isEmpty }, "tags.@count == 0"),
      (#Predicate { $0.tags.count == 2 }, "tags.@count == 2"),
      (
        #Predicate { $0.tags.contains { $0.name == word } },
        #"SUBQUERY(tags, $x1, $x1.name == "Swift").@count > 0"#
      ),
      (
        #Predicate { $0.tags.allSatisfy { $0.name == "swift" } },
        #"SUBQUERY(tags, $x1, NOT $x1.name == "swift").@count == 0"#
      ),
      (
        #Predicate { page in
          page.tags.filter { $0.name == "swift" || $0.name == page.body }.count == 1
        },
        #"SUBQUERY(tags, $x1, $x1.name == "swift" OR $x1.name == body).@count == 1"#
      ),
      (#Predicate { $0.tags.first?.name == "swift" }, #"tags[FIRST].name == "swift""#),
      (#Predicate { $0.tags.last?.name == "swift" }, #"tags[LAST].name == "swift""#),
      (#Predicate { !$0.tags.isEmpty && $0.tags[0].name == "x" }, ""),
      (#Predicate { $0.counts["red"] == 4 }, #"counts["red"] == 4"#),
      (
        #Predicate { $0.counts["blue", default: 7] == 7 },
        #"TERNARY(counts["blue"] == nil, 7, counts["blue"]) == 7"#
      ),
    ]
  }()

  @Test(arguments: predicates.indices)
  func `a Swift predicate becomes a format that answers the same`(index: Int) throws {
    let (predicate, format) = Self.predicates[index]
    let converted = try #require(NSPredicate(predicate))
    if !format.isEmpty { #expect(converted.description == format) }
    for page in Self.pages {
      #expect(converted.evaluate(with: page) == (try predicate.evaluate(page)), "\(converted)")
    }
  }

  // swift-format-ignore: NeverForceUnwrap
  @Test func `an unwrapped value is the value`() throws {
    let predicate = #Predicate<Page> { $0.title != nil && $0.title!.starts(with: "s") }
    let converted = try #require(NSPredicate(predicate))
    #expect(converted.description == #"title != nil AND title BEGINSWITH "s""#)
    #expect(Self.pages.map(converted.evaluate(with:)) == [false, false, true, false, false])
  }

  @Test func `what only Swift can run has no predicate, and a sentence says why`() async {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardErrorContent]
    ) {
      #expect(NSPredicate(#Predicate<Page> { $0.mystery == 3 }) == nil)
      #expect(NSPredicate(#Predicate<Page> { $0.tags[0..<1].count == 3 }) == nil)
      #expect(NSPredicate(#Predicate<NSObject> { $0 is NSString }) == nil)
      #expect(NSPredicate(#Predicate<Page> { $0.tags.starts(with: $0.tags) }) == nil)
      #expect(NSExpression(#Expression<Page, Int> { $0.mystery + 1 }) == nil)
    }
    #expect(
      result.says(
        "CoreData: warning: a predicate of Page cannot be converted: "
          + "the key path \\Page.mystery has no name in key-value coding"
      )
    )
    #expect(result.says("no predicate asks whether something is of the type NSString"))
    #expect(result.says("BEGINSWITH in a Array<Tag> works for texts only"))
    #expect(result.says("CollectionRangeSubscript"))
    #expect(result.says("CoreData: warning: an expression of Page cannot be converted"))
  }

  @Test func `Swift expressions become expressions`() throws {
    let double = #Expression<Page, Int> { $0.stars * 2 }
    let sum = try #require(NSExpression(double))
    #expect(sum.description == "stars * 2")
    #expect(sum.expressionValue(with: Page(stars: 3), context: nil) as? Int == 6)
    let condition = try #require(NSExpression(#Expression<Page, Bool> { $0.stars > 2 }))
    #expect(condition.description == "TERNARY(stars > 2, 1, 0)")
  }

  @Test func `Swift sort descriptors become sort descriptors`() throws {
    let stars = NSSortDescriptor(SortDescriptor(\Page.stars, order: .reverse))
    #expect(stars.key == "stars" && !stars.ascending)
    #expect(stars.term == SortTerm(keyPath: ["stars"], ascending: false))
    #expect(stars.compare(Page(stars: 1), to: Page(stars: 2)) == .orderedDescending)
    #expect(stars == NSSortDescriptor(SortDescriptor(\Page.stars, order: .reverse)))
    let reversed = try #require(stars.reversedSortDescriptor as? NSSortDescriptor)
    #expect(reversed.ascending && reversed.key == "stars")
    let title = NSSortDescriptor(SortDescriptor(\Page.title))
    #expect(title.compare(Page(nil), to: Page("a")) == .orderedAscending)
    #expect(title.selector == "compare:")
    let unnamed = NSSortDescriptor(SortDescriptor(\Page.mystery))
    #expect(unnamed.key == nil)
    #expect(unnamed.compare(Page(), to: Page()) == .orderedSame)
  }
}
