import CoreData
import RichText
import SlipboxLibrary
import Testing

/// The document's tests of notes, each named by its statement.
@MainActor struct NoteTests {
  let controller = PersistenceController.createEmpty()
  var context: NSManagedObjectContext { controller.container.viewContext }

  @Test func `a note has a creation date however it is made`() {
    let note = Note(context: context)
    let convenient = Note(title: "new", context: context)
    #expect(note.creationDate_ != nil)
    #expect(convenient.creationDate_ != nil)
    #expect(note.uuid_ != nil)
  }

  @Test func `a note's title can be changed`() {
    let note = Note(title: "old", context: context)
    note.title = "new"
    #expect(note.title == "new")
  }

  @Test func `fetching all notes finds every one, oldest first`() throws {
    let first = Note(title: "first", context: context)
    let second = Note(title: "second", context: context)
    second.creationDate = first.creationDate + 1
    #expect(try context.fetch(Note.fetch(.all)) == [first, second])
    #expect(try context.fetch(Note.fetch(.none)).isEmpty)
  }

  @Test func `a deleted note is not found`() throws {
    let note = Note(title: "note to delete", context: context)
    Note.delete(note: note)
    #expect(try context.fetch(Note.fetch(.all)).isEmpty)
  }

  @Test func `saving is told by a notification`() async throws {
    let context = context
    _ = Note(title: "default note", context: context)
    try await confirmation { saved in
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave,
        object: context,
        queue: nil
      ) { _ in saved() }
      try controller.save()
      NotificationCenter.default.removeObserver(observer)
    }
  }

  @Test func `a note is no favourite and a draft at first`() {
    let note = Note(title: "default note", context: context)
    #expect(!note.isFavorite)
    #expect(note.status == .draft)
  }

  @Test func `a status is kept as text, and what is none is a draft`() {
    let note = Note(title: "note", context: context)
    note.status = .archived
    #expect(note.status_ == "Archived")
    note.status_ = "Lost"
    #expect(note.status == .draft)
  }

  @Test func `a text is kept as RTF, as a document and in lower case`() {
    let note = Note(title: "note", context: context)
    note.formattedBodyText = RichText(plainText: "Hello World")
    #expect(note.bodyText == "hello world")
    #expect(note.formattedBodyText.plainText == "Hello World")
    #expect(note.formattedBodyText_ != nil)
    #expect(note.document_?.contains("\"version\":5") == true)
  }

  @Test func `a note's day follows its creation date`() {
    let note = Note(title: "note", context: context)
    note.creationDate = Date(timeIntervalSince1970: 1_795_000_000)
    #expect(note.day_ == note.day)
    #expect(note.day.hasPrefix("2026-11-1"))
  }

  @Test func `the canonical title has neither case nor accents`() throws {
    let note = Note(title: "Éclair au CAFÉ", context: context)
    try context.save()
    #expect(note.canonicalTitle == "eclair au cafe")
  }

  @Test func `notes are compared by their dates`() {
    let older = Note(title: "b", context: context)
    let newer = Note(title: "a", context: context)
    newer.creationDate = older.creationDate + 60
    #expect([newer, older].sorted() == [older, newer])
  }

  @Test func `links lead both ways`() {
    let one = Note(title: "one", context: context)
    let other = Note(title: "other", context: context)
    one.linkedNotes.insert(other)
    #expect(other.backLinkedNotes == [one])
    Note.delete(note: other)
    context.processPendingChanges()
    #expect(one.linkedNotes.isEmpty)
  }

  @Test func `an attachment goes with its note, and a note stays without its attachment`() throws {
    let note = Note(title: "note", context: context)
    let attachment = Attachment(image: Data([1, 2, 3]), context: context)
    note.attachment = attachment
    #expect(attachment.byteCount == 3)
    context.delete(attachment)
    context.processPendingChanges()
    #expect(note.attachment == nil)
    note.attachment = Attachment(image: nil, context: context)
    Note.delete(note: note)
    try context.save()
    #expect(try context.count(for: Attachment.fetchRequest()) == 0)
  }

  @Test func `a thumbnail is kept in memory only`() throws {
    let attachment = Attachment(image: Data([1]), context: context)
    attachment.thumbnailData = Data([9])
    try context.save()
    context.refresh(attachment, mergeChanges: false)
    #expect(attachment.thumbnailData == nil)
    #expect(attachment.fullImageData == Data([1]))
  }
}
