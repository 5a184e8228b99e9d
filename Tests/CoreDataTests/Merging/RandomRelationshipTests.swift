import CoreData
import Foundation
import TestSupport
import Testing

/// Random changes of relationships in two contexts that merge each other's saves.
@Suite struct RandomRelationshipTests {
  @Test(arguments: Tries.dealt(Tries.seeds(8, long: 100), to: StoreKind.evaluators))
  func `loaded relationships are what a fresh context reads, whoever has saved (87, 88)`(
    kind: StoreKind,
    seed: UInt64
  ) throws {
    let room = try play(kind, seed, hasDrafts: false)
    #expect(room.comparisons > 20)
    #expect(room.merges > 10)
  }

  /// With unsaved changes under every merge, and undo across merges.
  @Test(arguments: Tries.dealt(Tries.seeds(8, long: 300), to: StoreKind.evaluators))
  func `drafts under merges keep relationships whole (87, 88, 90)`(
    kind: StoreKind,
    seed: UInt64
  ) throws {
    _ = try play(kind, seed, hasDrafts: true)
  }

  /// Plays the turns of a seed; of those that fail, tells the few that matter.
  private func play(_ kind: StoreKind, _ seed: UInt64, hasDrafts: Bool) throws -> TwoDesks {
    let play = { (turns: [UInt64]) in
      var room = try TwoDesks(NotesStack(kind), seed: seed, hasDrafts: hasDrafts)
      for turn in turns where room.problem == nil { try room.turn(turn) }
      return room
    }
    let room = try play(Array(0..<250))
    if let problem = room.problem {
      // Sets have another order each time; a failed run is given three chances to fail again.
      let fails = { (turns: [UInt64]) in
        try (1...3).contains { _ in try play(turns).problem != nil }
      }
      let turns = try fewest(of: Array(0..<250), thatFail: fails)
      let shortest = try play(turns)
      Issue.record("\(shortest.problem ?? problem): \(shortest.log)")
    }
    return room
  }
}

/// Two contexts, which keep what they have read; each learns of the other's saves.
///
/// ```
/// change ─ change ─ undo ─ save ──▶ the other, with or without drafts of its own, merges
///                                       └─ saves or gives up: both show what a fresh context reads
/// ```
private struct TwoDesks {
  private let stack: NotesStack
  private var desks: [FollowingDesk]
  private var dice: Dice
  private let seed: UInt64
  private let hasDrafts: Bool
  private(set) var log: [String] = []
  private(set) var problem: String?
  private(set) var comparisons = 0
  private(set) var merges = 0

  init(_ stack: NotesStack, seed: UInt64, hasDrafts: Bool) throws {
    self.stack = stack
    self.seed = seed
    self.hasDrafts = hasDrafts
    dice = Dice(seed: seed)
    try stack.work { context in
      for name in ["A", "B", "C"] { context.folder(name) }
      for name in ["x", "y"] { context.tag(name) }
      for number in 1...6 { context.note("", key: "n\(number)") }
      try context.save()
    }
    desks = try ["a", "b"].map { try FollowingDesk(stack.context(), name: $0) }
  }

  /// One turn; its action depends on its number and on the present objects, so turns can be left
  /// out.
  mutating func turn(_ number: UInt64) throws {
    dice = Dice(seed: seed &* 1_000 &+ number)
    let place = Int.random(in: 0..<desks.count, using: &dice)
    let context = desks[place].context
    switch Int.random(in: 0..<16, using: &dice) {
    case 0, 1: try save(place)
    case 2: giveUp(place)
    case _:
      try context.performAndWait {
        log += try desks[place].step(&dice)
        context.processPendingChanges()
      }
    }
    for desk in desks {
      // Others may lead to an object that was deleted here; the save sees to it.
      let problems = desk.context.performAndWait { checkInvariants(of: desk.context) }
        .filter { !$0.contains("leads to the deleted") }
      expect(problems, "desk \(desk.name)")
    }
    try compare()
  }

