import CoreData
import SlipboxLibrary
import Testing

/// The document's tests of folders and of their content.
@MainActor struct FolderTests {
  let controller = PersistenceController.createEmpty()
  var context: NSManagedObjectContext { controller.container.viewContext }

  @Test func `a folder has a creation date`() {
    #expect(Folder(name: "new", context: context).creationDate_ != nil)
  }

  @Test func `fetching all folders finds every one, oldest first`() throws {
    let first = Folder(name: "first", context: context)
    let second = Folder(name: "second", context: context)
    second.creationDate_ = first.creationDate + 1
    let found = try context.fetch(Folder.fetch(.all))
    #expect(found.count == 2)
    #expect(found.first == first)
    #expect(found.last == second)
  }

  @Test(arguments: [true, false])
  func `a note put into a folder from either side is in it`(fromNote: Bool) {
    let note = Note(title: "new note", context: context)
    let folder = Folder(name: "new folder", context: context)
    if fromNote { note.folder = folder } else { folder.notes.insert(note) }
    #expect(folder.notes.contains(note))
    #expect(note.folder == folder)
  }

  @Test func `deleting a folder deletes its notes`() throws {
    let note = Note(title: "new note", context: context)
    let folder = Folder(name: "new folder", context: context)
    note.folder = folder
    Folder.delete(folder)
    #expect(try context.fetch(Folder.fetch(.all)).isEmpty)
    #expect(try context.fetch(Note.fetch(.all)).isEmpty)
  }

  @Test func `deleting a note leaves its folder`() throws {
    let note = Note(title: "new note", context: context)
    let folder = Folder(name: "new folder", context: context)
    note.folder = folder
    Note.delete(note: note)
    #expect(try context.fetch(Folder.fetch(.all)) == [folder])
    #expect(folder.notes.isEmpty)
  }

  @Test func `deleting a folder deletes its subfolders at every depth`() throws {
    let parent = Folder.nestedFolderExample(context: context)
    #expect(try context.count(for: Folder.fetch(.all)) == 4)
    Folder.delete(parent)
    #expect(try context.fetch(Folder.fetch(.all)).isEmpty)
  }

  @Test func `deleting a subfolder leaves its parent`() throws {
    let parent = Folder(name: "parent", context: context)
    let child = Folder(name: "child", context: context)
    parent.children.insert(child)
    Folder.delete(child)
    #expect(try context.fetch(Folder.fetch(.all)) == [parent])
    #expect(parent.children.isEmpty)
  }

  @Test func `the top folders are those in no other`() throws {
    let parent = Folder(name: "parent", context: context)
    let child = Folder(name: "", context: context)
    parent.children.insert(child)
    #expect(try context.fetch(Folder.topFolderFetch()) == [parent])
  }

  @Test func `a limit takes the first two of three folders`() throws {
    for _ in 0..<3 { _ = Folder(name: "parent", context: context) }
    let request = Folder.topFolderFetch()
    request.fetchLimit = 2
    #expect(try context.fetch(request).count == 2)
  }

  @Test func `a batch size of two still finds all three folders`() throws {
    for _ in 0..<3 { _ = Folder(name: "parent", context: context) }
    let request = Folder.topFolderFetch()
    request.fetchBatchSize = 2
    #expect(try context.fetch(request).count == 3)
  }

  @Test func `a folder counts its notes when it is saved`() throws {
    let folder = Folder.exampleWithNotes(context: context)
    try context.save()
    #expect(folder.notesCount == 10)
  }

  @Test func `a folder remembers how its notes were ordered`() throws {
    let folder = Folder(name: "folder", context: context)
    folder.sorting = .titleDescending
    try context.save()
    context.refresh(folder, mergeChanges: false)
    #expect(folder.sorting == .titleDescending)
    #expect(folder.viewOptions_?["sort"] as? String == "titleDescending")
    folder.sorting = nil
    #expect(folder.viewOptions_ == nil)
  }

  @Test func `a folder lies in itself and in those above it`() throws {
    let parent = Folder.nestedFolderExample(context: context)
    let second = try #require(parent.children.first { $0.name == "child 2" })
    let third = try #require(second.children.first)
    #expect(third.isOrLies(in: parent))
    #expect(third.isOrLies(in: third))
    #expect(!parent.isOrLies(in: third))
    #expect(Set(parent.withDescendants.map(\.name)) == ["parent", "child 1", "child 2", "child 3"])
  }
}
