import CoreData
import Foundation
import Testing

@testable import SlipboxLibrary

/// Tests of texts in the search field, and of the notes that they find.
struct SearchTermTests {
  private let now = Date(timeIntervalSince1970: 1_795_000_000)

  private func terms(_ text: String) -> [SearchTerm] { SearchTerm.terms(of: text, now: now) }

  @Test func `words, phrases, minus and OR are understood`() {
    #expect(terms("slip box") == [.word("slip"), .word("box")])
    #expect(terms("\"slip box\" card") == [.phrase("slip box"), .word("card")])
    #expect(terms("“slip box”") == [.phrase("slip box")])
    #expect(
      terms("slip -box -\"to be\"") == [.word("slip"), .not(.word("box")), .not(.phrase("to be"))]
    )
    #expect(terms("a OR b c") == [.one([.word("a"), .word("b")]), .word("c")])
    #expect(terms("a OR b OR c") == [.one([.word("a"), .word("b"), .word("c")])])
    #expect(terms("OR a OR") == [.word("a")])
    #expect(terms("- \" ") == [])
  }

  @Test(arguments: [
    (
      "bees -is:nonsense",
      "“is:nonsense” is looked for as a word. Behind “is:” there can be favourite, pinned, template, "
        + "task, done, draft, review, archived, unfiled, orphan or untitled."
    ),
    (
      "has:\"two wings\"",
      "“has:two wings” is looked for as a word. Behind “has:” there can be picture, file, link, "
        + "backlink or tag."
    ),
    (
      "status:new",
      "“status:new” is looked for as a word. Behind “status:” there can be draft, review or archived."
    ),
    (
      "EDITED:never",
      "“edited:never” is looked for as a word. Behind “edited:” there can be today, yesterday, week, "
        + "month, year, 7d, 2026, 2026-01 or 2026-01-31, also with < or > before it."
    ),
    ("is:starred has:link status:draft edited:>2026 is: http://a.b tag:x is", nil),
  ])
  func `a name that there is not found nothing, and nobody said why`(
    _ text: String,
    _ advice: String?
  ) async throws {
    #expect(try SearchTerm.advice(on: text, now: now) == advice)
    let box = try Box()
    #expect(try await box.library.notes(NoteQuery(NoteSearch(text: text))).advice == advice)
  }

  @Test func `two hyphens meant all notes without one, and every text was read for it`() {
    #expect(terms("--") == [.word("--")])
    #expect(terms("slip --verbose") == [.word("slip"), .word("--verbose")])
    #expect(terms("---") == [.word("---")])
    // Signs that nearly every text has narrow nothing down.
    #expect(terms("slip . , -. (") == [.word("slip")])
    #expect(terms("\".\"") == [.phrase(".")])
  }

  @Test func `a search between OR had as many words as fit, and kept all readers waiting`() {
    let letters = (0..<100).map { "word\($0)" }
    let term = SearchTerm.one(letters.prefix(16).map(SearchTerm.word))
    #expect(terms(letters.joined(separator: " OR ")) == [term])
    #expect(terms(letters.joined(separator: " ")).count == 16)
    #expect(terms("a OR a OR a") == [.word("a")])
    #expect(
      terms(Array(repeating: "a OR b", count: 40).joined(separator: " OR ") + " c").last
        == .word("c")
    )
  }

  @Test func `names before a colon ask for more than words`() {
    #expect(terms("tag:reading #slow") == [.keyword("reading"), .keyword("slow")])
    #expect(terms("tag:\"to read\"") == [.keyword("to read")])
    #expect(terms("folder:\"My essays\"") == [.folder("My essays")])
    #expect(
      terms("is:starred -is:task has:picture") == [
        .trait(.favourite), .not(.trait(.task)), .trait(.picture),
      ]
    )
    #expect(terms("title:slip") == [.title(.word("slip"))])
    // Text without a meaning is a word.
    let other = PropertyQuestion("http", "//a.b", isQuoted: false, now: now, .current)
    #expect(
      terms("is:nothing http://a.b")
        == [.word("is:nothing"), .property(other, otherwise: .word("http://a.b"))]
    )
    #expect(terms("12:30 #1") == [.word("12:30"), .word("#1")])
  }

  @Test(
    arguments: [
      ("2026", "2026-01-01", "2027-01-01"), ("2026-02", "2026-02-01", "2026-03-01"),
      (">2026-02", "2026-02-01", nil), ("<2026-02", nil, "2026-02-01"),
      ("<=2026-02", nil, "2026-03-01"), ("2026-01..2026-02", "2026-01-01", "2026-03-01"),
      ("..2026-02-03", nil, "2026-02-04"),
    ] as [(String, String?, String?)]
  )
  func `dates are days, months, years and what is between them`(
    text: String,
    from: String?,
    to: String?
  ) throws {
    let date = try #require(SearchDate(text, isCreation: false, now, .current))
    #expect(date.from.map { Day($0).key } == from)
    #expect(date.to.map { Day($0).key } == to)
  }

  @Test(arguments: ["", "2026-13", "26", "soon", "2026-01-02-03", "..", ">", "99999", "2026-02-31"])
  func `what is no date is searched for as a word`(text: String) {
    #expect(SearchDate(text, isCreation: false, now, .current) == nil)
    #expect(
      SearchTerm.terms(of: "edited:\(text)", now: now).allSatisfy {
        if case .date = $0 { false } else { true }
      }
    )
  }

  private func found(_ text: String, in box: Box) async throws -> Set<String> {
    let query = NoteQuery(NoteSearch(text: text), sorting: .relevance)
    return Set(try await box.library.notes(query).rows.map(\.title))
  }

  @Test func `a keyword was searched without those that are filed below it`() async throws {
    let box = try Box()
    for (title, keyword) in [("Home", "travel"), ("Rome", "travel/italy"), ("Shop", "travels")] {
      var edit = NoteEdit()
      edit.addKeywords = [KeywordChoice(name: keyword)]
      _ = try await box.library.edit(try await box.note(title).id.uuid, edit, by: nil)
    }
    #expect(try await found("tag:travel", in: box) == ["Home", "Rome"])
    #expect(try await found("#travel/italy", in: box) == ["Rome"])
    #expect(try await found("-tag:travel", in: box) == ["Shop"])
  }

  @Test func `searches find what they ask for`() async throws {
    let box = try Box()
    let folder = try await box.library.makeFolder(id: UUID(), name: "Essays", parent: nil, by: nil)
    _ = try await box.note("Order", "The slip box is a box of slips.", in: try folder.id.uuid)
    let other = try await box.note("Chaos", "A box, and a slip.")
    _ = try await box.note("Languages", "C++ and C# and plain C. 🎉")
    _ = try await box.note("Straße in Łódź", "Smørrebrød")
    var edit = NoteEdit()
    edit.addKeywords = [KeywordChoice(name: "physics")]
    edit.favourite = true
    _ = try await box.library.edit(try other.id.uuid, edit, by: nil)
    #expect(try await found("slip box", in: box) == ["Order", "Chaos"])
    #expect(try await found("\"slip box\"", in: box) == ["Order"])
    #expect(try await found("slip -order", in: box) == ["Chaos"])
    #expect(try await found("order OR chaos", in: box) == ["Order", "Chaos"])
    #expect(try await found("physics", in: box) == ["Chaos"])
    #expect(try await found("tag:phys", in: box) == ["Chaos"])
    #expect(try await found("-tag:physics slip", in: box) == ["Order"])
    #expect(try await found("folder:essays", in: box) == ["Order"])
    #expect(try await found("folder:nowhere", in: box) == [])
    #expect(try await found("is:favourite", in: box) == ["Chaos"])
    #expect(try await found("is:unfiled", in: box).count == 3)
    #expect(try await found("is:orphan", in: box).count == 4)
    #expect(try await found("C++", in: box) == ["Languages"])
    #expect(try await found("c#", in: box) == ["Languages"])
    #expect(try await found("🎉", in: box) == ["Languages"])
    #expect(try await found("strasse", in: box) == ["Straße in Łódź"])
    #expect(try await found("lodz", in: box) == ["Straße in Łódź"])
    #expect(try await found("smorrebrod", in: box) == ["Straße in Łódź"])
    #expect(try await found("title:slip", in: box) == [])
    #expect(try await found("title:order", in: box) == ["Order"])
    #expect(try await found("file:order", in: box) == ["Order"])
    #expect(try await found("path:Other/Essays/", in: box) == ["Order"])
    #expect(try await found("edited:today", in: box).count == 4)
    #expect(try await found("edited:<2001", in: box) == [])
    #expect(try await found("created:today slip", in: box).count == 2)
  }

  @Test func `a sign is found in texts, in titles and in what was written before signs were kept`()
    async throws
  {
    let box = try Box()
    let party = try await box.note("Party", "🎉 and ❤️, 10 € -- so")
    _ = try await box.note("→ Next 👨‍👩‍👧", "no more?!")
    for _ in 0..<2 {
      #expect(try await found("🎉", in: box) == ["Party"])
      #expect(try await found("❤", in: box) == ["Party"])
      #expect(try await found("→", in: box) == ["→ Next 👨‍👩‍👧"])
      #expect(try await found("👨‍👩‍👧", in: box) == ["→ Next 👨‍👩‍👧"])
      #expect(try await found("?!", in: box) == ["→ Next 👨‍👩‍👧"])
      #expect(try await found("!?", in: box) == [])
      #expect(try await found("--", in: box) == ["Party"])
      #expect(try await found("--- \"--\"", in: box) == [])
      #expect(try await found("...", in: box) == [])
      #expect(try await found("€-", in: box) == [])
      #expect(try await found("title:€", in: box) == [])
      #expect(try await found("€", in: box) == ["Party"])
      #expect(try await found("-→ -🎉", in: box) == [])
      // Now and then the house is kept; then all signs are known as words.
      try await box.library.purge()
      #expect(try await box.library.read { Library.knowsSigns($0) })
    }
    var edit = NoteEdit()
    edit.title = "Party ★"
    edit.base = party.revision
    _ = try await box.library.edit(try party.id.uuid, edit, by: nil)
    #expect(try await found("★", in: box) == ["Party ★"])
  }

  @Test func `signs are words of one length`() {
    #expect(
      SearchSigns.words(of: "C++ → Swift, “a”. 🎉🎉", "") == "u00002b u00201c u00201d u002192 u01f389"
    )
    #expect(SearchSigns.words(of: "Plain words (and 10) so: it's.", ".") == nil)
    #expect(SearchSigns.words(of: "So -- (…well…), so.", "") == "u002026 v0029002c v002d002d")
    #expect(SearchSigns.words(sought: "❤️") == ["u002764"])
    #expect(SearchSigns.words(sought: "...") == ["v002e002e"])
    #expect(SearchSigns.words(sought: ".") == nil)
    #expect(!SearchSigns.isOneWord("..."))
  }

  @Test func `letters without blanks were looked for in every text`() async throws {
    let box = try Box()
    let japanese = try await box.note("日本語の検索", "検索する、本")
    _ = try await box.note("ภาษาไทย", "SSD検査")
    for _ in 0..<2 {
      #expect(try await found("検索", in: box) == ["日本語の検索"])
      #expect(try await found("検", in: box) == ["日本語の検索", "ภาษาไทย"])
      #expect(try await found("検索する", in: box) == ["日本語の検索"])
      #expect(try await found("\"検索する\"", in: box) == ["日本語の検索"])
      #expect(try await found("する本", in: box) == [])
      #expect(try await found("title:する", in: box) == [])
      #expect(try await found("title:索", in: box) == ["日本語の検索"])
      #expect(try await found("本", in: box) == ["日本語の検索"])
      #expect(try await found("ssd検", in: box) == ["ภาษาไทย"])
      #expect(try await found("ไทย -検索", in: box) == ["ภาษาไทย"])
      try await box.library.purge()
      #expect(try await box.library.read { Library.knowsSigns($0) })
    }
    var edit = NoteEdit()
    edit.title = "中文"
    edit.base = japanese.revision
    _ = try await box.library.edit(try japanese.id.uuid, edit, by: nil)
    #expect(try await found("中", in: box) == ["中文"])
    #expect(try await found("日", in: box) == [])
  }

  @Test func `letters without blanks are words with the letter behind each`() {
    #expect(
      LetterPairs.words(of: ["検索す、", "本 and"]) == ["w09jt", "w0kdo", "w0krg0opu", "w0opu09jt"]
    )
    #expect(LetterPairs.words(of: ["Words", "🎉"]) == [])
    #expect(LetterPairs.words(sought: "索す") == ["w0opu09jt"])
    #expect(LetterPairs.words(sought: "索") == ["w0opu"])
    #expect(LetterPairs.isOneWord("索す") && LetterPairs.isOneWord("索"))
    #expect(!LetterPairs.isOneWord("a索") && !LetterPairs.isOneWord("検索す"))
  }

  @Test func `a search for dates read the row of every note of the time`() async throws {
    let box = try Box()
    let query: SQLQuery = """
      SELECT \(property: "objectID", of: "Note") FROM \(entity: "Note")
        WHERE \(property: NoteProperties.trashedDate, of: "Note") IS NULL
        AND \(property: NoteProperties.modificationDate, of: "Note") > \(Date.distantPast)
        ORDER BY \(property: NoteProperties.canonicalTitle, of: "Note") LIMIT 60
      """
    let plan = try await box.library.read { try $0.explain(query).description }
    #expect(plan.contains("COVERING INDEX"), "\(plan)")
  }

  @Test func `what is in the title comes before what is in the text`() async throws {
    let box = try Box()
    _ = try await box.note("Slip", "one")
    box.clock.wait(60)
    _ = try await box.note("Another", "slip")
    let window = try await box.library.notes(
      NoteQuery(NoteSearch(text: "slip"), sorting: .relevance)
    )
    #expect(window.rows.map(\.title) == ["Slip", "Another"])
    #expect(window.sections.map(\.title) == ["In the title", "In the text"])
  }

  @Test(arguments: [
    ("\"slip box\"", ["A slip-box", "Slip boxes", "The slip, box by box"]),
    ("\"slip boxe\"", ["Slip boxes"]),
    ("\"lip box\"", []), ("\"slip by\"", []), ("\"box slip\"", ["Box. Slip"]),
    ("\"box by\" slip", ["The slip, box by box"]), ("-\"slip box\" slip", ["Box. Slip"]),
    ("title:\"a slip\"", ["A slip-box"]),
  ])
  func `a phrase is found whatever stands between its words, and marked`(
    text: String,
    titles: [String]
  ) async throws {
    let box = try Box()
    for title in ["A slip-box", "Slip boxes", "The slip, box by box", "Box. Slip"] {
      _ = try await box.note(title)
    }
    let rows = try await box.library.notes(NoteQuery(NoteSearch(text: text))).rows
    #expect(rows.map(\.title).sorted() == titles)
    #expect(rows.allSatisfy { !$0.hits.title.isEmpty })
  }

  @Test(arguments: [
    ("-slip", 3), ("-\"a slip\"", 3), ("-title:one", 3), ("-nothing", 4), ("-is:orphan", 2),
    ("is:orphan", 2), ("has:link", 1), ("has:backlink", 1), ("has:tag", 1), ("has:file", 0),
    ("-reading", 3),
  ])
  func `what is counted in a shorter way is as much as is there`(
    text: String,
    count: Int
  ) async throws {
    let box = try Box()
    _ = try await box.note("One", "A slip, and [[Two]].")
    let gone = try await box.note("Gone", "A slip and [[Two]].")
    for title in ["Two", "Three"] { _ = try await box.note(title) }
    let four = try await box.note("Four")
    var edit = NoteEdit()
    edit.addKeywords = [KeywordChoice(name: "reading")]
    _ = try await box.library.edit([try four.id.uuid, try gone.id.uuid], edit, by: nil)
    _ = try await box.library.trash([try gone.id.uuid], by: nil)
    for sorting in [NoteSorting.dateDescending, .relevance, .status, .day] {
      let query = NoteQuery(NoteSearch(text: text, scope: .all), sorting: sorting)
      let window = try await box.library.notes(query)
      #expect(window.total == count && window.rows.count == count, "\(sorting)")
    }
  }

  @Test func `a phrase is marked as one`() {
    let hits = SearchWords.hits(of: ["slip box"], in: "Slip, slip-box, slipbox, slip  boxes")
    #expect(hits == [TextRange(start: 6, length: 8), TextRange(start: 25, length: 9)])
  }

  @Test func `a search in hundred notes is marked where it was spelt otherwise`() async throws {
    let box = try Box()
    _ = try await box.note("Die Straße", "x")
    let row = try await box.library.notes(NoteQuery(NoteSearch(text: "strasse"))).rows.first
    #expect(row?.hits.title == [TextRange(start: 4, length: 6)])
  }
}
