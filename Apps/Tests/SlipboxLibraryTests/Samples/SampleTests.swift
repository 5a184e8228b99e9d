import CoreData
import Pictures
import Testing

@testable import SlipboxLibrary

/// Tests of a new slip box's content.
struct SampleTests {
  @Test func `a new slip box has notes that explain it, linked with one another`() async throws {
    let box = try Box()
    try await box.library.addSamplesIfNew()
    let window = try await box.library.notes(NoteQuery(limit: 100))
    #expect(window.total == SampleNotes.notes.count)
    #expect(window.rows.first?.title == "Welcome to your slip box")
    for row in window.rows {
      let note = try await box.library.note(try row.id.uuid)
      #expect(!row.excerpt.isEmpty)
      #expect(note.folder != nil)
      #expect(!note.keywords.isEmpty)
      // A link that leads nowhere stays as it was written.
      let lost = note.document.json.range(of: #"\[\[[A-Z]"#, options: .regularExpression)
      #expect(lost == nil, "a link of \(note.title) leads nowhere")
    }
    let welcome = try await box.library.note(try #require(window.rows.first).id.uuid)
    #expect(welcome.links.count == 4)
    #expect(!welcome.backlinks.isEmpty)
  }

  @Test func `the samples come once, and not where there is anything`() async throws {
    let box = try Box()
    _ = try await box.library.makeKeyword(KeywordChoice(name: "mine"), by: nil)
    try await box.library.addSamplesIfNew()
    #expect(try await box.library.notes(NoteQuery()).total == 0)
    let other = try Box()
    try await other.library.addSamplesIfNew()
    try await other.library.addSamplesIfNew()
    #expect(try await other.library.notes(NoteQuery()).total == SampleNotes.notes.count)
  }

  @Test func `the picture is a picture, and has a thumbnail`() async throws {
    let size = try await Picture.size(of: SamplePicture.png)
    #expect(size == PictureSize(width: 480, height: 320))
    let box = try Box()
    try await box.library.addSamplesIfNew()
    let search = NoteSearch(tokens: [.withAttachment])
    let row = try #require(try await box.library.notes(NoteQuery(search)).rows.first)
    let id = try row.id.uuid
    let thumbnail = try await box.library.thumbnail(of: id, size: 150)
    #expect(PictureKind(of: thumbnail.data) != nil)
    #expect(try await Picture.size(of: thumbnail.data).width == 200)
    #expect(try await box.library.picture(of: id).data == SamplePicture.png)
  }

  @Test @MainActor func `the document's examples`() throws {
    let controller = PersistenceController.createEmpty()
    let context = controller.container.viewContext
    #expect(Keyword.exampleArray(context: context).count == 5)
    let notes = Note.exampleArray(context: context)
    #expect(notes.map(\.status.word).filter { $0 == "draft" }.count == 4)
    #expect(Folder.exampleWithNotes(context: context).notes.count == 10)
    #expect(Note.example(context: context).keywords.count == 5)
    let preview = PersistenceController.preview.container.viewContext
    #expect(try preview.count(for: Note.fetch(.all)) == 10)
    #expect(try preview.count(for: Folder.fetch(.all)) == 10)
  }
}