  private mutating func save(_ place: Int) throws {
    let context = desks[place].context
    log.append("save \(desks[place].name)")
    let received = Received(context, .NSManagedObjectContextDidSave)
    let hasSaved = context.performAndWait {
      do {
        try context.save()
        return true
      } catch {
        log.append("refused: \(error)")
        context.rollback()
        return false
      }
    }
    guard hasSaved, let saved = received.last else { return }
    merges += 1
    let other = desks[1 - place].context
    if !hasDrafts {
      giveUp(1 - place)
      other.performAndWait { other.undoManager?.removeAllActions() }
    }
    let notification = Notification(
      name: .NSManagedObjectContextDidSave,
      object: context,
      userInfo: saved
    )
    let isRemote = Bool.random(using: &dice)
    log.append(isRemote ? "merge from afar" : "merge")
    if isRemote {
      let ids = saved.mapValues { ($0 as? Set<NSManagedObject> ?? []).map(\.objectID) }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids, into: [other])
    } else {
      other.performAndWait { other.mergeChanges(fromContextDidSave: notification) }
    }
    // Deleted objects go with the end of the event.
    other.performAndWait { other.processPendingChanges() }
  }

  private mutating func giveUp(_ place: Int) {
    log.append("give up \(desks[place].name)")
    let context = desks[place].context
    context.performAndWait { context.rollback() }
  }

  /// The objects loaded in a context without changes are equal to those that a fresh one reads.
  private mutating func compare() throws {
    let fresh = stack.context()
    for desk in desks {
      let context = desk.context
      if context.performAndWait({ context.hasChanges }) { continue }
      let found = context.performAndWait { Shown(loadedIn: context) }
      let stored = try fresh.performAndWait { try Shown(in: fresh) }
      let differences = found.differences(from: stored)
      expect(differences, "desk \(desk.name)")
      let sections = context.performAndWait { desk.sections }
      let expected = try fresh.performAndWait { try FollowingDesk.sections(of: fresh) }
      if sections != expected { expect(sections, "sections of desk \(desk.name)") }
      comparisons += 1
      if Int.random(in: 0..<3, using: &dice) == 0 {
        let all = try context.performAndWait { try Shown(in: context) }
        expect(all.differences(from: stored), "all of desk \(desk.name)")
      }
    }
    expect(fresh.performAndWait { checkInvariants(of: fresh) }, "the store")
  }

  /// Remembers the first thing that is wrong.
  private mutating func expect(_ wrong: [String], _ place: String) {
    if !wrong.isEmpty, problem == nil { problem = "\(place): \(wrong)" }
  }
}

// MARK: - What is shown

/// The targets of objects' relationships, by names: `n1.folder` is `[A]`.
private struct Shown {
  private var targets: [String: [String]] = [:]

  /// Only what was read already.
  init(loadedIn context: NSManagedObjectContext) {
    for object in context.registeredObjects where !object.isFault { add(object, onlyLoaded: true) }
  }

  /// Everything.
  init(in context: NSManagedObjectContext) throws {
    for name in ["Note", "Folder", "Tag"] {
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      for object in try context.fetch(request) { add(object, onlyLoaded: false) }
    }
  }

  private mutating func add(_ object: NSManagedObject, onlyLoaded: Bool) {
    for (name, relationship) in object.entity.relationshipsByName {
      if onlyLoaded, relationship.isToMany, object.hasFault(forRelationshipNamed: name) { continue }
      let names =
        switch object.value(forKey: name) {
        case let set as NSOrderedSet: set.array.map(Self.name)
        case let set as NSSet: set.allObjects.map(Self.name).sorted()
        case let object?: [Self.name(object)]
        case nil: [] as [String]
        }
      targets["\(Self.name(object)).\(name)"] = names
    }
  }

  private static func name(_ object: Any) -> String {
    switch object {
    case let note as Note: note.key
    case let folder as Folder: folder.name ?? ""
    case let tag as TestSupport.Tag: tag.name ?? ""
    case _: "\(object)"
    }
  }

  func differences(from stored: Shown) -> [String] {
    targets.sorted { $0.key < $1.key }.compactMap { key, names in
      let expected = stored.targets[key]
      return names == expected
        ? nil : "\(key) is \(names), not \(expected.map { "\($0)" } ?? "there")"
    }
  }
}

// MARK: - One context

/// A context whose changes can be taken back, and the sections that follow it.
private struct FollowingDesk {
  let context: NSManagedObjectContext
  let name: String
  private let controller: NSFetchedResultsController<Note>
  private let follower = Follower()
  private var count = 0

  private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}
  }

  init(_ context: NSManagedObjectContext, name: String) throws {
    self.context = context
    self.name = name
    context.retainsRegisteredObjects = true
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    context.undoManager = UndoManager()
    context.undoManager?.groupsByEvent = false
    controller = Self.controller(context)
    controller.delegate = follower
    let controller = controller
    try context.performAndWait { try controller.performFetch() }
  }

  private static func controller(
    _ context: NSManagedObjectContext
  ) -> NSFetchedResultsController<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = ["folder.name", "text"].map {
      NSSortDescriptor(key: $0, ascending: true)
    }
    return NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: "folder.name",
      cacheName: nil
    )
  }

  var sections: [String] { Self.lines(controller) }

  /// The sections that a new controller would show.
  static func sections(of context: NSManagedObjectContext) throws -> [String] {
    let controller = controller(context)
    try controller.performFetch()
    return lines(controller)
  }

  private static func lines(_ controller: NSFetchedResultsController<Note>) -> [String] {
    (controller.sections ?? []).map { section in
      let notes = section.objects as? [Note] ?? []
      return "\(section.name): \(notes.map(\.key).joined(separator: " "))"
    }
  }
}

// MARK: - Steps

