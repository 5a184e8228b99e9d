import CoreData
import TestSupport
import Testing

/// Tests of the calls to a delegate.
@Suite struct ControllerDelegateTests {
  @Test(arguments: StoreKind.allCases)
  func `a deleted section has no objects any more`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      for (title, text) in [("1", "A"), ("2", "A"), ("3", "B")] { context.note(title).text = text }
      try context.save()
      let controller = notesController(context, by: ["text", "title"], sections: "text")
      let log = SectionLog()
      controller.delegate = log
      try controller.performFetch()
      for note in controller.fetchedObjects ?? [] where note.text == "A" { context.delete(note) }
      context.note("4").text = "C"
      context.processPendingChanges()
      #expect(log.lines == ["insert C: 1 of 1 at 1", "delete A: 0 of 0 at 0"])
    }
  }

  @Test func `a section was not equal to itself when somebody asked again`() throws {
    try NotesStack().work { context in
      for (title, text) in [("1", "A"), ("2", "B")] { context.note(title).text = text }
      let controller = notesController(context, by: ["text", "title"], sections: "text")
      let log = SectionLog()
      controller.delegate = log
      try controller.performFetch()
      let sections = [controller.sections, controller.sections].map { $0 as? [NSObject] ?? [] }
      #expect(sections[0].count == 2)
      #expect(sections[0] == sections[1])
      #expect(sections[0][0] != sections[0][1])
      context.note("3").text = "A"
      context.processPendingChanges()
      #expect(controller.sections?.first as? NSObject != sections[0][0])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `inserts, updates, moves and deletes are told with their places (101)`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      for title in ["B", "D", "F"] { context.note(title) }
      try context.save()
      let controller = notesController(context)
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      #expect(log.take() == [])

      context.note("C")
      context.processPendingChanges()
      #expect(log.take() == ["will", "insert C nil → 0.1", "did"])

      controller.fetchedObjects?[2].stars = 3
      context.processPendingChanges()
      #expect(log.take() == ["will", "update D 0.2 → 0.2", "did"])

      controller.fetchedObjects?[3].title = "A"
      context.processPendingChanges()
      #expect(log.take() == ["will", "move A 0.3 → 0.0", "did"])

      let last = try #require(controller.fetchedObjects?.last)
      context.delete(last)
      context.processPendingChanges()
      #expect(log.take() == ["will", "delete D 0.3 → nil", "did"])

      try context.save()
      #expect(log.take() == [])
      #expect(controller.titles == ["A", "B", "C"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an event is told at once, from the places before to the places after (101)`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let notes = ["A", "B", "C", "D"].map { context.note($0) }
      try context.save()
      let controller = notesController(context)
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      context.delete(notes[0])
      notes[1].title = "X"
      notes[3].stars = 2
      context.note("Aa")
      context.processPendingChanges()
      #expect(
        log.take() == [
          "will", "delete A 0.0 → nil", "insert Aa nil → 0.0", "move X 0.1 → 0.3",
          "update D 0.3 → 0.2", "did",
        ]
      )
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `whoever matches no more is deleted, whoever matches now inserted (101)`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let note = context.note("A")
      note.stars = 1
      try context.save()
      let controller = notesController(context, where: "stars > 2")
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      note.title = "B"
      context.processPendingChanges()
      #expect(log.take() == [])
      note.stars = 3
      context.processPendingChanges()
      #expect(log.take() == ["will", "insert B nil → 0.0", "did"])
      note.stars = 0
      context.processPendingChanges()
      #expect(log.take() == ["will", "delete B 0.0 → nil", "did"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a deleted section was told before its objects, and a change is a move (100, 101)`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let notes = ["A", "B", "C"].map { context.note($0) }
      notes[0].stars = 1
      notes[1].stars = 1
      notes[2].stars = 3
      try context.save()
      let controller = notesController(context, by: ["stars", "title"], sections: "stars")
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      #expect(controller.picture == "1: A, B | 3: C")

      notes[1].stars = 3
      context.processPendingChanges()
      #expect(log.take() == ["will", "move B 0.1 → 1.0", "did"])

      notes[0].stars = 2
      context.processPendingChanges()
      #expect(
        log.take() == [
          "will", "insert section 2 at 0", "move A 0.0 → 0.0", "delete section 1 at 0", "did",
        ]
      )

      context.delete(notes[0])
      context.processPendingChanges()
      #expect(log.take() == ["will", "delete A 0.0 → nil", "delete section 2 at 0", "did"])
      context.note("D").stars = 5
      context.processPendingChanges()
      #expect(log.take() == ["will", "insert section 5 at 1", "insert D nil → 1.0", "did"])
      #expect(controller.picture == "3: B, C | 5: D")
    }
  }

  @Test func `the only note of a section is updated in place`() throws {
    try NotesStack().work { context in
      let notes = (1...3).map { stars in
        let note = context.note("N\(stars)")
        note.stars = Int16(stars)
        return note
      }
      let controller = notesController(context, by: ["stars"], sections: "stars")
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      notes[1].title = "Two"
      context.processPendingChanges()
      #expect(log.take() == ["will", "update Two 1.0 → 1.0", "did"])
    }
  }

  @Test func `a section whose only note takes another rank moves with it`() throws {
    try NotesStack().work { context in
      let notes = ["x", "y", "z"].enumerated().map { index, text in
        let note = context.note("N\(index)")
        (note.text, note.stars) = (text, Int16(index))
        return note
      }
      let controller = notesController(context, by: ["stars"], sections: "text")
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      notes[0].stars = 5
      context.processPendingChanges()
      #expect(controller.picture == "y: N1 | z: N2 | x: N0")
      #expect(
        log.take() == [
          "will", "insert section x at 2", "move N0 0.0 → 2.0", "delete section x at 0", "did",
        ]
      )
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the results stand still without a delegate (100)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      context.note("A")
      try context.save()
      let controller = notesController(context)
      try controller.performFetch()
      let log = ChangeLog()
      context.note("B")
      try context.save()
      #expect(controller.titles == ["A"])
      // The delegate is told of the changes that it missed when the next one comes.
      controller.delegate = log
      context.note("C")
      context.processPendingChanges()
      #expect(log.take() == ["will", "insert B nil → 0.1", "insert C nil → 0.2", "did"])
      controller.delegate = nil
      context.note("D")
      context.processPendingChanges()
      #expect(controller.titles == ["A", "B", "C"])
    }
  }

  @Test func `the results stand still with a delegate that tracks nothing (100)`() throws {
    try NotesStack().work { context in
      context.note("A")
      let controller = notesController(context)
      let delegate = TitleGiver()
      controller.delegate = delegate
      try controller.performFetch()
      for title in ["B", "C"] {
        context.note(title)
        context.processPendingChanges()
        #expect(controller.titles == ["A"])
      }
      try controller.performFetch()
      #expect(controller.titles == ["A", "B", "C"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `whoever takes snapshots is told nothing else (102)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let notes = ["A", "B"].map { context.note($0) }
      notes[1].stars = 1
      try context.save()
      let controller = notesController(context, by: ["stars", "title"], sections: "stars")
      let taker = SnapshotTaker()
      controller.delegate = taker
      try controller.performFetch()
      #expect(taker.snapshots.count == 1)
      #expect(taker.snapshots.last?.sectionIdentifiers == ["0", "1"])
      #expect(taker.snapshots.last?.itemIdentifiers == notes.map(\.objectID))
      notes[0].title = "C"
      context.processPendingChanges()
      #expect(taker.snapshots.count == 2)
      #expect(taker.snapshots.last?.itemIdentifiers == notes.map(\.objectID))
      #expect(taker.snapshots.last?.reloadedItemIdentifiers == [notes[0].objectID])
      #expect(taker.otherCalls == 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a temporary identity in a snapshot is replaced at the save (102)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let controller = notesController(context)
      let (taker, differ) = (SnapshotTaker(), DifferenceTaker())
      controller.delegate = taker
      try controller.performFetch()
      let second = notesController(context)
      second.delegate = differ
      try second.performFetch()
      let note = context.note("A")
      context.processPendingChanges()
      let temporary = note.objectID
      #expect(temporary.isTemporaryID)
      #expect(taker.snapshots.last?.itemIdentifiers == [temporary])
      try context.save()
      #expect(!note.objectID.isTemporaryID)
      #expect(taker.snapshots.last?.itemIdentifiers == [note.objectID])
      #expect(differ.differences.last?.removals.count == 1)
      #expect(differ.differences.last?.insertions.count == 1)
      #expect(differ.ids == [note.objectID])
      #expect(differ.problems == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `differences are for controllers without sections (102)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let notes = ["A", "B", "C"].map { context.note($0) }
      try context.save()
      let controller = notesController(context)
      let taker = DifferenceTaker()
      controller.delegate = taker
      try controller.performFetch()
      taker.ids = notes.map(\.objectID)
      notes[0].title = "D"
      context.processPendingChanges()
      let difference = try #require(taker.differences.last)
      let id = notes[0].objectID
      #expect(difference.removals == [.remove(offset: 0, element: id, associatedWith: 2)])
      #expect(difference.insertions == [.insert(offset: 2, element: id, associatedWith: 0)])
      #expect(taker.problems == [] && taker.otherCalls == 0)

      let sectioned = notesController(context, by: ["stars", "title"], sections: "stars")
      let other = DifferenceTaker()
      sectioned.delegate = other
      try sectioned.performFetch()
      notes[1].title = "E"
      context.processPendingChanges()
      #expect(other.differences.isEmpty && other.otherCalls == 1)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a reset is not told, and the results are fetched again by hand (103)`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      context.note("A")
      try context.save()
      let controller = notesController(context)
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      context.reset()
      context.note("B")
      try context.save()
      #expect(log.take() == [])
      #expect(controller.fetchedObjects?.count == 1)
      try controller.performFetch()
      #expect(controller.titles == ["A", "B"])
      context.note("C")
      context.processPendingChanges()
      #expect(log.take() == ["will", "insert C nil → 0.2", "did"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what a rollback takes back is told (103)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let notes = ["A", "B"].map { context.note($0) }
      try context.save()
      let controller = notesController(context)
      try controller.performFetch()
      let log = ChangeLog()
      controller.delegate = log
      context.delete(notes[0])
      notes[1].title = "Z"
      context.note("N")
      context.processPendingChanges()
      #expect(controller.titles == ["N", "Z"])
      _ = log.take()
      context.rollback()
      #expect(controller.titles == ["A", "B"])
      #expect(
        log.take() == [
          "will", "delete N 0.0 → nil", "insert A nil → 0.0", "update B 0.1 → 0.1", "did",
        ]
      )
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what another context saved comes with a refresh (101)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let notes = ["A", "B", "C"].map { context.note($0) }
      try context.save()
      let controller = notesController(context)
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      try stack.work { other in
        other.find(notes[0].objectID).title = "D"
        other.delete(other.find(notes[1].objectID))
        try other.save()
      }
      context.refreshAllObjects()
      context.processPendingChanges()
      #expect(controller.titles == ["C", "D"])
      #expect(log.take().contains("move D 0.0 → 0.1"))
    }
  }

  @Test func `a folder's new name moves no note until the note is touched`() throws {
    try NotesStack().work { context in
      let (first, second) = (context.folder("A"), context.folder("B"))
      let note = context.note("1", in: first)
      context.note("2", in: second)
      let controller = notesController(
        context,
        by: ["folder.name", "title"],
        sections: "folder.name"
      )
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      first.name = "C"
      context.processPendingChanges()
      #expect(log.take() == [])
      #expect(controller.picture == "A: 1 | B: 2")
      note.stars = 1
      context.processPendingChanges()
      #expect(controller.picture == "B: 2 | C: 1")
    }
  }

  @Test func `the controller that a delegate sees is the same`() throws {
    try NotesStack().work { context in
      let controller = notesController(context)
      let other = notesController(context)
      let delegate = Comparing(controller)
      controller.delegate = delegate
      try controller.performFetch()
      context.note("A")
      context.processPendingChanges()
      #expect(delegate.answers == [true, true, true, true, true])
      #expect(controller !== other && controller != other)
    }
  }

  private final class Comparing: NSObject, NSFetchedResultsControllerDelegate {
    let controller: NSFetchedResultsController<Note>
    var answers: [Bool] = []

    init(_ controller: NSFetchedResultsController<Note>) {
      self.controller = controller
    }

    func controllerDidChangeContent(_ other: NSFetchedResultsController<any NSFetchRequestResult>) {
      answers = [
        other == controller, other === controller, Set<NSObject>([other, controller]).count == 1,
        other.fetchedObjects?.first as? Note == controller.fetchedObjects?.first,
        other.delegate === self,
      ]
    }
  }

  @Test func `an event reads only the objects that a touched one is compared with`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      for index in 0..<1000 { context.note("N\(1000 + index)") }
      try context.save()
    }
    try stack.work { context in
      let controller = notesController(context)
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      let notes = try #require(controller.fetchedObjects)
      #expect(notes.filter(\.isFault).count == 1000)
      context.note("N1500x")
      context.processPendingChanges()
      notes[10].title = "N1700x"
      context.processPendingChanges()
      let told = log.lines.filter { $0.hasPrefix("insert") || $0.hasPrefix("move") }
      #expect(told.count == 2)
      let read = notes.filter { !$0.isFault }
      #expect(read.count < 30)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a limit holds while objects come and go`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let notes = ["B", "C", "D"].map { context.note($0) }
      try context.save()
      let controller = notesController(context)
      controller.fetchRequest.fetchLimit = 2
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      context.note("A")
      context.processPendingChanges()
      #expect(log.take() == ["will", "delete C 0.1 → nil", "insert A nil → 0.0", "did"])
      context.delete(notes[0])
      context.processPendingChanges()
      #expect(controller.titles == ["A", "C"])
    }
  }

  @Test func `objects of a store that was removed stayed among the results (103)`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let stores = try ["A", "B"].map { name in
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType,
        configurationName: nil,
        at: URL(fileURLWithPath: "/\(name)")
      )
    }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for (title, store) in zip(["A", "B", "C"], [stores[0], stores[1], stores[0]]) {
        context.assign(context.note(title), to: store)
      }
      try context.save()
      let controller = notesController(context)
      let mirror = Mirror()
      controller.delegate = mirror
      try controller.performFetch()
      mirror.copy(controller)
      #expect(controller.titles == ["A", "B", "C"])
      try coordinator.remove(stores[0])
      #expect(controller.titles == ["B"])
      #expect(mirror.seen == [.delete])
      #expect(mirror.problems == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `results behind an offset stood still where an object before them had gone`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let folder = context.folder("Ideas")
      let notes = ["A", "B", "C", "D"].map { context.note($0, in: folder) }
      try context.save()
      let controller = notesController(context)
      controller.fetchRequest.predicate = NSPredicate(format: "folder == %@", folder)
      controller.fetchRequest.fetchOffset = 1
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      #expect(controller.titles == ["B", "C", "D"])
      notes[0].folder = nil
      context.processPendingChanges()
      #expect(log.take() == ["will", "delete B 0.0 → nil", "did"])
      context.delete(notes[1])
      context.processPendingChanges()
      #expect(log.take() == ["will", "delete C 0.0 → nil", "did"])
      #expect(controller.titles == ["D"])
    }
  }
}

/// Writes down the number of objects in sections when they are reported.
private final class SectionLog: NSObject, NSFetchedResultsControllerDelegate {
  var lines: [String] = []

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    let counts = "\(sectionInfo.objects?.count ?? -1) of \(sectionInfo.numberOfObjects)"
    lines.append("\(type) \(sectionInfo.name): \(counts) at \(sectionIndex)")
  }
}
