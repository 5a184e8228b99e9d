import CoreData
import TestSupport
import Testing

/// Tests of a controller's fetches, and of its methods.
@Suite struct ControllerTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `nothing is there before the fetch, and then the objects in order (104)`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      for title in ["Lamp", "Apple", "Kite"] { context.note(title) }
      try context.save()
      let controller = notesController(context)
      #expect(controller.fetchedObjects == nil)
      #expect(controller.sections == nil)
      try controller.performFetch()
      #expect(controller.titles == ["Apple", "Kite", "Lamp"])
      #expect(controller.picture == ": Apple, Kite, Lamp")
      #expect(controller.object(at: IndexPath(row: 1, section: 0)).title == "Kite")
      let kite = try #require(controller.fetchedObjects?[1])
      #expect(controller.indexPath(forObject: kite) == [0, 1])
      #expect(controller.indexPath(forObject: context.note("Other")) == nil)
    }
  }

  @Test func `without sections there is one, even for no objects`() throws {
    try NotesStack().work { context in
      let controller = notesController(context)
      try controller.performFetch()
      #expect(controller.sections?.count == 1)
      #expect(controller.sections?.first?.numberOfObjects == 0)
      #expect(controller.sectionIndexTitles == [])
      let sectioned = notesController(context, sections: "title")
      try sectioned.performFetch()
      #expect(sectioned.sections?.count == 0)
    }
  }

  @Test func `a transient name of sections is computed by the class`() throws {
    let initial = CodedModel.attribute("initial")
    initial.isTransient = true
    let coordinator = try CodedModel.coordinator(
      CodedModel.model(
        CodedModel.entity("Initial", InitialNote.self, CodedModel.attribute("title"), initial)
      )
    )
    try LivingNotes.work(coordinator) { context in
      for title in ["apple", "avocado", "banana"] {
        InitialNote(context: context).setValue(title, forKey: "title")
      }
      try context.save()
      let request = NSFetchRequest<InitialNote>(entityName: "Initial")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request,
        managedObjectContext: context,
        sectionNameKeyPath: "initial",
        cacheName: nil
      )
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == ["a", "b"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `sections are named by the description of the value (104)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let ideas = context.folder("ideas")
      let work = context.folder("work")
      context.note("Lamp", in: ideas).stars = 2
      context.note("Kite", in: ideas)
      context.note("Letter", in: work)
      context.note("Loose")
      try context.save()
      let byFolder = notesController(
        context,
        by: ["folder.name", "title"],
        sections: "folder.name"
      )
      try byFolder.performFetch()
      #expect(byFolder.picture == ": Loose | ideas: Kite, Lamp | work: Letter")
      #expect(byFolder.sections?.map(\.indexTitle) == [nil, "I", "W"])
      #expect(byFolder.sectionIndexTitles == ["I", "W"])
      #expect(byFolder.section(forSectionIndexTitle: "W", at: 1) == 2)
      let byStars = notesController(context, by: ["stars", "title"], sections: "stars")
      try byStars.performFetch()
      #expect(byStars.picture == "0: Kite, Letter, Loose | 2: Lamp")
    }
  }

  @Test func `the second of two equal index titles led to the section of the first`() throws {
    try NotesStack().work { context in
      for title in ["Apple", "Zebra", "apple", "apricot"] { context.note(title) }
      let controller = notesController(context, sections: "title")
      try controller.performFetch()
      #expect(controller.sectionIndexTitles == ["A", "Z", "A"])
      let sections = controller.sectionIndexTitles.enumerated().map { index, title in
        controller.section(forSectionIndexTitle: title, at: index)
      }
      #expect(sections == [0, 1, 2])
      #expect(controller.section(forSectionIndexTitle: "Z", at: 0) == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `index titles come from the delegate, or from a subclass`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      context.note("Apple")
      context.note("Avocado")
      context.note("Bread")
      let controller = notesController(context, sections: "title")
      try controller.performFetch()
      #expect(controller.sectionIndexTitles == ["A", "B"])
      #expect(controller.section(forSectionIndexTitle: "B", at: 1) == 2)
      let delegate = TitleGiver()
      controller.delegate = delegate
      try controller.performFetch()
      #expect(controller.sectionIndexTitles == ["(Apple)", "(Avocado)", "(Bread)"])

      let numbered = Numbered(
        fetchRequest: controller.fetchRequest,
        managedObjectContext: context,
        sectionNameKeyPath: "title",
        cacheName: nil
      )
      try numbered.performFetch()
      #expect(numbered.sections?.map(\.indexTitle) == ["5", "7", "5"])
    }
  }

  private final class Numbered: NSFetchedResultsController<Note> {
    override func sectionIndexTitle(forSectionName sectionName: String) -> String? {
      "\(sectionName.count)"
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an order that is not by section is refused (100)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      for (title, stars) in [("A", 1), ("B", 2), ("C", 1)] {
        context.note(title).stars = Int16(stars)
      }
      try context.save()
      let controller = notesController(context, by: ["title"], sections: "stars")
      do {
        try controller.performFetch()
        Issue.record("nothing was thrown")
      } catch let error as NSError {
        #expect(error.code == NSCoreDataError)
        #expect(
          error.localizedFailureReason
            == "The Note at index 2 is out of order: the section \"1\" ended before it."
        )
      }
      #expect(controller.fetchedObjects == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an empty order is one, and what arrives comes last`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    for title in ["b", "a", "c"] { try stack.saved { $0.note(title) } }
    try stack.work { context in
      let controller = notesController(context, by: [])
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      #expect(Set(controller.titles ?? []) == ["a", "b", "c"])
      let order = controller.titles ?? []
      let new = context.note("0")
      context.processPendingChanges()
      #expect(controller.titles == order + ["0"])
      #expect(log.take() == ["will", "insert 0 nil → 0.3", "did"])
      let first = try #require(controller.fetchedObjects?.first)
      first.title = "z"
      context.delete(new)
      context.processPendingChanges()
      #expect(controller.titles == ["z"] + order.dropFirst())
      #expect(controller.indexPath(forObject: first) == IndexPath(row: 0, section: 0))
    }
  }

  @Test func `results without an order stop the program (100)`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try NotesStack().work { context in
        _ = NSFetchedResultsController<Note>(
          fetchRequest: NSFetchRequest(entityName: "Note"),
          managedObjectContext: context,
          sectionNameKeyPath: nil,
          cacheName: nil
        )
      }
    }
    #expect(result.says("the request for Note has no sort descriptors; set an empty array"))
  }

  @Test func `a place that is not there stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try NotesStack().work { context in
        let controller = notesController(context)
        try controller.performFetch()
        _ = controller.object(at: IndexPath(row: 0, section: 0))
      }
    }
    #expect(result.says("the results have 1 sections with 0 objects"))
  }

  @Test(arguments: StoreKind.allCases)
  func `a request for identities is refused`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      request.resultType = .managedObjectIDResultType
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request,
        managedObjectContext: context,
        sectionNameKeyPath: nil,
        cacheName: nil
      )
      #expect(errorCode { try controller.performFetch() } == 134_091)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a changed request counts with the next fetch`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      context.note("A").stars = 1
      context.note("B").stars = 2
      let controller = notesController(context)
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      controller.fetchRequest.predicate = NSPredicate(format: "stars > 1")
      #expect(controller.titles == ["A", "B"])
      try controller.performFetch()
      #expect(controller.titles == ["B"])
      #expect(log.lines == [])
    }
  }

  @Test func `an index path has a section and a row`() {
    var path = IndexPath(row: 3, section: 1)
    #expect(path == [1, 3] && path.section == 1 && path.row == 3 && path.item == 3)
    path.row = 4
    path.section = 0
    #expect(path == IndexPath(item: 4, section: 0))
  }
}

/// A note that computes the name of its section.
final class InitialNote: NSManagedObject {
  override func value(forKey key: String) -> Any? {
    guard key == "initial" else { return super.value(forKey: key) }
    let title = super.value(forKey: "title") as? String
    return title?.first.map { String($0) }
  }
}
