import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Indexes of words in a server's database, and the functions behind them.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLWordIndexTests {
  private let place = PostgreSQLServer.shared.place()

  private func store(
    _ index: WordStore.Index,
    as user: String = "tests",
    model: ModelSchema = WordStore.model,
    more: [String: Any] = [:]
  ) throws -> WordStore {
    let address = place.absoluteString.replacing("//tests@", with: "//\(user)@")
    let url = try #require(URL(string: address))
    return try WordStore(.postgreSQL, index, file: url, model: model, more: more)
  }

  /// Makes the tables and three notes, and so many others that the server does not look at all of them to find one; the
  /// store is closed afterwards.
  private func fill(_ index: WordStore.Index) throws {
    let store = try store(index)
    let others = (3..<300).map { "Soup \($0)" }
    try store.work { context in
      for (number, title) in (["Crème brûlée", "Crème glacée", "Apple pie"] + others).enumerated() {
        _ = context.new("Note", ["title": title, "number": number])
      }
      try context.save()
    }
    try PostgreSQLShell.run("ANALYZE \"ZNOTE\"", at: place)
    try store.close()
  }

  private func names(_ query: String) throws -> [String] {
    try PostgreSQLShell.rows(query, at: place).compactMap(\.first).compactMap(\.self)
  }

  private func indexes() throws -> [String] {
    try names(
      """
      SELECT tablename FROM pg_indexes WHERE schemaname = current_schema() \
      AND indexname LIKE 'coredata%' ORDER BY 1
      """
    )
  }

  private func functions() throws -> [String] {
    try names(
      """
      SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace \
      AND proname LIKE 'coredata%words%' ORDER BY 1
      """
    )
  }

  private func asksIndex(_ store: WordStore, _ format: String) throws -> Bool {
    let plan = try store.query(format)
    return "\(plan)".contains("Bitmap Index Scan on coredata_words_")
  }

  private static let own = [
    "coredata_kept_words", "coredata_wanted_words", "coredata_words", "coredata_words_alone",
  ]

  /// Makes the database one of a version without words.
  private func forgetWords() throws {
    for name in Self.own { try PostgreSQLShell.run("DROP FUNCTION \(name) CASCADE", at: place) }
    #expect(try functions().isEmpty)
    #expect(try indexes().isEmpty)
  }

  // MARK: The index

  @Test func `a search for words is answered by the index`() throws {
    try fill(.kept)
    let store = try store(.kept)
    let formats = [
      "title CONTAINS[cdw] 'brul'", "title CONTAINS[cdw] 'crem' OR body CONTAINS[cdw] 'crem'",
      "NOT title CONTAINS[cdw] 'glac' AND title CONTAINS[cdw] '\"creme b\"'",
    ]
    for format in formats {
      #expect(try asksIndex(store, format))
    }
    #expect(try formats.map { try store.numbers($0) } == [[0], [0, 1], [0]])
    #expect(try indexes() == ["ZFOLDER", "ZNOTE"])
  }

  @Test func `an index stays where nobody asks for it, and goes where it is refused`() throws {
    try fill(.kept)
    let unasked = try store(.unasked)
    #expect(try asksIndex(unasked, "title CONTAINS[cdw] 'brul'") == false)
    #expect(try indexes() == ["ZFOLDER", "ZNOTE"])
    _ = try store(.removed)
    #expect(try indexes().isEmpty)
    #expect(try unasked.numbers("title CONTAINS[cdw] 'brul'") == [0])
  }

  @Test func `a database that was made without an index gets it when it is opened`() throws {
    try fill(.unasked)
    #expect(try indexes().isEmpty)
    #expect(try store(.readOnly).numbers("title CONTAINS[cdw] 'creme'") == [0, 1])
    #expect(try indexes().isEmpty)
    #expect(try store(.kept).numbers("title CONTAINS[cdw] 'creme'") == [0, 1])
    #expect(try indexes() == ["ZFOLDER", "ZNOTE"])
  }

  @Test func `who may not make an index finds the same without it`() throws {
    try fill(.unasked)
    let schema = try #require(try names("SELECT current_schema()").first)
    let user = "reader_\(schema)"
    try PostgreSQLShell.run(
      """
      CREATE ROLE \(user) LOGIN; GRANT USAGE ON SCHEMA \(schema) TO \(user);
      GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(user)
      """,
      at: place
    )
    let guest = try store(.kept, as: user)
    #expect(try guest.numbers("title CONTAINS[cdw] 'creme'") == [0, 1])
    #expect(try indexes().isEmpty)
    // Functions that somebody else has made are used.
    try store(.kept).close()
    #expect(try asksIndex(try store(.kept, as: user), "title CONTAINS[cdw] 'brul'"))
  }

  @Test func `an index follows an attribute that gets another name`() throws {
    try fill(.kept)
    let model = WordStore.model.changing("Note") {
      $0.change("title") {
        $0.name = "heading"
        $0.renamingIdentifier = "title"
      }
      $0.change("plain") { $0.derivationExpression = "canonical:(heading)" }
    }
    let renamed = try store(.kept, model: model, more: Upgrade.options)
    #expect(try renamed.numbers("heading CONTAINS[cdw] 'brul'") == [0])
    #expect(try asksIndex(renamed, "heading CONTAINS[cdw] 'brul'"))
    #expect(try indexes() == ["ZFOLDER", "ZNOTE"])
  }

  @Test func `words without end, and texts of too many of them, are found all the same`() throws {
    let store = try store(.kept)
    let long = String(repeating: "long", count: 100)
    let many = (46_656..<130_000).map { String($0, radix: 36) }.joined(separator: " ")
    try store.work { context in
      _ = context.new("Note", ["title": long + "er", "number": 1])
      _ = context.new("Note", ["title": long + "ish", "number": 2])
      _ = context.new("Note", ["title": "many", "body": many, "number": 3])
      try context.save()
    }
    #expect(try store.numbers("title CONTAINS[cdw] %@", long) == [1, 2])
    #expect(try store.numbers("title CONTAINS[cdw] %@", long + "is") == [2])
    #expect(try store.numbers("NOT title CONTAINS[cdw] %@", long + "is") == [1, 3])
    #expect(try store.numbers("body CONTAINS[cdw] '2sab'") == [3])
    #expect(try store.numbers("body CONTAINS[cdw] 'nowhere'") == [])
  }

  // MARK: Databases of older versions

  @Test func `a database of an older version gets the functions that it lacks`() throws {
    try fill(.unasked)
    try forgetWords()
    #expect(try store(.unasked).numbers("title CONTAINS[cdw] 'creme'") == [0, 1])
    #expect(try functions() == Self.own)
  }

  @Test func `a database of an older version was said to be changed by somebody`() throws {
    try fill(.unasked)
    try forgetWords()
    let store = try store(.readOnly)
    let error = try #require(throws: NSError.self) {
      _ = try store.numbers("title CONTAINS[cdw] 'creme'")
    }
    #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
    #expect(error.localizedFailureReason?.contains("lacks a function that we need") == true)
    #expect(error.localizedRecoverySuggestion?.contains("once for writing") == true)
    #expect(try functions().isEmpty)
  }
}
