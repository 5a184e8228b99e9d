import Foundation
import SlipboxLibrary
import Testing

/// Tests of the parts of a search.
struct NoteSearchTests {
  @Test func `tokens of status exclude one another`() {
    var search = NoteSearch()
    search.add(.draftStatus)
    search.add(.last7Days)
    search.add(.archivedStatus)
    #expect(search.tokens == [.last7Days, .archivedStatus])
    #expect(search.isSelected(.archivedStatus))
    #expect(!search.isSelected(.draftStatus))
  }

  @Test func `a token is there once`() {
    let search = NoteSearch(tokens: [.withAttachment, .withAttachment])
    #expect(search.tokens == [.withAttachment])
  }

  @Test func `words are apart by blanks, and each counts once`() {
    #expect(NoteSearch(text: "  slip  Box\tslip\n").words == ["slip", "Box"])
    #expect(NoteSearch(text: " \n").words.isEmpty)
  }

  @Test func `a place without text or tokens is not a search`() {
    #expect(!NoteSearch(place: .trash, scope: .all).isSearching)
    #expect(NoteSearch(tokens: [.last24Hours]).isSearching)
    #expect(NoteSearch(text: "a").isSearching)
  }

  @Test func `places are written and read`() {
    let id = UUID()
    let places: [NotePlace] = [
      .all, .favourites, .recent, .unfiled, .trash, .folder(id), .keyword(id),
    ]
    for place in places { #expect(NotePlace(text: place.text) == place) }
    #expect(NotePlace.folder(id).text == "folder:\(id.uuidString.lowercased())")
  }

  @Test(arguments: ["", "nowhere", "folder:", "folder:12", "note:\(UUID())", "folder", ":"])
  func `other texts are no place`(text: String) {
    #expect(NotePlace(text: text) == nil)
  }
}
