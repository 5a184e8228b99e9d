import CoreData
import Foundation
import TestSupport
import Testing

/// A fetch that demands a value looks at those unsaved objects alone that may have it: it finds the same as one that looks at
/// all, whatever has happened before.
@Suite struct RandomUnsavedTests {
  @Test(arguments: 1...12)
  func `a demanded value is found among unsaved changes as by looking at each object`(
    seed: Int
  ) throws {
    let turns = Turn.random(60, seed: seed)
    guard try !UnsavedNotes(turns).differences.isEmpty else { return }
    let needed = try fewest(of: turns) { try !UnsavedNotes($0).differences.isEmpty }
    let differences = try UnsavedNotes(needed).differences
    Issue.record("seed \(seed): \(needed.map { "\($0)" }.joined(separator: "\n")): \(differences)")
  }
}

/// The possible changes of the note with a number among all that are left.
private enum Turn {
  case insert(String?)
  case insertChecklist(String?)
  case title(Int, String?)
  case primitiveTitle(Int, String?)
  case stars(Int, Int16)
  case delete(Int)
  case nameForGood(Int)
  case refresh(Int, mergeChanges: Bool)
  case elsewhere(Int, String?)
  case save
  case rollback
  case undo
  case redo

  /// First there are so many unsaved notes that those with one title are few of them.
  static func random(_ count: Int, seed: Int) -> [Turn] {
    var dice = RepeatableNumbers(seed: seed)
    let first = (0..<40).map { _ in Turn.insert(title(&dice)) }
    return first + (0..<count).map { _ in one(&dice) }
  }

  private static func title(_ dice: inout RepeatableNumbers) -> String? {
    let number = Int.random(in: 0...12, using: &dice)
    return number == 0 ? nil : "Note \(number)"
  }

  private static func one(_ dice: inout RepeatableNumbers) -> Turn {
    let (note, title) = (Int.random(in: 0..<60, using: &dice), title(&dice))
    return switch Int.random(in: 0..<100, using: &dice) {
    case 0..<16: .insert(title)
    case 16..<20: .insertChecklist(title)
    case 20..<50: .title(note, title)
    case 50..<62: .primitiveTitle(note, title)
    // Six stars are one more than the model allows: a save fails then.
    case 62..<72: .stars(note, Int16.random(in: 0...6, using: &dice))
    case 72..<77: .delete(note)
    case 77..<80: .nameForGood(note)
    case 80..<82: .refresh(note, mergeChanges: true)
    case 82, 83: .refresh(note, mergeChanges: false)
    case 84..<90: .elsewhere(note, title)
    case 90..<94: .save
    case 94: .rollback
    case 95..<98: .undo
    default: .redo
    }
  }
}

/// Takes turns, and compares after each.
private struct UnsavedNotes {
  private(set) var differences: [String] = []

  private static var predicates: [NSPredicate] {
    [
      NSPredicate(format: "title == 'Note 1'"),
      NSPredicate(format: "title == 'Note 2' AND stars < 3"),
      NSPredicate(format: "title == nil"), NSPredicate(format: "stars == 3"),
    ]
  }

  init(_ turns: [Turn]) throws {
    let stack = try NotesStack(.memory)
    let context = stack.context()
    differences = try context.performAndWait {
      context.undoManager = UndoManager()
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      var differences: [String] = []
      for (number, turn) in turns.enumerated() where differences.isEmpty {
        try take(turn, in: context, of: stack)
        for entity in ["Note", "Checklist"] {
          for predicate in Self.predicates {
            guard let line = try difference(entity, predicate, in: context) else { continue }
            differences.append("after \(number + 1) turns \(entity) where \(predicate): \(line)")
          }
        }
      }
      return differences
    }
  }

  private func difference(
    _ entity: String,
    _ predicate: NSPredicate,
    in context: NSManagedObjectContext
  ) throws -> String? {
    let request = NSFetchRequest<Note>(entityName: entity)
    let expected = try context.fetch(request).filter { predicate.evaluate(with: $0) }
    request.predicate = predicate
    let found = try context.fetch(request)
    request.fetchLimit = 2
    let two = try context.fetch(request)
    let isSo =
      Set(found) == Set(expected) && two.count == min(2, expected.count)
      && Set(two).isSubset(of: found)
    if isSo { return nil }
    return "\(found.map(\.title)), \(two.count) of two, instead of \(expected.map(\.title))"
  }

  private func take(_ turn: Turn, in context: NSManagedObjectContext, of stack: NotesStack) throws {
    func note(_ number: Int) throws -> Note? {
      let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
      return notes.isEmpty ? nil : notes[number % notes.count]
    }
    switch turn {
    case .insert(let title): Note(context: context).title = title
    case .insertChecklist(let title): Checklist(context: context).title = title
    case .title(let number, let title): try note(number)?.title = title
    case .primitiveTitle(let number, let title):
      // For an object without changes the store's value is found.
      guard let note = try note(number), note.hasChanges else { return }
      note.setPrimitiveValue(title, forKey: "title")
    case .stars(let number, let stars): try note(number)?.stars = stars
    case .delete(let number): try note(number).map(context.delete)
    case .nameForGood(let number):
      try note(number).map { try context.obtainPermanentIDs(for: [$0]) }
    case .refresh(let number, let mergeChanges):
      try note(number).map { context.refresh($0, mergeChanges: mergeChanges) }
    case .elsewhere(let number, let title):
      guard let id = try note(number)?.objectID, !id.isTemporaryID else { return }
      try change(id, to: title, in: stack, tellingOf: context)
    case .save: try? context.save()
    case .rollback: context.rollback()
    case .undo: context.undo()
    case .redo: context.redo()
    }
  }

  /// Another context gives the note another title, of which this one hears.
  private func change(
    _ id: NSManagedObjectID,
    to title: String?,
    in stack: NotesStack,
    tellingOf context: NSManagedObjectContext
  ) throws {
    let other = stack.context()
    let isSaved = try other.performAndWait {
      guard let note = try? other.existingObject(with: id) as? Note else { return false }
      note.title = title
      try other.save()
      return true
    }
    if !isSaved { return }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSUpdatedObjectsKey: [id.uriRepresentation()]],
      into: [context]
    )
  }
}
