import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Whatever of the way to a server or of its statements fails, for every n: all of it happens or nothing, as is told.
///
/// The stores keep a history, have values that must be unique, and attributes that are derived.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLFaultTests {
  private static var options: [String: Any] { [NSPersistentHistoryTrackingKey: true] }

  private static let model: NSManagedObjectModel = {
    let model = NSManagedObjectModel(
      schema: .model(
        .entity(
          "Folder",
          [.text("name"), .derived("noteCount", .integer64, from: "notes.@count")],
          [.many("notes", "Note", back: "folder")]
        ),
        .entity("Note", [.text("slug"), .text("title")], [.one("folder", "Folder", back: "notes")])
      )
    )
    model.entitiesByName["Note"]?.uniquenessConstraints = [["slug"]]
    return model
  }()

  /// The works, each with a name of its own.
  enum Work: CaseIterable {
    case save, insertion, update, deletion
  }

  enum Fault: Sendable, CaseIterable {
    case request, answer, statement

    func happens(at number: Int, of wire: FaultyWire) {
      switch self {
      case .request: wire.reset(breakingAt: number, losing: .request)
      case .answer: wire.reset(breakingAt: number, losing: .answer)
      case .statement: wire.reset(failingAt: number)
      }
    }

    func hasHappened(at number: Int, of wire: FaultyWire) -> Bool {
      switch self {
      case .request, .answer: wire.trips >= number
      case .statement: wire.statements >= number
      }
    }
  }

  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// A folder with two notes, saved.
  private func make(_ name: String, in context: NSManagedObjectContext) {
    let folder = context.new("Folder", ["name": name])
    for title in ["one", "two"] {
      _ = context.new("Note", ["slug": "\(title) of \(name)", "title": title, "folder": folder])
    }
  }

  private func perform(_ work: Work, _ name: String, in context: NSManagedObjectContext) throws {
    let ofName = NSPredicate(format: "slug ENDSWITH %@", name)
    switch work {
    case .save:
      make(name, in: context)
      try context.save()
    case .insertion:
      _ = try context.insert(
        "Note",
        ["one", "two"].map { ["slug": "\($0) of \(name)", "title": $0] }
      )
    case .update: _ = try context.update("Note", ["title": "new"], where: ofName)
    case .deletion: _ = try context.delete("Note", where: ofName)
    }
  }

  /// The store's objects under a name, seen by another program.
  private func picture(_ name: String, _ coordinator: NSPersistentStoreCoordinator) throws -> String
  {
    let context = context(coordinator)
    return try context.performAndWait {
      let titles = try context.all("Note", where: "slug ENDSWITH '\(name)'").map {
        $0.textValue("title") ?? "–"
      }
      let folders = try context.all("Folder", where: "name == '\(name)'").map {
        $0.numberValue("noteCount") ?? -1
      }
      return "\(titles) \(folders)"
    }
  }

  private func numberOfTransactions(_ coordinator: NSPersistentStoreCoordinator) throws -> Int {
    let result = try coordinator.answer(.fetchHistory(after: nil as NSPersistentHistoryToken?))
    return (result.result as? [NSPersistentHistoryTransaction])?.count ?? 0
  }

  /// The result of a piece of work when it is done, and when it is not.
  private static func pictures(_ work: Work) -> (done: String, undone: String) {
    switch work {
    case .save: (#"["one", "two"] [2.0]"#, "[] []")
    case .insertion: (#"["one", "two"] []"#, "[] []")
    case .update: (#"["new", "new"] [2.0]"#, #"["one", "two"] [2.0]"#)
    case .deletion: ("[] [0.0]", #"["one", "two"] [2.0]"#)
    }
  }

  @Test(arguments: Work.allCases, Fault.allCases)
  func `happens wholly or not at all, and can be done again`(work: Work, fault: Fault) throws {
    let wire = FaultyWire()
    let coordinator = try wire.coordinator(Self.model, options: Self.options)
    let other = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    try other.addPersistentStore(
      ofType: NSPostgreSQLStoreType,
      configurationName: nil,
      at: wire.place,
      options: Self.options
    )
    let pictures = Self.pictures(work)
    let needsFolder = work == .update || work == .deletion
    var (number, hasHappened) = (0, true)
    while hasHappened {
      number += 1
      let name = "folder \(number)."
      let context = context(coordinator)
      try context.performAndWait {
        if needsFolder {
          make(name, in: context)
          try context.save()
        }
        let before = try numberOfTransactions(other)
        fault.happens(at: number, of: wire)
        // The store's content shows whether it fails.
        var isDone = (try? perform(work, name, in: context)) != nil
        hasHappened = fault.hasHappened(at: number, of: wire)
        wire.reset()
        let here = "\(work), \(fault) \(number)"
        #expect(try picture(name, other) == (isDone ? pictures.done : pictures.undone), "\(here)")
        #expect(try numberOfTransactions(other) == before + (isDone ? 1 : 0), "\(here)")
        if isDone { return }
        if work == .save {
          #expect(context.hasChanges, "\(here)")
          try context.save()
        } else {
          try perform(work, name, in: context)
        }
        isDone = true
        #expect(try picture(name, other) == pictures.done, "\(here)")
      }
    }
    #expect(number > 3)
  }

  @Test(arguments: FaultyWire.Loss.allCases)
  func `wherever the connection breaks while a store is made, it can be opened again`(
    loss: FaultyWire.Loss
  ) throws {
    var (trip, isReached) = (1, true)
    while isReached {
      let wire = FaultyWire()
      wire.reset(breakingAt: trip, losing: loss)
      // It does not matter whether it fails: the next opening finds all or nothing.
      let first = try? wire.coordinator(Self.model, options: Self.options)
      isReached = wire.trips >= trip
      if !isReached { #expect(first != nil) }
      wire.reset()
      let coordinator = try wire.coordinator(Self.model, options: Self.options)
      let context = context(coordinator)
      try context.performAndWait { try perform(.save, "first", in: context) }
      #expect(try picture("first", coordinator) == Self.pictures(.save).done, "trip \(trip)")
      trip += Tries.step(3)
    }
    #expect(trip > 5)
  }

  // MARK: Trips

  /// How often something goes to the server and back for a save of a folder with two notes, when the keys are there.
  private func trips(
    _ model: NSManagedObjectModel,
    _ options: [String: Any]?,
    _ change: (NSManagedObjectContext) throws -> Void
  ) throws -> Int {
    let wire = FaultyWire()
    let context = context(try wire.coordinator(model, options: options))
    return try context.performAndWait {
      for name in ["Folder", "Note"] where model.entitiesByName[name] != nil {
        _ = context.new(name)
      }
      try context.save()
      try change(context)
      context.processPendingChanges()
      wire.reset()
      try context.save()
      return wire.trips
    }
  }

  @Test
  func `a save takes two trips, three with values that must be unique`() throws {
    let plain = { (context: NSManagedObjectContext) in
      context.note("new", in: context.folder("Ideas"))
      return
    }
    #expect(try trips(NotesStack.model, nil, plain) == 2)
    #expect(try trips(NotesStack.model, Self.options, plain) == 2)
    let unique = { (context: NSManagedObjectContext) in
      context.make("Note", ["slug": "a"])
      return
    }
    #expect(try trips(UniqueNotes.model, Self.options, unique) == 3)
  }

  /// Twelve it had been for a folder with two notes, whose names must be unique.
  @Test(arguments: [nil, Self.options].map { Handover($0) })
  func `a save of derived attributes went to the server for each of its rows`(
    options: Handover<[String: Any]?>
  ) throws {
    let options = options.value
    #expect(try trips(Self.model, options) { make("new", in: $0) } == 3)
    let free = Self.model.withoutUniqueness
    #expect(try trips(free, options) { make("new", in: $0) } == 2)
    #expect(try trips(free, options) { _ = $0.new("Folder", ["name": "new"]) } == 2)
    // The former places of rows are looked at before they move.
    let moved = try trips(free, options) { context in
      let folder = context.new("Folder", ["name": "new"])
      for note in try context.all("Note") { note.setValue(folder, forKey: "folder") }
    }
    #expect(moved == 3)
  }

  @Test func `a save of many places in an order went to the server for each`() throws {
    let places = try trips(NotesStack.model, nil) { context in
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      for name in 1...20 { note.addToTags(context.tag("tag \(name)")) }
    }
    #expect(places <= 3)
  }

  /// Rows that the plan does not speak of come with the others: those that the note has left, and those it has gone to.
  @Test func `a context shows what a save has computed of all its rows`() throws {
    let wire = FaultyWire()
    let context = context(try wire.coordinator(Self.model, options: Self.options))
    try context.performAndWait {
      make("old", in: context)
      make("new", in: context)
      try context.save()
      let folders = try context.all("Folder").sorted {
        ($0.textValue("name") ?? "") < ($1.textValue("name") ?? "")
      }
      #expect(folders.map { $0.numberValue("noteCount") } == [2, 2])
      let note = try #require(try context.all("Note", where: "slug == 'one of old'").first)
      note.setValue(folders[0], forKey: "folder")
      try context.save()
      #expect(folders.map { $0.numberValue("noteCount") } == [3, 1])
      context.delete(note)
      try context.save()
      #expect(folders.map { $0.numberValue("noteCount") } == [2, 1])
    }
  }
}

extension NSManagedObjectModel {
  /// The same model, whose values need not be unique.
  fileprivate var withoutUniqueness: NSManagedObjectModel {
    let model = self.copy() as? NSManagedObjectModel ?? self
    for entity in model.entities { entity.uniquenessConstraints = [] }
    return model
  }
}
