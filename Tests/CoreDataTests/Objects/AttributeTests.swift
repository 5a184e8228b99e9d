import CoreData
import TestSupport
import Testing

@Suite struct AttributeTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `every type of attribute comes back as it was`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let uuid = UUID()
    let link = try #require(URL(string: "https://example.org/a%20b?c=d#e"))
    let price = NSDecimalNumber(string: "12345678901234567890.123456789")
    let image = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
    let created = Date(timeIntervalSinceReferenceDate: -12345.678)
    let id = try stack.saved { context in
      let note = context.note("Ünïcödé 🙂 with more than fifteen bytes")
      note.created = created
      note.image = image
      note.isFavourite = true
      note.keywords = ["a", 1] as NSArray
      note.link = link
      note.price = price
      note.rating = -0.1
      note.scratch = "not stored"
      note.stars = 5
      note.text = ""
      note.uuid = uuid
      note.views = NSNumber(value: Int64.min)
      return note
    }
    try stack.work { context in
      let note = context.find(id)
      #expect(note.title == "Ünïcödé 🙂 with more than fifteen bytes")
      #expect(note.created == created)
      #expect(note.image == image)
      #expect(note.isFavourite)
      #expect(note.keywords == ["a", 1] as NSArray)
      #expect(note.link == link)
      #expect(note.price == price)
      #expect(note.rating == -0.1)
      #expect(note.scratch == nil)
      #expect(note.stars == 5)
      #expect(note.text == "")
      #expect(note.uuid == uuid)
      #expect(note.views?.int64Value == Int64.min)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `nil comes back as nil after a value`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let keys = [
      "created", "image", "keywords", "link", "price", "text", "title", "uuid", "views",
    ]
    let id = try stack.saved { context in
      let note = context.note("One")
      note.setValuesForKeys([
        "created": Date(), "image": Data([1]), "keywords": NSArray(), "price": Decimal(1),
        "link": URL(fileURLWithPath: "/"), "text": "x", "uuid": UUID(), "views": 9,
      ])
      return note
    }
    try stack.work { context in
      let note = context.find(id)
      for key in keys { #expect(note.value(forKey: key) != nil, "\(key)") }
      for key in keys { note.setValue(nil, forKey: key) }
      for key in keys { #expect(note.value(forKey: key) == nil, "\(key)") }
      try context.save()
      for key in keys { #expect(note.value(forKey: key) == nil, "\(key)") }
    }
    try stack.work { context in
      let note = context.find(id)
      for key in keys { #expect(note.value(forKey: key) == nil, "\(key)") }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `defaults are there at once and can be nil`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.work { context in
      let folder = Folder(context: context)
      #expect(folder.name == "New Folder")
      let note = Note(context: context)
      #expect(note.stars == 0)
      #expect(note.value(forKey: "stars") as? Int == 0)
      #expect(note.value(forKey: "isFavourite") as? Bool == false)
      #expect(note.views == nil)
      #expect(note.changedValues().isEmpty)
      try context.save()
      return folder.objectID
    }
    try stack.work { #expect($0.find(id, as: Folder.self).name == "New Folder") }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a nil that replaces a default stays nil`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let note = context.note("One")
      note.setValue(nil, forKey: "stars")
      return note
    }
    try stack.work { context in
      #expect(context.find(id).value(forKey: "stars") == nil)
      #expect(context.find(id).stars == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a transient value lasts until the object becomes a fault`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let note = context.note("One")
      note.scratch = "here"
      try context.save()
      #expect(note.scratch == "here")
      context.refresh(note, mergeChanges: true)
      #expect(note.scratch == "here")
      context.refresh(note, mergeChanges: false)
      #expect(note.scratch == nil)
      note.scratch = "again"
      context.reset()
      #expect(note.scratch == nil, "a held object kept its transient value after a reset")
      #expect(note.title == "One")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a new object could be made a fault once only`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let note = context.note("One")
      #expect(!note.isFault)
      for _ in 0..<2 {
        context.refresh(note, mergeChanges: false)
        #expect(note.isFault)
        note.willAccessValue(forKey: nil)
        #expect(!note.isFault)
        #expect(note.title == nil)
      }
      try context.save()
      #expect(try context.count(for: Note.fetchRequest()) == 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `large bytes in an attribute that may be external come back`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let bytes = Data(repeating: 7, count: 300_000)
    let id = try stack.saved { context in
      let note = context.note("One")
      note.image = bytes
      return note
    }
    try stack.work { context in
      #expect(context.find(id).image == bytes)
      context.find(id).image = Data()
      try context.save()
    }
    try stack.work { #expect($0.find(id).image == Data()) }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a zero and an empty text that are stored are values, and no nil`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let zero = try stack.saved { context in
      let note = context.note("Zero")
      note.views = 0
      note.text = ""
      note.created = Date(timeIntervalSinceReferenceDate: 0)
      note.price = .zero
      return note
    }
    let none = try stack.saved { $0.note("None") }
    try stack.work { context in
      let (zero, none) = (context.find(zero), context.find(none))
      #expect(zero.views == 0 && zero.text == "" && zero.price == .zero)
      #expect(zero.created == Date(timeIntervalSinceReferenceDate: 0))
      #expect(none.views == nil && none.text == nil && none.price == nil && none.created == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `many long texts in one save stay apart`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let texts = (0..<200).map { String(repeating: "\($0) ", count: 400 + $0) }
    try stack.work { context in
      for (number, text) in texts.enumerated() { context.note("\(number)").text = text }
      try context.save()
    }
    try stack.work { context in
      for note in try context.fetch(Note.fetchRequest()) {
        let number = try #require(note.title.flatMap { Int($0) })
        #expect(note.text == texts[number])
      }
    }
  }
}
