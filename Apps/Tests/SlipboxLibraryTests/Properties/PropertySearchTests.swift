import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

private typealias StoredFile = SlipboxLibrary.Attachment

/// Searches and lists by properties: the store finds and orders the same notes as plain Swift.
struct PropertySearchTests {
  @Test("Comparisons find what plain Swift finds among random notes")
  func comparisons() async throws {
    let box = try Box()
    let plain = try await fill(box, 150)
    func titles(_ isMeant: (PropertyValue?) -> Bool) -> [String] {
      plain.filter { isMeant($0.value) }.map(\.title).sorted()
    }
    func number(_ value: PropertyValue?) -> Double? {
      if case .number(let text)? = value { PropertyValue.number(text) } else { nil }
    }
    func date(_ value: PropertyValue?) -> String? {
      if case .date(let text)? = value { text } else { nil }
    }
    let pairs: [(String, [String])] = [
      ("x:>3", titles { number($0).map { $0 > 3 } ?? false }),
      ("x:>=3", titles { number($0).map { $0 >= 3 } ?? false }),
      ("x:<-1", titles { number($0).map { $0 < -1 } ?? false }),
      ("x:<=2.5", titles { number($0).map { $0 <= 2.5 } ?? false }),
      ("x:2..4", titles { number($0).map { (2...4).contains($0) } ?? false }),
      ("x:..0", titles { number($0).map { $0 <= 0 } ?? false }),
      ("x:3.0", titles { number($0) == 3 }),
      ("x:<2026-12-02", titles { date($0).map { $0 < "2026-12-02" } ?? false }),
      ("x:>=2026-12-02", titles { date($0).map { $0 >= "2026-12-02" } ?? false }),
      ("x:2026-12-03", titles { date($0)?.hasPrefix("2026-12-03") ?? false }),
      (
        "x:2026-12-02..2026-12-04",
        titles { date($0).map { ("2026-12-02"..<"2026-12-05").contains($0) } ?? false }
      ),
      ("x:2026-11", titles { date($0)?.hasPrefix("2026-11") ?? false }),
      ("x:true", titles { $0 == .checkbox(true) }),
      ("x:no", titles { $0 == .checkbox(false) }),
      ("x:open", titles { $0 == .text("open door") || $0 == .list(["myth", "Open"]) }),
      ("x:\"open door\"", titles { $0 == .text("open door") }),
      ("x:myth", titles { $0 == .list(["myth", "Open"]) }),
      ("x:none", titles { $0?.isEmpty ?? true }),
      ("x:any", titles { !($0?.isEmpty ?? true) }),
      ("-x:any", titles { $0?.isEmpty ?? true }),
      ("X:>3 OR x:true", titles { number($0).map { $0 > 3 } ?? false || $0 == .checkbox(true) }),
    ]
    for (text, expected) in pairs {
      #expect(try await box.found(text).sorted() == expected, "\(text)")
    }
    #expect(pairs.filter { $0.1.isEmpty }.map(\.0) == [])
  }

  @Test("A list by a property is in the order of its values, both ways, and ends with the others")
  func sorting() async throws {
    let box = try Box()
    let plain = try await fill(box, 150)
    for isAscending in [true, false] {
      let sorting = NoteSorting.property("X", isAscending: isAscending)
      #expect(NoteSorting(rawValue: sorting.rawValue) == sorting)
      var titles: [String] = []
      var sections: [NoteWindow.Section] = []
      for offset in stride(from: 0, to: 150, by: 40) {
        let query = NoteQuery(sorting: sorting, offset: offset, limit: 40)
        let window = try await box.library.notes(query)
        titles += window.rows.map(\.title)
        sections = window.sections
      }
      let keys = Dictionary(uniqueKeysWithValues: plain.map { ($0.title, $0.value?.key) })
      #expect(titles.count == 150 && Set(titles) == Set(keys.keys))
      let ordered = titles.map { keys[$0] ?? nil }
      let valued = ordered.compactMap { $0 }
      #expect(valued == (isAscending ? valued.sorted() : valued.sorted().reversed()))
      #expect(ordered.dropFirst(valued.count).allSatisfy { $0 == nil })
      #expect(sections.map(\.name) == ["with", "without"])
      #expect(sections.map(\.count) == [valued.count, 150 - valued.count])
    }
  }

  @Test(
    "A list by a property has the notes of its place and search",
    arguments: [
      "slip", "has:picture", "has:link", "is:orphan", "tag:garden", "-x:any slip", "is:draft", "→",
    ]
  )
  func sortingOfSearches(text: String) async throws {
    let box = try Box()
    _ = try await fill(box, 40)
    try await box.library.write(by: nil) { context in
      let notes = try context.fetch(Note.fetch())
      let keyword = Keyword(name: "garden", context: context)
      for (index, note) in notes.enumerated() {
        if index.isMultiple(of: 3) {
          try note.rewrite(title: nil, text: RichText(plainText: "slip → box"), at: Date())
        }
        if index.isMultiple(of: 5) { note.keywords = [keyword] }
        if index.isMultiple(of: 4) { note.linkedNotes = [notes[(index + 1) % notes.count]] }
        if index.isMultiple(of: 6) {
          note.attachment = StoredFile(image: SamplePicture.png, context: context)
        }
      }
    }
    try await box.library.purge()
    let search = NoteSearch(text: text)
    let found = try await box.library.notes(NoteQuery(search, limit: 500)).rows.map(\.title)
    let sorting = NoteSorting.property("x", isAscending: true)
    let window = try await box.library.notes(NoteQuery(search, sorting: sorting, limit: 500))
    #expect(window.rows.map(\.title).sorted() == found.sorted() && !found.isEmpty)
    #expect(window.total == found.count)
  }

