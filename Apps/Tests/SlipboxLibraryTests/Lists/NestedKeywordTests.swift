import Foundation
import Testing

@testable import SlipboxLibrary

/// Keywords such as `travel/italy` are below others, as folders are.
struct NestedKeywordTests {
  /// Notes that are called like their keywords.
  private func box(_ keywords: [String]...) async throws -> Box {
    let box = try Box()
    for names in keywords {
      let note = try await box.note(names.joined(separator: ", "))
      var edit = NoteEdit()
      edit.addKeywords = names.map { KeywordChoice(name: $0) }
      _ = try await box.library.edit(try note.id.uuid, edit, by: nil)
    }
    return box
  }

  private func titles(_ place: NotePlace, in box: Box) async throws -> [String] {
    let query = NoteQuery(NoteSearch(place: place), sorting: .titleAscending)
    return try await box.library.notes(query).rows.map(\.title)
  }

  @Test func `the notes of a keyword were without those of the keywords below it`() async throws {
    let box = try await box(
      ["travel"],
      ["travel/italy"],
      ["Travel/Italy/Rome", "travel"],
      ["travelling"],
      ["home"]
    )
    let keywords = try await box.library.overview().keywords
    func place(_ name: String) throws -> NotePlace {
      .keyword(try #require(keywords.top.first { $0.name == name }).id.uuid)
    }
    #expect(
      try await titles(place("travel"), in: box) == [
        "travel", "travel/italy", "Travel/Italy/Rome, travel",
      ]
    )
    #expect(
      try await titles(place("travel/italy"), in: box) == [
        "travel/italy", "Travel/Italy/Rome, travel",
      ]
    )
    #expect(try await titles(place("travelling"), in: box) == ["travelling"])
  }

  @Test func `a keyword counts each note with one below it once, and what is in the trash never`()
    async throws
  {
    let box = try await box(
      ["travel"],
      ["travel/italy"],
      ["Travel/Italy/Rome", "travel"],
      ["home"]
    )
    func totals() async throws -> [String: Int?] {
      let top = try await box.library.overview().keywords.top
      return Dictionary(uniqueKeysWithValues: top.map { ($0.name, $0.total) })
    }
    #expect(
      try await totals()
        == ["travel": 3, "travel/italy": 2, "Travel/Italy/Rome": nil, "home": nil]
    )
    let rome = try await box.library.read {
      try Note.titled("Travel/Italy/Rome, travel", in: $0).uuid
    }
    _ = try await box.library.trash([rome], by: nil)
    #expect(
      try await totals()
        == ["travel": 2, "travel/italy": 1, "Travel/Italy/Rome": nil, "home": nil]
    )
  }

  @Test func `names that no keyword has stand above others all the same`() async throws {
    let box = try await box(["work/a/x"], ["work/a/y", "Work/b"], ["/root"], ["a//b"], ["c/"])
    let keywords = try await box.library.overview().keywords
    #expect(
      Set(keywords.above.map { "\($0.name.lowercased()) \($0.total)" }) == ["work 2", "work/a 2"]
    )
    #expect(keywords.top.allSatisfy { $0.total == nil })
  }

  @Test func `a keyword above others was missing where many others have more notes`() async throws {
    let names = (0..<55).map { "many \($0)" }
    let box = try await box(
      names + ["rare/one"],
      names + ["rare/one"],
      ["rare/one"],
      ["rare"]
    )
    let keywords = try await box.library.overview().keywords
    #expect(keywords.total == 57 && keywords.top.count == 51 && keywords.above.isEmpty)
    #expect(keywords.top.first { $0.name == "rare" }?.total == 4)
    #expect(keywords.top.first?.name == "rare/one")
  }
}
