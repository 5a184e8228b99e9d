import CoreData
import TestSupport
import Testing

/// Random events, after each of which what was reported is held against a plain fetch.
@Suite struct RandomResultsTests {
  @Test(arguments: StoreKind.evaluators, Tries.seeds(1, long: 4))
  func `what is reported leads from each state to the next (101, 102)`(
    kind: StoreKind,
    seed: UInt64
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      var world = RandomEvents(context, stack, seed)
      for _ in 0..<20 { world.insert() }
      try context.save()
      let followed = try Followed.all(context)
      for event in 0..<200 {
        try world.event()
        for one in followed {
          try #require(one.problems() == [], "\(one.name), event \(event): \(world.steps)")
        }
      }
      for one in followed {
        #expect(one.mirror.seen.count == 4, "\(one.name)")
        #expect(one.mirror.eventCount > 50)
      }
      let sections = followed.reduce(into: Set()) { $0.formUnion($1.mirror.seenSections) }
      #expect(sections == [.insert, .delete])
    }
  }
}

/// A request that is followed by delegates of every kind.
private struct Followed {
  let name: String
  let mirror = Mirror()
  let snapshots = SnapshotTaker()
  let differences = DifferenceTaker()
  private let controllers: [NSFetchedResultsController<Note>]
  private let context: NSManagedObjectContext
  private let hasTies: Bool

  static func all(_ context: NSManagedObjectContext) throws -> [Followed] {
    try [
      Followed("by title", context, nil, ["title", "text"]),
      Followed("few, by stars", context, "stars > 1 AND title != 'b'", ["stars", "text"]),
      Followed("in sections", context, nil, ["stars", "title", "text"], "stars"),
      Followed("few, in sections", context, "isFavourite == NO", ["title", "text"], "title"),
      Followed("with ties", context, nil, ["stars"], hasTies: true),
    ]
  }

  init(
    _ name: String,
    _ context: NSManagedObjectContext,
    _ predicate: String?,
    _ keys: [String],
    _ sections: String? = nil,
    hasTies: Bool = false
  ) throws {
    self.name = name
    self.context = context
    self.hasTies = hasTies
    controllers = (0..<3).map { _ in
      notesController(context, where: predicate, by: keys, sections: sections)
    }
    controllers[0].delegate = mirror
    controllers[1].delegate = snapshots
    controllers[2].delegate = differences
    for controller in controllers { try controller.performFetch() }
    mirror.copy(controllers[0])
    differences.ids = controllers[2].fetchedObjects?.map(\.objectID) ?? []
  }

  /// The differences from a plain fetch, and wrong reports.
  func problems() -> [String] {
    var problems = mirror.problems + differences.problems
    do {
      let plain = try context.fetch(controllers[0].fetchRequest)
      let found = controllers[0].fetchedObjects ?? []
      if hasTies {
        if Set(plain) != Set(found) { problems.append("other objects") }
        if plain.map(\.stars) != found.map(\.stars) { problems.append("another order") }
      } else {
        if plain != found {
          problems.append("\(found.map { $0.text ?? "" }), not \(plain.map { $0.text ?? "" })")
        }
        problems += sectionProblems(plain)
      }
    } catch {
      problems.append("\(error)")
    }
    let ids = controllers[1].fetchedObjects?.map(\.objectID)
    if snapshots.snapshots.last?.itemIdentifiers != ids { problems.append("another snapshot") }
    let names = controllers[1].sections?.map(\.name)
    if snapshots.snapshots.last?.sectionIdentifiers != names { problems.append("other sections") }
    return problems
  }

  private func sectionProblems(_ plain: [Note]) -> [String] {
    guard let key = controllers[0].sectionNameKeyPath else { return [] }
    var expected: [(name: String, objects: [NSManagedObject])] = []
    for note in plain {
      let name = note.value(forKey: key).map { "\($0)" } ?? ""
      if expected.last?.name == name {
        expected[expected.count - 1].objects.append(note)
      } else {
        expected.append((name, [note]))
      }
    }
    let found = Mirror.content(controllers[0])
    let isSame = found.elementsEqual(expected) { $0.name == $1.name && $0.objects == $1.objects }
    return isSame ? [] : ["the sections are not those of a plain fetch"]
  }
}

