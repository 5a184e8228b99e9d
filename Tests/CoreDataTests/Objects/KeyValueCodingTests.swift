import CoreData
import Foundation
import TestSupport
import Testing

@Suite struct KeyValueCodingTests {
  @Test func `values go in and come out by name`() throws {
    try NotesStack().work { context in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("One", forKey: "title")
      note.setValue(4, forKey: "stars")
      note["rating"] = 2.5
      #expect((note as? Note)?.title == "One")
      #expect(note.value(forKey: "stars") as? NSNumber == 4)
      #expect(note["rating"] as? Double == 2.5)
      #expect(note.value(forKey: "isFavourite") as? Bool == false)
    }
  }

  @Test func `a whole number is taken in any type and a missing one is nil`() throws {
    try NotesStack().work { context in
      let note = context.note("One")
      let values: [any Sendable] = [3, Int8(3), UInt64(3), Int16(3), Int64(3), 3 as UInt]
      for value in values {
        note.setValue(nil, forKey: "stars")
        note.setValue(value, forKey: "stars")
        #expect(note.stars == 3, "\(type(of: value))")
      }
      note.setValue(NSNumber(value: 3.0), forKey: "stars")
      #expect(note.stars == 3)
      let none: Int? = nil
      note.setValue(none as Any, forKey: "stars")
      #expect(note.value(forKey: "stars") == nil)
      note.setValue(Int?.some(2) as Any, forKey: "stars")
      #expect(note.stars == 2)
    }
  }

  @Test func `a fractional number stopped the program where an attribute is an integer`() throws {
    try NotesStack().work { context in
      let note = context.note("One")
      let half: Float = 2.5
      let values: [Any] = [
        3.7 as Double, half, NSNumber(value: 4.99), NSDecimalNumber(string: "1.75"),
      ]
      let stars = values.map { value in
        note.setValue(value, forKey: "stars")
        return Int(note.stars)
      }
      #expect(stars == [3, 2, 4, 1])
      let large: Double = -1_000_000_000_000_000.5
      note.setValue(large, forKey: "views")
      #expect(note.value(forKey: "views") as? Int == -1_000_000_000_000_000)
      var value: AnyObject? = NSNumber(value: 4.2)
      try note.validateValue(&value, forKey: "stars")
      #expect(value as? Int16 == 4)
    }
  }

  @Test func `reference types of Foundation are taken too`() throws {
    try NotesStack().work { context in
      let note = context.note("One")
      let date = Date(timeIntervalSinceReferenceDate: 5)
      let uuid = UUID()
      note.setValue("Two" as NSString, forKey: "title")
      note.setValue(date as NSDate, forKey: "created")
      note.setValue(uuid as NSUUID, forKey: "uuid")
      note.setValue(Data([1, 2]) as NSData, forKey: "image")
      note.setValue(Decimal(3), forKey: "price")
      note.setValue(NSNull(), forKey: "link")
      #expect(note.title == "Two")
      #expect(note.created == date)
      #expect(note.uuid == uuid)
      #expect(note.image == Data([1, 2]))
      #expect(note.price == NSDecimalNumber(value: 3))
      #expect(note.link == nil)
    }
  }

  @Test func `key paths lead over relationships`() throws {
    try NotesStack().work { context in
      let folder = context.folder("Ideas", in: context.folder("Home"))
      let one = context.note("One", in: folder)
      let two = context.note("Two", in: folder)
      (one.stars, two.stars) = (2, 4)
      #expect(one.value(forKeyPath: "folder.parent.name") as? String == "Home")
      #expect(folder.value(forKeyPath: "notes.title") as? Set<String> == ["One", "Two"])
      #expect(folder.value(forKeyPath: "notes.@count") as? Int == 2)
      #expect(folder.value(forKeyPath: "notes.@sum.stars") as? Int == 6)
      #expect(folder.value(forKeyPath: "notes.@avg.stars") as? Double == 3)
      one.setValue("Study", forKeyPath: "folder.parent.name")
      #expect(folder.parent?.name == "Study")
      #expect(context.note("Loose").value(forKeyPath: "folder.parent.name") == nil)
      context.note("Looser").setValue("x", forKeyPath: "folder.name")
    }
  }

