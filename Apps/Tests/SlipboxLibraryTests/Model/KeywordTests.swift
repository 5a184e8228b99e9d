import CoreData
import SlipboxLibrary
import Testing

/// The document's tests of keywords and colours.
@MainActor struct KeywordTests {
  let controller = PersistenceController.createEmpty()
  var context: NSManagedObjectContext { controller.container.viewContext }

  @Test func `a keyword is black at first`() {
    let keyword = Keyword(context: context)
    #expect(keyword.color == .black)
    #expect(keyword.colorHex == .black)
  }

  @Test func `a keyword keeps a colour in its components`() {
    let keyword = Keyword(context: context)
    keyword.color = Colour(red: 0, green: 0, blue: 1)
    #expect(keyword.color == Colour(red: 0, green: 0, blue: 1))
    #expect(keyword.blue_ == 1)
  }

  @Test func `a keyword keeps a colour as hexadecimal text`() {
    let keyword = Keyword(context: context)
    keyword.colorHex = Colour(red: 1, green: 0, blue: 0, opacity: 0)
    #expect(keyword.colorHex_ == "FF000000")
    #expect(keyword.colorHex == Colour(red: 1, green: 0, blue: 0, opacity: 0))
    keyword.colorHex_ = "no colour"
    #expect(keyword.colorHex == .black)
  }

  @Test(arguments: ["0000FF", "0000FFFF", "#0000ff", " #0000FFff\n"])
  func `blue is read from six or eight digits`(text: String) {
    #expect(Colour(hex: text) == Colour(red: 0, green: 0, blue: 1))
  }

  @Test(arguments: ["", "0000FFF", "00000", "GGGGGG", "#12345 ", "0000FF0000FF", "-00FFF"])
  func `other texts are no colour`(text: String) {
    #expect(Colour(hex: text) == nil)
  }

  @Test func `blue is written with eight digits`() {
    #expect(Colour(red: 0, green: 0, blue: 1).hex == "0000FFFF")
    #expect(Colour(red: 0.5, green: 2, blue: -1, opacity: .nan).hex == "80FF0000")
  }

  @Test func `keywords are fetched by name, all or those of a note`() throws {
    let note = Note(title: "note", context: context)
    let other = Keyword(name: "b", context: context)
    let own = Keyword(name: "a", context: context)
    note.keywords.insert(own)
    #expect(try context.fetch(Keyword.fetch(.all)) == [own, other])
    #expect(try context.fetch(Keyword.fetch(for: note)) == [own])
    try context.save()
    #expect(try context.fetch(Keyword.fetch(for: note)) == [own])
  }

  @Test func `deleting a note leaves its keywords, and the other way round`() throws {
    let note = Note.example(context: context)
    let keyword = try #require(note.keywords.first)
    Keyword.delete(keyword)
    context.processPendingChanges()
    #expect(note.keywords.count == 4)
    Note.delete(note: note)
    #expect(try context.count(for: Keyword.fetch(.all)) == 4)
  }

  @Test func `a keyword counts its notes when it is saved`() throws {
    let note = Note.example(context: context)
    try context.save()
    #expect(note.keywords.allSatisfy { $0.notesCount == 1 })
  }
}