/// Random work in two contexts, of which one is followed.
struct RandomEvents {
  private let context: NSManagedObjectContext
  private let stack: NotesStack
  private var dice: Dice
  private var count = 0
  private(set) var steps: [String] = []

  init(_ context: NSManagedObjectContext, _ stack: NotesStack, _ seed: UInt64) {
    self.context = context
    self.stack = stack
    dice = Dice(seed: seed)
  }

  mutating func insert() {
    count += 1
    let note = Bool.random(using: &dice) ? Note(context: context) : Checklist(context: context)
    note.text = "n\(1000 + count)"
    change(note)
    change(note)
  }

  private mutating func change(_ note: Note) {
    switch Int.random(in: 0..<4, using: &dice) {
    case 0: note.title = "abcdefgh".map(String.init).randomElement(using: &dice)
    case 1: note.stars = Int16.random(in: 0...5, using: &dice)
    case 2: note.isFavourite.toggle()
    case _: note.views = NSNumber(value: Int.random(in: 0...9, using: &dice))
    }
  }

  /// One event: some steps and their end.
  mutating func event() throws {
    steps = []
    switch Int.random(in: 0..<12, using: &dice) {
    case 0: try save()
    case 1: try rollback()
    case 2, 3: try interfere()
    case 4: try forget()
    case _:
      for _ in 0..<Int.random(in: 1...6, using: &dice) { try step() }
      context.processPendingChanges()
    }
  }

  private mutating func step() throws {
    let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
      .sorted { ($0.text ?? "") < ($1.text ?? "") }
    switch notes.count > 20 ? 2 : Int.random(in: 0..<8, using: &dice) {
    case 0, 1:
      steps.append("insert")
      insert()
    case 2:
      guard let note = notes.randomElement(using: &dice), notes.count > 5 else { return }
      steps.append("delete \(note.text ?? "")")
      context.delete(note)
    case 3:
      // Everything in one section, or in one order, changes.
      steps.append("change many")
      let title = notes.randomElement(using: &dice)?.title
      for note in notes where note.title == title { change(note) }
    case _:
      guard let note = notes.randomElement(using: &dice) else { return }
      steps.append("change \(note.text ?? "")")
      change(note)
    }
  }

  private mutating func save() throws {
    steps.append("save")
    if Bool.random(using: &dice) {
      let new = context.insertedObjects.compactMap { $0 as? Note }
      try context.obtainPermanentIDs(for: new.sorted { $0.text ?? "" < $1.text ?? "" })
    }
    try context.save()
  }

  private mutating func rollback() throws {
    steps.append("rollback")
    context.rollback()
  }

  /// Another context changes what is stored, and this one takes it in.
  private mutating func interfere() throws {
    steps.append("another context")
    count += 1
    try context.save()
    let other = stack.context()
    let saves = Received(other, .NSManagedObjectContextDidSave)
    try other.performAndWait {
      var theirs = RandomEvents(other, stack, UInt64.random(in: 0...999, using: &dice))
      theirs.count = 10_000 + count * 100
      for _ in 0..<4 { try theirs.step() }
      try other.save()
    }
    if Bool.random(using: &dice), let last = saves.last {
      steps.append("merged")
      context.mergeChanges(
        fromContextDidSave: Notification(
          name: .NSManagedObjectContextDidSave,
          object: other,
          userInfo: last
        )
      )
      return
    }
    // A note that was not known is known with its values, as long as somebody holds it.
    let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
    for note in notes { _ = note.title }
    context.refreshAllObjects()
    withExtendedLifetime(notes) { context.processPendingChanges() }
  }

  /// Some notes become faults.
  private mutating func forget() throws {
    steps.append("faults")
    let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
    for note in notes.sorted(by: { $0.text ?? "" < $1.text ?? "" }) where !note.hasChanges {
      if Bool.random(using: &dice) { context.refresh(note, mergeChanges: false) }
    }
    context.processPendingChanges()
  }
}