  @Test func `collections that elements of a collection have were poured into one`() throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let (one, two, three) = (context.note("1"), context.note("2"), context.note("3"))
      let (red, blue) = (context.tag("red"), context.tag("blue"))
      one.tags = NSSet(array: [red, blue])
      two.tags = NSSet(object: blue)
      for note in [one, two, three] { note.folder = folder }
      let list = NSArray(array: [one, two, three])
      let tags = try #require(list.value(forKey: "tags") as? [Any])
      let counts = tags.map { ($0 as? NSSet)?.count ?? -1 }
      #expect(counts == [2, 1, 0])
      let names = try #require(list.value(forKeyPath: "tags.name") as? [Any])
      let sorted = names.map { ($0 as? Set<String> ?? ["?"]).sorted() }
      let expected: [[String]] = [["blue", "red"], ["blue"], []]
      #expect(sorted == expected)
      #expect((list.value(forKeyPath: "@unionOfSets.tags") as? [Any])?.count == 3)
      let union = try #require(list.value(forKeyPath: "@distinctUnionOfArrays.tags.name") as? [Any])
      #expect(Set(union.compactMap { $0 as? String }) == ["red", "blue"])
      let texts = try #require(list.value(forKey: "text") as? [Any])
      #expect(texts.count == 3 && texts.allSatisfy { $0 is NSNull })
      let set = try #require(folder.notes)
      let owned = try #require(set.value(forKey: "tags") as? Set<AnyHashable>)
      #expect(owned.compactMap { ($0.base as? NSSet)?.count }.sorted() == [0, 1, 2])
      #expect((folder.value(forKeyPath: "notes.tags") as? Set<AnyHashable>)?.count == 3)
      #expect((set.value(forKey: "text") as? Set<AnyHashable>)?.isEmpty == true)
      let distinct = folder.value(forKeyPath: "notes.@distinctUnionOfSets.tags.name")
      #expect(distinct as? Set<String> == ["red", "blue"])
      // A set of lists: Swift's arrays of anything cannot be hashed.
      let pinned = NSSet(object: NSArray(array: [folder]))
      #expect((pinned.value(forKey: "name") as? Set<AnyHashable>)?.first?.base is NSArray)
    }
  }

  @Test(arguments: [
    ("ANY notes.tags.name == 'red'", true), ("notes.tags.@count == 2", true),
    ("SUBQUERY(notes.tags, $t, $t.name == 'blue').@count == 1", true),
  ])
  func `predicates still ask all members of all members`(format: String, holds: Bool) throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let (one, two) = (context.note("1", in: folder), context.note("2", in: folder))
      let (red, blue) = (context.tag("red"), context.tag("blue"))
      one.tags = NSSet(array: [red, blue])
      two.tags = NSSet(object: blue)
      #expect(NSPredicate(format: format).evaluate(with: folder) == holds)
    }
  }

  @Test func `a key path through a to-many relationship could not be set`() throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let (one, two) = (context.note("1", in: folder), context.note("2", in: folder))
      folder.setValue("z", forKeyPath: "notes.title")
      #expect(one.title == "z" && two.title == "z")
      one.tags = NSSet(array: [context.tag("red"), context.tag("blue")])
      two.setValue("y", forKeyPath: "folder.notes.tags.name")
      #expect(one.value(forKeyPath: "tags.name") as? Set<String> == ["y"])
      folder.setValue(nil, forKeyPath: "notes.folder")
      #expect(folder.notes?.count == 0)
      folder.setValue("x", forKeyPath: "notes.title")
      #expect(one.title == "z")
    }
  }

  @Test func `dictionaries of values have NSNull for nil`() throws {
    try NotesStack().work { context in
      let note = context.note("One")
      let values = note.dictionaryWithValues(forKeys: ["title", "text", "stars"])
      #expect(values.count == 3)
      #expect(values["title"] as? String == "One")
      #expect(values["text"] is NSNull)
      note.setValuesForKeys(["title": NSNull(), "text": "T", "stars": 1])
      #expect(note.title == nil)
      #expect(note.text == "T")
      #expect(note.stars == 1)
    }
  }

  @Test func `relationships are set by name, with sets of either kind`() throws {
    try NotesStack().work { context in
      let folder = context.folder("Ideas")
      let (one, two) = (context.note("One"), context.note("Two"))
      folder.setValue(Set([one, two]), forKey: "notes")
      #expect(folder.titles == ["One", "Two"])
      folder.setValue(NSSet(object: two), forKey: "notes")
      #expect(folder.titles == ["Two"])
      #expect(one.folder == nil)
      folder.setValue(NSOrderedSet(array: [two, one]), forKey: "pinned")
      #expect(folder.pinnedTitles == ["Two", "One"])
      one.setValue(folder, forKey: "folder")
      #expect(folder.titles == ["One", "Two"])
      folder.setValue(nil, forKey: "notes")
      #expect(folder.titles == [])
      #expect(folder.value(forKey: "pinned") is NSOrderedSet)
      #expect(folder.value(forKey: "notes") is NSSet)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a value set by primitive access is no change`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      note.setPrimitiveValue("Quiet", forKey: "title")
      #expect(note.title == "Quiet")
      #expect(note.primitiveValue(forKey: "title") as? String == "Quiet")
      #expect(note.changedValues().isEmpty)
      #expect(!note.hasChanges)
      note.willChangeValue(forKey: "title")
      note.setPrimitiveValue("Loud", forKey: "title")
      note.didChangeValue(forKey: "title")
      #expect(note.changedValues()["title"] as? String == "Loud")
      #expect(note.isUpdated)
      try context.save()
    }
    try stack.work { #expect($0.find(id).title == "Loud") }
  }

  @Test func `primitive access does not touch the inverse`() throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let note = context.note("One")
      note.setPrimitiveValue(folder, forKey: "folder")
      #expect(note.folder === folder)
      #expect(folder.notes?.count == 0)
    }
  }

  @Test func `what every object tells of itself was no key`() throws {
    try NotesStack().work { context in
      let note = context.note("One")
      func flags(_ keys: [String]) -> [Bool?] { keys.map { note.value(forKey: $0) as? Bool } }
      let keys = ["isInserted", "isUpdated", "isDeleted", "isFault", "hasChanges"]
      #expect(flags(keys) == [true, false, false, false, true])
      #expect(flags(["inserted", "updated", "deleted", "fault"]) == [true, false, false, false])
      #expect(note.value(forKey: "managedObjectContext") as? NSManagedObjectContext === context)
      #expect(note.value(forKey: "faultingState") as? Int == 0)
      try context.save()
      note.title = "Two"
      #expect(flags(keys) == [false, true, false, false, true])
      #expect(flags(["hasPersistentChangedValues"]) == [true])
      #expect(NSPredicate(format: "hasChanges == YES").evaluate(with: note))
      context.delete(note)
      #expect(NSArray(array: [note]).value(forKey: "isDeleted") as? [Bool] == [true])
    }
  }

  @Test func `self, objectID and entity are keys`() throws {
    try NotesStack().work { context in
      let note = context.note("One")
      #expect(note.value(forKey: "self") as? Note === note)
      #expect(note.value(forKey: "objectID") as? NSManagedObjectID == note.objectID)
      #expect((note.value(forKey: "entity") as? NSEntityDescription)?.name == "Note")
    }
  }
}