extension FollowingDesk {
  /// One change, one way to read again, or one step back; gives it in words.
  mutating func step(_ dice: inout Dice) throws -> [String] {
    let kind = Int.random(in: 0..<24, using: &dice)
    switch kind {
    case 0:
      guard context.undoManager?.canUndo == true else { return [] }
      context.undo()
      return ["\(name): undo"]
    case 1:
      guard context.undoManager?.canRedo == true else { return [] }
      context.redo()
      return ["\(name): redo"]
    case 2, 3: return ["\(name): \(try readAnew(&dice))"]
    case _:
      context.undoManager?.beginUndoGrouping()
      defer {
        context.processPendingChanges()
        context.undoManager?.endUndoGrouping()
      }
      return ["\(name): \(try change(kind, &dice))"]
    }
  }

  private func readAnew(_ dice: inout Dice) throws -> String {
    let objects: [NSManagedObject] = try notes() + folders()
    guard let object = objects.randomElement(using: &dice) else { return "nothing" }
    switch Int.random(in: 0..<4, using: &dice) {
    case 0:
      let request = Note.fetchRequest()
      request.shouldRefreshRefetchedObjects = true
      _ = try context.fetch(request)
      return "refetch"
    case 1 where !object.hasChanges:
      context.refresh(object, mergeChanges: false)
      return "refault"
    case 2:
      context.refreshAllObjects()
      return "refresh all"
    case _:
      context.refresh(object, mergeChanges: true)
      return "refresh"
    }
  }

  private func notes() throws -> [Note] {
    try context.fetch(Note.fetchRequest()).sorted { $0.key < $1.key }
  }

  private func folders() throws -> [Folder] {
    try context.fetch(Folder.fetchRequest()).sorted { $0.name ?? "" < $1.name ?? "" }
  }

  private mutating func change(_ kind: Int, _ dice: inout Dice) throws -> String {
    let (notes, folders) = (try notes(), try folders())
    guard notes.count > 2, folders.count > 1, let note = notes.randomElement(using: &dice),
      let other = notes.randomElement(using: &dice),
      let folder = folders.randomElement(using: &dice)
    else { return insert(nil, isFolder: folders.count < 2) }
    let isSet = Int.random(in: 0..<3, using: &dice) > 0
    let (n, f) = (note.key, folder.name ?? "")
    switch kind {
    case 4, 5:
      note.folder = isSet ? folder : nil
      return "\(n).folder = \(isSet ? f : "nil")"
    case 6:
      if isSet { folder.addToNotes(note) } else { folder.removeFromNotes(note) }
      return "\(f).notes \(isSet ? "+" : "-") \(n)"
    case 7:
      folder.cover = isSet ? note : nil
      return "\(f).cover = \(isSet ? n : "nil")"
    case 8:
      note.covers = isSet ? folder : nil
      return "\(n).covers = \(isSet ? f : "nil")"
    case 9, 10:
      note.pinnedIn = isSet ? folder : nil
      return "\(n).pinnedIn = \(isSet ? f : "nil")"
    case 11:
      let pinned = folder.mutableOrderedSetValue(forKey: "pinned")
      if pinned.count > 1 { pinned.moveObjects(at: [pinned.count - 1], to: 0) }
      return "\(f).pinned moved"
    case 12:
      if isSet { folder.insertIntoPinned(note, at: 0) }
      return "\(f).pinned + \(isSet ? n : "nothing")"
    case 13, 14, 15: return try tag(note, isSet, &dice)
    case 16, 17:
      if isSet { note.addToRelated(other) } else { note.removeFromRelated(other) }
      return "\(n).related \(isSet ? "+" : "-") \(other.key)"
    case 18:
      let parent = folders.first { ($0.name ?? "") < f }
      folder.parent = isSet ? parent : nil
      return "\(f).parent = \(isSet ? parent?.name ?? "nil" : "nil")"
    case 19:
      context.delete(note)
      return "delete \(n)"
    case 20:
      context.delete(folder)
      return "delete \(f)"
    case _: return insert(folder, isFolder: kind == 21)
    }
  }

  private func tag(_ note: Note, _ isSet: Bool, _ dice: inout Dice) throws -> String {
    let tags = try context.fetch(TestSupport.Tag.fetchRequest())
      .sorted { $0.name ?? "" < $1.name ?? "" }
    guard let tag = tags.randomElement(using: &dice) else { return "nothing" }
    switch (Bool.random(using: &dice), isSet) {
    case (true, true): tag.insertIntoNotes(note, at: 0)
    case (true, false): tag.removeFromNotes(note)
    case (false, true): note.addToTags(tag)
    case (false, false): note.removeFromTags(tag)
    }
    return "\(tag.name ?? "").notes \(isSet ? "+" : "-") \(note.key)"
  }

  private mutating func insert(_ folder: Folder?, isFolder: Bool) -> String {
    count += 1
    if isFolder {
      context.folder("\(name.uppercased())\(count)")
      return "insert \(name.uppercased())\(count)"
    }
    context.note("", key: "\(name)\(count)").folder = folder
    return "insert \(name)\(count) in \(folder?.name ?? "nothing")"
  }
}

extension NSManagedObjectContext {
  /// A note of that key, which nobody changes.
  @discardableResult
  fileprivate func note(_ title: String, key: String) -> Note {
    let note = note(title)
    note.text = key
    return note
  }
}
