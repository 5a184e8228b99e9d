import CoreData
import Foundation
import TestSupport
import Testing

/// The behaviour of contexts must be the same in every store.
@Suite struct OtherStoresTests {
  @Test(arguments: StoreKind.with(.reopening, .everyDigit))
  func `every kind of attribute comes back`(store: StoreKind) throws {
    let stack = try store.stack()
    let date = Date(timeIntervalSinceReferenceDate: 336_046_917.25)
    let uuid = UUID()
    let id = try stack.saved { context in
      let note = context.note("<Grüße> & \"\\\" \u{1F600}\nsecond line\r\u{1}")
      note.created = date
      note.image = Data([0, 1, 2, 255])
      note.isFavourite = true
      note.keywords = ["one", "two"]
      note.link = URL(string: "https://example.com/a?b=c&d=%20")
      note.price = NSDecimalNumber(string: "12345678901234567890.25")
      note.rating = 0.1
      note.stars = 5
      note.text = ""
      note.uuid = uuid
      note.views = NSNumber(value: Int64.max)
      note.scratch = "not stored"
      return note
    }
    for stack in [stack, try store.reopened(stack)] {
      try stack.work { context throws in
        let uri = id.uriRepresentation()
        let id = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
        let note = try #require(try context.existingObject(with: id) as? Note)
        #expect(note.title == "<Grüße> & \"\\\" \u{1F600}\nsecond line\r\u{1}")
        #expect(note.created == date)
        #expect(note.image == Data([0, 1, 2, 255]))
        #expect(note.isFavourite)
        #expect(note.keywords as? [String] == ["one", "two"])
        #expect(note.link?.absoluteString == "https://example.com/a?b=c&d=%20")
        #expect(
          note.price?.compare(NSDecimalNumber(string: "12345678901234567890.25")) == .orderedSame
        )
        #expect(note.rating == 0.1)
        #expect(note.stars == 5)
        #expect(note.text == "")
        #expect(note.uuid == uuid)
        #expect(note.views == NSNumber(value: Int64.max))
        #expect(note.scratch == nil)
      }
    }
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `every kind of relationship comes back`(store: StoreKind) throws {
    let stack = try store.stack()
    try stack.work(Self.populate)
    try stack.work { try Self.expectPopulated($0) }
    try store.reopened(stack).work { try Self.expectPopulated($0) }
  }

  /// Folders, tags and bins around five notes.
  static func populate(_ context: NSManagedObjectContext) throws {
    let (top, inner) = (context.folder("Top"), context.folder("Inner"))
    inner.parent = top
    let notes = ["a", "b", "c", "d"].map { context.note($0, in: top) }
    let list = Checklist(context: context)
    list.title = "list"
    list.itemCount = 3
    list.folder = inner
    inner.cover = list
    for index in [2, 0, 3] { top.addToPinned(notes[index]) }
    let (red, blue) = (context.tag("red"), context.tag("blue"))
    for index in [3, 1] { red.addToNotes(notes[index]) }
    notes[1].addToTags(blue)
    notes[0].addToRelated(notes[1])
    notes[2].addToRelated(notes[2])
    let bin = Bin(context: context)
    bin.name = "bin"
    bin.kept = Set(notes.prefix(2)) as NSSet
    bin.addToQueue(notes[3])
    bin.addToQueue(list)
    try context.save()
  }

