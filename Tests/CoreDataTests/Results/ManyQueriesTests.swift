import CoreData
import Synchronization
import TestSupport
import Testing

/// Many queries on one context, of which an event touches few.
@Suite struct ManyQueriesTests {
  @Test(arguments: StoreKind.evaluators, Tries.seeds(2, long: 40))
  func `after each event 50 queries have what a fetch finds`(
    kind: StoreKind,
    seed: UInt64
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      var world = try FolderEvents(context, stack, seed)
      let queries = try Query.all(over: world.folders, in: context)
      #expect(queries.count >= 50)
      for event in 0..<Tries.count(30, long: 200) {
        try world.event()
        for query in queries {
          let problems = try query.problems()
          try #require(problems == [], "\(query.name), event \(event): \(world.steps)")
        }
      }
      #expect(queries.contains { $0.eventCount > 0 })
    }
  }

  @Test func `a predicate is asked only of objects that have the value it demands`() throws {
    try NotesStack(.memory).work { context in
      let folders = ["A", "B"].map { context.folder($0) }
      let notes = folders.map { context.note("in \($0.name ?? "")", in: $0) }
      try context.save()
      let asked = Questions()
      let controller = notesController(context)
      controller.fetchRequest.predicate = NSCompoundPredicate(
        andPredicateWithSubpredicates: [
          NSPredicate { _, _ in asked.add() },
          NSPredicate(format: "folder == %@", folders[0]),
        ]
      )
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      #expect(controller.titles == ["in A"])
      _ = asked.take()

      notes[1].stars = 1
      context.processPendingChanges()
      #expect(asked.take() == 0)
      notes[0].stars = 1
      context.processPendingChanges()
      #expect(asked.take() == 1)
      #expect(log.take() == ["will", "update in A 0.0 → 0.0", "did"])
      notes[1].folder = folders[0]
      context.processPendingChanges()
      #expect(asked.take() == 1)
      #expect(log.take() == ["will", "insert in B nil → 0.1", "did"])
      notes[0].folder = nil
      context.processPendingChanges()
      #expect(asked.take() == 1)
      #expect(log.take() == ["will", "delete in A 0.0 → nil", "did"])
    }
  }

  @Test(arguments: StoreKind.evaluators)
  func `a query of a new folder follows it into the store`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let folder = context.folder("new")
      let controller = notesController(context)
      controller.fetchRequest.predicate = NSPredicate(format: "folder == %@", folder)
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      let first = context.note("A", in: folder)
      context.processPendingChanges()
      #expect(controller.titles == ["A"])
      try context.save()
      context.note("B", in: folder)
      context.processPendingChanges()
      #expect(controller.titles == ["A", "B"])
      try context.save()
      first.folder = nil
      context.note("C")
      context.processPendingChanges()
      #expect(controller.titles == ["B"])
    }
  }

  @Test(arguments: StoreKind.evaluators)
  func `an object that another context moves leaves one query and comes into another`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folders = ["A", "B"].map { context.folder($0) }
      let note = context.note("1", in: folders[0])
      context.note("2", in: folders[1])
      try context.save()
      let controllers = try folders.map { folder in
        let controller = notesController(context)
        controller.fetchRequest.predicate = NSPredicate(format: "folder == %@", folder)
        try controller.performFetch()
        return controller
      }
      let logs = controllers.map { controller in
        let log = ChangeLog()
        controller.delegate = log
        return log
      }
      // The facts about the results are known from here on.
      note.stars = 1
      try context.save()
      try stack.work { other in
        other.find(note.objectID).folder = other.find(folders[1].objectID, as: Folder.self)
        try other.save()
      }
      context.refresh(note, mergeChanges: false)
      context.processPendingChanges()
      #expect(controllers.map(\.titles) == [[], ["1", "2"]])
      #expect(logs[1].take().contains("insert 1 nil → 0.0"))
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a delegate that comes back gets what went by`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let folder = context.folder("A")
      let note = context.note("1", in: folder)
      let other = context.note("2")
      try context.save()
      let controller = notesController(context)
      controller.fetchRequest.predicate = NSPredicate(format: "folder == %@", folder)
      let log = ChangeLog()
      controller.delegate = log
      try controller.performFetch()
      note.stars = 1
      context.processPendingChanges()
      controller.delegate = nil
      other.folder = folder
      context.processPendingChanges()
      #expect(controller.titles == ["1"])
      controller.delegate = log
      note.stars = 2
      context.processPendingChanges()
      #expect(controller.titles == ["1", "2"])
    }
  }
}

/// Counts how often code in a predicate is asked.
private final class Questions: Sendable {
  private let count = Mutex(0)

  func add() -> Bool {
    count.withLock { $0 += 1 }
    return true
  }

  /// How often since this was asked last.
  func take() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }
}

/// A request that a delegate follows.
private struct Query {
  let name: String
  private let controller: NSFetchedResultsController<Note>
  private let mirror = Mirror()
  private let context: NSManagedObjectContext

  var eventCount: Int { mirror.eventCount }

  init(
    _ predicate: NSPredicate?,
    _ context: NSManagedObjectContext,
    of entity: String = "Note",
    with change: (NSFetchRequest<Note>) -> Void = { _ in }
  ) throws {
    let request = NSFetchRequest<Note>(entityName: entity)
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
    change(request)
    name = "\(entity) where \(predicate.map { "\($0.tree)" } ?? "all")"
    controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    self.context = context
    controller.delegate = mirror
    try controller.performFetch()
    mirror.copy(controller)
  }

  /// The differences from a fetch, and wrong reports.
  func problems() throws -> [String] {
    let plain = try context.fetch(controller.fetchRequest)
    let found = controller.fetchedObjects ?? []
    if plain == found { return mirror.problems }
    return mirror.problems + ["\(found.map { $0.text ?? "" }), not \(plain.map { $0.text ?? "" })"]
  }

  /// Queries of all kinds of predicates; the last folder is not saved yet.
  static func all(over folders: [Folder], in context: NSManagedObjectContext) throws -> [Query] {
    var queries: [Query] = []
    for folder in folders {
      for format in ["folder == %@", "folder == %@ AND stars > 2", "NOT (folder == %@)"] {
        queries.append(try Query(NSPredicate(format: format, folder), context))
      }
    }
    for folder in folders.dropLast() {
      let predicate = NSPredicate(format: "isFavourite == YES AND folder == %@", folder.objectID)
      queries.append(try Query(predicate, context))
    }
    for format in formats { queries.append(try Query(NSPredicate(format: format), context)) }
    queries.append(try Query(NSPredicate(format: "itemCount == 1"), context, of: "Checklist"))
    queries.append(try Query(nil, context, of: "Checklist"))
    let stars = NSPredicate(format: "stars == 1")
    queries.append(try Query(stars, context) { $0.includesSubentities = false })
    queries.append(try Query(stars, context) { $0.fetchLimit = 3 })
    return queries
  }

  private static let formats = [
    "stars == 0", "stars == 1", "stars == 2", "stars == 3", "stars == 4", "stars == 1.0",
    "2 == stars", "rating == 1", "rating == 0.5", "isFavourite == 1", "isFavourite == NO",
    "views == 2.0", "views == nil", "title == nil", "folder == nil", "title == 'a'",
    "title == 'b'", "title == 'c'", "title == 'd'", "title ==[c] 'A'",
    "title == 'a' AND stars == 1", "title == 'b' OR stars == 2", "NOT title == 'c'",
    "folder.name == 'f1'", "title IN {'a', 'b'}", "stars BETWEEN {1, 3}",
  ]
}

/// Random work on notes in folders, in two contexts, of which one is followed.
private struct FolderEvents {
  private(set) var folders: [Folder]
  private(set) var steps: [String] = []
  private let context: NSManagedObjectContext
  private let stack: NotesStack
  private var dice: Dice
  private var count = 0

  /// Saves notes in folders, and makes a folder that is not saved.
  init(_ context: NSManagedObjectContext, _ stack: NotesStack, _ seed: UInt64) throws {
    self.context = context
    self.stack = stack
    dice = Dice(seed: seed)
    folders = (0..<5).map { context.folder("f\($0)") }
    for _ in 0..<15 { insert() }
    try context.save()
    folders.append(context.folder("f5"))
  }

  /// Works on the stored notes; the texts of new notes go on from a number.
  private init(
    joining context: NSManagedObjectContext,
    _ stack: NotesStack,
    _ seed: UInt64,
    from count: Int
  ) throws {
    self.context = context
    self.stack = stack
    self.count = count
    dice = Dice(seed: seed)
    let request = NSFetchRequest<Folder>(entityName: "Folder")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    folders = try context.fetch(request)
  }

  /// One event: some steps and their end.
  mutating func event() throws {
    steps = []
    switch Int.random(in: 0..<12, using: &dice) {
    case 0: try save()
    case 1: rollback()
    case 2, 3: try interfere()
    case 4: try forget()
    case _:
      for _ in 0..<Int.random(in: 1...5, using: &dice) { try step() }
      context.processPendingChanges()
    }
  }

  private mutating func step() throws {
    let notes = try allNotes()
    switch notes.count > 20 ? 2 : Int.random(in: 0..<8, using: &dice) {
    case 0, 1:
      steps.append("insert")
      insert()
    case 2:
      guard let note = notes.randomElement(using: &dice), notes.count > 5 else { return }
      steps.append("delete \(note.text ?? "")")
      context.delete(note)
    case _:
      guard let note = notes.randomElement(using: &dice) else { return }
      steps.append("change \(note.text ?? "")")
      change(note)
    }
  }

  private mutating func insert() {
    count += 1
    let note = oneIn(2) ? Note(context: context) : Checklist(context: context)
    note.text = "n\(count)"
    for _ in 0..<4 { change(note) }
  }

  private mutating func change(_ note: Note) {
    switch Int.random(in: 0..<9, using: &dice) {
    case 0: note.title = oneIn(5) ? nil : "abcd".map(String.init).randomElement(using: &dice)
    case 1: note.stars = Int16.random(in: 0...4, using: &dice)
    case 2: note.isFavourite.toggle()
    case 3: note.views = oneIn(4) ? nil : NSNumber(value: Int.random(in: 0...3, using: &dice))
    case 4: note.rating = Double(Int.random(in: 0...4, using: &dice)) / 2
    case 5: (note as? Checklist)?.itemCount = Int32.random(in: 0...2, using: &dice)
    case _: note.folder = oneIn(5) ? nil : folders.randomElement(using: &dice)
    }
  }

  private mutating func oneIn(_ number: Int) -> Bool {
    Int.random(in: 0..<number, using: &dice) == 0
  }

  private func allNotes() throws -> [Note] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
    return try context.fetch(request)
  }

  private mutating func save() throws {
    steps.append("save")
    if oneIn(2) {
      try context.obtainPermanentIDs(for: allNotes().filter(\.isInserted))
      try context.obtainPermanentIDs(for: folders.filter(\.isInserted))
    }
    try context.save()
  }

  private mutating func rollback() {
    // A folder that was never saved would be gone, with the query of its notes.
    if folders.contains(where: \.isInserted) { return }
    steps.append("rollback")
    context.rollback()
  }

  /// Another context changes what is stored, and this one takes it in.
  private mutating func interfere() throws {
    steps.append("another context")
    try context.save()
    let other = stack.context()
    let saves = Received(other, .NSManagedObjectContextDidSave)
    count += 1
    let (seed, first) = (UInt64.random(in: 0...999, using: &dice), 10_000 + count * 100)
    try other.performAndWait {
      var theirs = try FolderEvents(joining: other, stack, seed, from: first)
      for _ in 0..<4 { try theirs.step() }
      try other.save()
    }
    guard let last = saves.last else { return }
    context.mergeChanges(
      fromContextDidSave: Notification(
        name: .NSManagedObjectContextDidSave,
        object: other,
        userInfo: last
      )
    )
    context.processPendingChanges()
  }

  /// Some notes become faults.
  private mutating func forget() throws {
    steps.append("faults")
    for note in try allNotes() where !note.hasChanges && oneIn(2) {
      context.refresh(note, mergeChanges: false)
    }
    context.processPendingChanges()
  }
}
