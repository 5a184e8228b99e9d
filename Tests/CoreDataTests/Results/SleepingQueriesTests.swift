import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Queries that an event does not even ask, for its objects lead to others.
@Suite struct SleepingQueriesTests {
  /// A controller for each folder, all of which have heard of an event.
  private func queries(
    over folders: [Folder],
    in context: NSManagedObjectContext,
    _ change: (NSFetchRequest<Note>) -> Void = { _ in }
  ) throws -> [(controller: NSFetchedResultsController<Note>, log: ChangeLog)] {
    let queries = try folders.map { folder in
      let controller = notesController(context)
      controller.fetchRequest.predicate = NSPredicate(format: "folder == %@", folder)
      change(controller.fetchRequest)
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      return (controller: controller, log: log)
    }
    let passing = context.note("passing")
    context.processPendingChanges()
    context.delete(passing)
    context.processPendingChanges()
    return queries
  }

  private func awakeCount(_ context: NSManagedObjectContext) -> Int {
    context.listeners.places.withLock { $0.awake.count }
  }

  @Test(arguments: StoreKind.evaluators)
  func `a query that no event touches is not looked at`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let folders = (0..<40).map { context.folder("\($0)") }
      let notes = folders.map { context.note($0.name ?? "", in: $0) }
      try context.save()
      let queries = try queries(over: folders, in: context)
      #expect(awakeCount(context) == 0)
      notes[7].folder = folders[9]
      notes[3].stars = 1
      context.delete(notes[11])
      context.processPendingChanges()
      let told = queries.map { $0.log.take() }
      #expect(
        told.indices.filter { !told[$0].isEmpty } == [3, 7, 9, 11]
      )
      #expect(queries[9].controller.titles == ["7", "9"])
      #expect(awakeCount(context) == 0)
      try context.save()
      #expect(awakeCount(context) == 0)
      notes[7].folder = folders[3]
      context.processPendingChanges()
      #expect([3, 7, 9].map { queries[$0].controller.titles } == [["3", "7"], [], ["9"]])
    }
  }

  @Test(arguments: StoreKind.evaluators)
  func `queries are told in the order in which they were made`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let folders = ["A", "B"].map { context.folder($0) }
      let note = context.note("1", in: folders[0])
      try context.save()
      var told: [String] = []
      let names = ["A", "all", "B", "A again"]
      let controllers = try names.map { name in
        let controller = notesController(context)
        if name != "all" {
          let folder = folders[name.hasPrefix("A") ? 0 : 1]
          controller.fetchRequest.predicate = NSPredicate(format: "folder == %@", folder)
        }
        try controller.performFetch()
        return controller
      }
      let listeners = names.map { name in Listener { told.append(name) } }
      for (controller, listener) in zip(controllers, listeners) { controller.delegate = listener }
      note.stars = 1
      context.processPendingChanges()
      told = []
      note.folder = folders[1]
      context.processPendingChanges()
      #expect(told == names)
      withExtendedLifetime(listeners) {}
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `results that show what the store has let go of an object that moved unsaved`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let folders = ["A", "B", "C"].map { context.folder($0) }
      let note = context.note("1", in: folders[0])
      try context.save()
      note.folder = folders[1]
      context.processPendingChanges()
      let stored = try queries(over: folders, in: context) { $0.includesPendingChanges = false }
      let all = try stored + queries(over: [folders[1]], in: context)
      #expect(all.map(\.controller.titles) == [["1"], [], [], ["1"]])
      #expect(awakeCount(context) == 0)
      note.folder = folders[2]
      context.processPendingChanges()
      #expect(all.map(\.controller.titles) == [[], [], ["1"], []])
    }
  }

  @Test(arguments: StoreKind.evaluators)
  func `a query with another predicate hears of what that asks for`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let folders = ["A", "B"].map { context.folder($0) }
      let notes = folders.map { context.note($0.name ?? "", in: $0) }
      try context.save()
      let queries = try queries(over: folders, in: context)
      let controller = queries[0].controller
      controller.fetchRequest.predicate = NSPredicate(format: "folder == %@", folders[1])
      try controller.performFetch()
      notes[0].folder = folders[1]
      context.processPendingChanges()
      #expect(controller.titles == ["A", "B"])
      controller.fetchRequest.predicate = NSPredicate(format: "stars > 2")
      try controller.performFetch()
      notes[0].stars = 3
      context.processPendingChanges()
      #expect(controller.titles == ["A"])
      #expect(awakeCount(context) == 1)
    }
  }

  @Test func `queries that are gone do not stay in memory`() throws {
    try NotesStack(.memory).work { context in
      let folders = (0..<200).map { context.folder("\($0)") }
      for folder in folders { context.note("n", in: folder) }
      try context.save()
      for _ in 0..<5 { _ = try queries(over: folders, in: context) }
      let index = context.listeners.index.value
      #expect(index.count <= 600)
      #expect(context.listeners.places.withLock { $0.all.count } <= 201)
    }
  }

  @Test(arguments: StoreKind.evaluators)
  func `a context that is reset wakes its queries`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let folder = context.folder("A")
      let first = context.note("1", in: folder)
      context.note("2", in: folder)
      try context.save()
      let (id, folderID) = (first.objectID, folder.objectID)
      let (controller, log) = try queries(over: [folder], in: context)[0]
      context.reset()
      try controller.performFetch()
      _ = log.take()
      let note = context.find(id)
      note.folder = nil
      context.processPendingChanges()
      #expect(controller.titles == ["2"])
      note.folder = context.find(folderID, as: Folder.self)
      context.processPendingChanges()
      #expect(controller.titles == ["1", "2"])
    }
  }
}

/// Says when it is told that the content changes.
private final class Listener: NSObject, NSFetchedResultsControllerDelegate {
  private let hear: () -> Void

  init(_ hear: @escaping () -> Void) {
    self.hear = hear
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    hear()
  }
}
