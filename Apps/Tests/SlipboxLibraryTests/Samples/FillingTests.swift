import Testing

@testable import SlipboxLibrary

/// A slip box filled for measuring.
struct FillingTests {
  @Test func `a filled slip box shows its notes, folders and keywords at once`() async throws {
    let box = try Box()
    _ = try await box.library.overview()
    try await box.library.fill(notes: 300)
    let overview = try await box.library.overview()
    #expect(overview.places.all == 300)
    #expect(overview.folders.count == 6)
    #expect(overview.folders.map(\.count).reduce(0, +) + overview.places.unfiled == 300)
    #expect(overview.keywords.total == 15)
    #expect(overview.keywords.top.first.map { $0.count > 0 } == true)
    let rows = try await box.library.notes(NoteQuery(limit: 20)).rows
    #expect(rows.allSatisfy { !$0.title.isEmpty && !$0.excerpt.isEmpty })
  }
}