  static func expectPopulated(_ context: NSManagedObjectContext) throws {
    let folders = try context.fetch(Folder.fetchRequest())
    let top = try #require(folders.first { $0.name == "Top" })
    let inner = try #require(folders.first { $0.name == "Inner" })
    #expect(top.titles == ["a", "b", "c", "d"])
    #expect(top.pinnedTitles == ["c", "a", "d"])
    #expect(top.children?.anyObject() as? Folder === inner)
    let list = try #require(inner.cover as? Checklist)
    #expect(list.itemCount == 3)
    #expect(list.covers === inner)
    let tags = try context.fetch(Tag.fetchRequest())
    let notes = { (name: String) in
      (tags.first { $0.name == name }?.notes?.array as? [Note] ?? []).map { $0.title ?? "" }
    }
    #expect(notes("red") == ["d", "b"])
    #expect(notes("blue") == ["b"])
    let byTitle = Dictionary(
      uniqueKeysWithValues: try context.fetch(Note.fetchRequest()).map { ($0.title ?? "", $0) }
    )
    let related = { (title: String) in
      (byTitle[title]?.related as? Set<Note> ?? []).map { $0.title ?? "" }
    }
    #expect(related("a") == ["b"])
    #expect(related("b") == ["a"])
    #expect(related("c") == ["c"])
    let bin = try #require(try context.fetch(Bin.fetchRequest()).first)
    #expect((bin.kept as? Set<Note> ?? []).map { $0.title ?? "" }.sorted() == ["a", "b"])
    #expect((bin.queue?.array as? [Note] ?? []).map(\.title) == ["d", "list"])
    #expect(checkInvariants(of: context) == [])
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `fetches are answered as everywhere`(store: StoreKind) throws {
    let stack = try store.stack()
    try stack.work(Self.populate)
    try stack.work { context throws in
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "title > 'a'")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
      #expect(try context.fetch(request).map(\.title) == ["list", "d", "c", "b"])
      request.fetchOffset = 1
      request.fetchLimit = 2
      #expect(try context.fetch(request).map(\.title) == ["d", "c"])
      #expect(try context.count(for: request) == 2)
      request.includesSubentities = false
      request.fetchOffset = 0
      #expect(try context.fetch(request).map(\.title) == ["d", "c"])
      let named = Note.fetchRequest()
      named.predicate = NSPredicate(format: "folder.name == %@", "Inner")
      #expect(try context.fetch(named).map(\.title) == ["list"])
      let all = NSFetchRequest<NSManagedObjectID>(entityName: "Checklist")
      all.resultType = .managedObjectIDResultType
      #expect(try context.fetch(all).count == 1)
      context.note("z")
      request.includesSubentities = true
      request.fetchLimit = 1
      #expect(try context.fetch(request).map(\.title) == ["z"], "unsaved changes are seen")
    }
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `a row that was changed meanwhile refuses the save, and a refresh lets it through`(
    store: StoreKind
  ) throws {
    let stack = try store.stack()
    let id = try stack.saved { $0.note("one") }
    try stack.work { context throws in
      let note = context.find(id)
      note.stars = 1
      try stack.work { other in
        other.find(id).title = "theirs"
        try other.save()
      }
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == 133_020)
      #expect(note.isUpdated)
      context.refresh(note, mergeChanges: true)
      #expect(note.title == "theirs")
      try context.save()
    }
    try store.reopened(stack).work { context throws in
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      #expect(note.title == "theirs")
      #expect(note.stars == 1)
      context.delete(note)
      try context.save()
    }
    try store.reopened(stack).work { context throws in #expect(try context.titles() == []) }
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `permanent identities can be had before the save`(store: StoreKind) throws {
    let stack = try store.stack()
    try stack.work { context throws in
      let note = context.note("n")
      try context.obtainPermanentIDs(for: [note])
      let id = note.objectID
      #expect(!id.isTemporaryID)
      #expect(id.persistentStore === stack.store)
      #expect(note.isInserted)
      try context.save()
      #expect(note.objectID == id)
      context.reset()
      #expect(context.find(id).title == "n")
    }
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `a deleted folder takes its notes along, and what is gone stays gone`(
    store: StoreKind
  ) throws {
    let stack = try store.stack()
    try stack.work(Self.populate)
    try stack.work { context throws in
      let top = try #require(
        try context.fetch(Folder.fetchRequest()).first { $0.name == "Top" }
      )
      for tag in try context.fetch(Tag.fetchRequest()) { context.delete(tag) }
      for tag in try context.fetch(Tag.fetchRequest()) { tag.notes = NSOrderedSet() }
      for note in try context.fetch(Note.fetchRequest()) { note.tags = NSSet() }
      context.delete(top)
      try context.save()
      #expect(try context.titles() == [])
    }
    try store.reopened(stack).work { context throws in
      #expect(try context.titles() == [])
      #expect(try context.count(for: Folder.fetchRequest()) == 0)
      let bin = try #require(try context.fetch(Bin.fetchRequest()).first)
      #expect(bin.kept?.count == 0)
      #expect(bin.queue?.count == 0)
    }
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `metadata are written with the next save, also with one without changes (105, 113)`(
    store: StoreKind
  ) throws {
    let stack = try store.stack()
    let uuid = try #require(stack.store.identifier)
    stack.coordinator.setMetadata(["author": "somebody"], for: stack.store)
    #expect(stack.coordinator.metadata(for: stack.store)["author"] as? String == "somebody")
    #expect(stack.store.metadata[NSStoreUUIDKey] as? String == uuid)
    #expect(stack.store.metadata[NSStoreTypeKey] as? String == store.type)
    #expect(try store.reopened(stack).store.metadata["author"] as? String ?? "" == "")
    try stack.work { try $0.save() }
    let again = try store.reopened(stack).store
    #expect(again.metadata["author"] as? String == "somebody")
    #expect(again.identifier == uuid)
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `metadata that were set on the store itself were never saved (105)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let store = try #require(stack.coordinator.persistentStores.first)
    store.metadata = ["author": "somebody"]
    let context = stack.context()
    try context.performAndWait { try context.save() }
    let again = try kind.reopened(stack)
    #expect(again.coordinator.persistentStores.first?.metadata["author"] as? String == "somebody")
  }

  @Test(arguments: StoreKind.with(.reopening, .anyModel))
  func `a store of another model is refused with 134100 (106)`(store: StoreKind) throws {
    let stack = try store.stack()
    stack.coordinator.setMetadata(["author": "somebody"], for: stack.store)
    try stack.work { try $0.save() }
    let file = try #require(stack.file)
    let model = try #require(NotesStack.model.copy() as? NSManagedObjectModel)
    model.entities.removeAll { $0.name == "Bin" }
    let other = NSPersistentStoreCoordinator(managedObjectModel: model)
    let open = { (options: [String: Any]) in
      try other.addPersistentStore(type: store.storeType, at: file, options: options)
    }
    #expect(errorCode { try open([:]) } == 134_100)
    #expect(errorCode { try open([NSIgnorePersistentStoreVersioningOption: true]) } == nil)
  }

  @Test(arguments: StoreKind.with(.reopening))
  func `a read-only store refuses saves, also of what was assigned to it`(store: StoreKind) throws {
    let stack = try store.stack()
    try stack.saved { $0.note("n") }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let readOnly = try store.add(
      to: coordinator,
      at: stack.file,
      options: [NSReadOnlyPersistentStoreOption: true]
    )
    #expect(readOnly.isReadOnly)
    try LivingNotes.work(coordinator) { context throws in
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      #expect(note.title == "n")
      note.title = "m"
      #expect(errorCode { try context.save() } == CocoaError.fileWriteNoPermission.rawValue)
      context.rollback()
      context.assign(context.note("new"), to: readOnly)
      #expect(errorCode { try context.save() } == CocoaError.fileWriteNoPermission.rawValue)
    }
  }

  @Test(arguments: StoreKind.with(.managedFiles))
  func `an empty file is a new store (113)`(store: StoreKind) throws {
    let file = TestSupport.TemporaryFolder.file("Notes")
    try Data().write(to: file)
    let stack = try store.stack(at: file)
    try stack.saved { $0.note("n") }
    try store.reopened(stack).work { context throws in #expect(try context.titles() == ["n"]) }
  }
}