  @Test("A row shows the property of the column, and the sidebar knows the names")
  func columns() async throws {
    let box = try Box()
    let id = try await box.note("Plan").id.uuid
    _ = try await box.change(id, PropertyEdit("Due", kind: "date", value: "2026-12-01"))
    _ = try await box.note("Other")
    let rows = try await box.library.notes(NoteQuery(sorting: .titleAscending, column: "due")).rows
    #expect(rows.map { $0.property?.value } == [nil, "2026-12-01"])
    #expect(try await box.library.notes(NoteQuery()).rows.allSatisfy { $0.property == nil })
    let names = try await box.library.overview().properties
    #expect(names == [PropertyName(name: "Due", kind: "date", count: 1)])
  }

  @Test(arguments: [
    (
      "due: <2026-12-01",
      "A value follows “due:” without a blank, such as “due:any” or “due:<2026-12-01”."
    ),
    (
      "-\"due date\":",
      "A value follows “\"due date\":” without a blank, such as “\"due date\":any” or "
        + "“\"due date\":<2026-12-01”."
    ),
    (
      "due:<2026-13-01",
      "“<2026-13-01” is neither a number nor a date such as 2026-12-01, so “due” is compared with it "
        + "as a text."
    ),
    ("due:<2026-12-01 due:>=3 due:soon due:\"<soon\" other: other:<soon", nil),
  ])
  func `a date that there is not, or a blank before it, found nothing, and nobody said why`(
    _ text: String,
    _ advice: String?
  ) async throws {
    let box = try Box()
    let id = try await box.note("Plan").id.uuid
    _ = try await box.change(id, PropertyEdit("due", kind: "date", value: "2026-12-01"))
    _ = try await box.change(id, PropertyEdit("due date", kind: "date", value: "2026-12-01"))
    #expect(try await box.library.notes(NoteQuery(NoteSearch(text: text))).advice == advice)
  }

  @Test("A word with a colon is a word until a property has the name, and a status stays a status")
  func names() async throws {
    let box = try Box()
    let id = try await box.note("Plan", "see status:open and ratio:9").id.uuid
    _ = try await box.note("Other", "x")
    #expect(try await box.found("ratio:9") == ["Plan"])
    _ = try await box.change(id, PropertyEdit("ratio", kind: "number", value: "3"))
    #expect(try await box.found("ratio:9") == [])
    #expect(try await box.found("ratio:3") == ["Plan"])
    #expect(try await box.found("status:draft") == ["Other", "Plan"])
    _ = try await box.change(id, PropertyEdit("status", value: "Open"))
    #expect(try await box.found("status:open") == ["Plan"])
    #expect(try await box.found("status:draft") == ["Other", "Plan"])
    let advice = try await box.library.notes(NoteQuery(NoteSearch(text: "status:closed"))).advice
    #expect(advice == nil)
    // A value is found by a word alone, too, as one of a text.
    _ = try await box.change(id, PropertyEdit("author", value: "Ursula →"))
    #expect(try await box.found("ursula") == ["Plan"])
    #expect(try await box.found("→") == ["Plan"])
    var edit = PropertyEdit("author")
    edit.removed = true
    _ = try await box.change(id, edit)
    #expect(try await box.found("ursula") == [])
  }

  /// Notes of which most have a property `x`.
  private func fill(
    _ box: Box,
    _ count: Int
  ) async throws -> [(title: String, value: PropertyValue?)] {
    var random = SeededNumbers(11)
    let values: [PropertyValue?] = [
      nil, .text(""), .text("open door"), .list(["myth", "Open"]), .checkbox(true),
      .checkbox(false),
      .number("3"), .number("-2"), .number("2.5"), .number("4"), .number("1e3"),
      .date("2026-11-30"),
      .date("2026-12-01T23:59"), .date("2026-12-03"), .date("2026-12-03T09:30"),
      .date("2026-12-04T10:00"),
    ]
    let plain = (0..<count).map { index in
      ("n\(1000 + index)", values.randomElement(using: &random) ?? nil)
    }
    try await box.library.write(by: nil) { context in
      for (title, value) in plain {
        let note = Note(title: title, context: context)
        if let value { try note.takeProperties([NoteProperty("x", value)], in: context) }
      }
    }
    return plain.map { (title: $0.0, value: $0.1) }
  }
}
