import CoreData
import TestSupport
import Testing

@Suite struct SavingTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `what was saved is there in another context`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let writer = stack.context()
    try writer.performAndWait {
      let folder = Folder(context: writer)
      folder.name = "Ideas"
      let note = Note(context: writer)
      note.title = "A title of more than fifteen bytes"
      note.stars = 3
      note.folder = folder
      try writer.save()
      #expect(!note.objectID.isTemporaryID)
      #expect(!writer.hasChanges)
    }
    let reader = stack.context()
    try reader.performAndWait {
      let notes = try reader.fetch(Note.fetchRequest())
      let note = try #require(notes.first)
      #expect(note.isFault)
      #expect(note.title == "A title of more than fifteen bytes")
      #expect(note.stars == 3)
      #expect(note.folder?.name == "Ideas")
      #expect(note.folder?.notes as? Set<Note> == [note])
    }
  }
}
