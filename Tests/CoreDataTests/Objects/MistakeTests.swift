import CoreData
import TestSupport
import Testing

/// Mistakes that stop the program, each with its sentence.
@Suite struct MistakeTests {
  @Test func `an unknown key is named with the entity's properties`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try NotesStack().work { _ = $0.note("One").value(forKey: "tilte") }
    }
    #expect(result.says("Note has no property tilte; its properties are covers, created"))
  }

  @Test func `setting an unknown key stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try NotesStack().work { $0.note("One").setValue(1, forKey: "tilte") }
    }
    #expect(result.says("Note has no property tilte"))
    #expect(result.says("set by name where setValue(_:forUndefinedKey:) is"))
  }

  @Test func `a value of the wrong type is named`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try NotesStack().work { $0.note("One").setValue("five", forKey: "stars") }
    }
    #expect(result.says("Note.stars takes a value of type Integer 16, not the String five"))
  }

  @Test func `a number that does not fit stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try NotesStack().work { $0.note("One").setValue(70_000, forKey: "stars") }
    }
    #expect(result.says("Note.stars takes a value of type Integer 16, not the Int 70000"))
  }

  @Test func `a real number beyond 64 bits stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try NotesStack().work { $0.note("One").setValue(NSNumber(value: 1e300), forKey: "views") }
    }
    #expect(result.says("Note.views takes a value of type Integer 64"))
  }

  @Test(arguments: ["nan", "-inf", "40000.5"])
  func `a real number that has no whole part of 16 bits stops the program`(text: String) async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) { [text = text as String] in
      try NotesStack().work { $0.note("One").setValue(Double(text), forKey: "stars") }
    }
    #expect(result.says("Note.stars takes a value of type Integer 16"))
  }

  @Test func `an object of another entity cannot be a relationship's`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try NotesStack().work { context in
        context.note("One").setValue(context.tag("T"), forKey: "folder")
      }
    }
    #expect(result.says("Note.folder leads to Folder, not to Tag"))
  }

  @Test func `objects of different contexts cannot be related`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let stack = try NotesStack()
      let other = stack.context()
      try stack.work { context in
        other.performAndWait { context.note("One").folder = other.folder("F") }
      }
    }
    #expect(result.says("the two objects belong to different contexts"))
  }

  @Test func `objects of different contexts cannot be related from the to-many side`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let stack = try NotesStack()
      let other = stack.context()
      try stack.work { context in
        other.performAndWait { context.folder("F").addToNotes(other.note("One")) }
      }
    }
    #expect(result.says("Folder.notes cannot lead to"))
  }

  @Test func `an object of another context cannot be deleted`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let stack = try NotesStack()
      try stack.work { context in
        let note = context.note("One")
        try stack.work { $0.delete(note) }
      }
    }
    #expect(result.says("belongs to another context; delete it there"))
  }

  @Test func `an unknown entity is named with those of the model`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try NotesStack().work {
        _ = NSEntityDescription.insertNewObject(forEntityName: "Nite", into: $0)
      }
    }
    #expect(result.says("has no entity Nite; its entities are Bin, Checklist, Folder, Note, Tag"))
  }

  @Test func `a context without a coordinator says so`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let context = NSManagedObjectContext(.privateQueue)
      context.name = "Lonely"
      _ = try context.performAndWait { try context.fetch(Note.fetchRequest()) }
    }
    #expect(result.says("the context Lonely has no persistent store coordinator"))
  }

  @Test func `a fault whose context was reset cannot be read`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let stack = try NotesStack()
      let id = try stack.saved { $0.note("One") }
      try stack.work { context in
        let note = context.find(id)
        context.reset()
        _ = note.title
      }
    }
    #expect(result.says("its context is gone, or was reset"))
  }

  @Test func `an object was saved in a store without its entity, where no fetch looks for it`()
    async
  {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let note = CodedModel.entity("Note", NSManagedObject.self, CodedModel.attribute("title"))
      let tag = CodedModel.entity("Tag", NSManagedObject.self, CodedModel.attribute("name"))
      let model = CodedModel.model(note, tag)
      model.setEntities([tag], forConfigurationName: "Tags")
      let coordinator = try CodedModel.coordinator(model)
      let tags = try CodedModel.addStore(.memory, to: coordinator, configuration: "Tags")
      try LivingNotes.work(coordinator) { context in
        context.assign(NSManagedObject(entity: tag, insertInto: context), to: tags)
        context.assign(NSManagedObject(entity: note, insertInto: context), to: tags)
      }
    }
    #expect(result.says("Note cannot be assigned to a store of the configuration Tags"))
  }

  @Test func `an ordered relationship has no unordered mutable set`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try NotesStack().work { _ = $0.folder("F").mutableSetValue(forKey: "pinned") }
    }
    #expect(result.says("Folder has no unordered to-many relationship pinned"))
  }
}

extension ExitTest.Result? {
  /// Whether the program's last words have the sentence.
  func says(_ sentence: String) -> Bool {
    String(decoding: self?.standardErrorContent ?? [], as: UTF8.self).contains(sentence)
  }
}
