import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A new context finds the file's rows, whatever the cache knows of them, and whichever program has written.
@Suite struct RandomKnownRowsTests {
  @Test(arguments: 1...8)
  func `a fetch of known rows finds what plain SQL finds`(seed: Int) throws {
    let turns = Turn.random(40, seed: seed)
    guard try KnownNotes(turns).difference != nil else { return }
    let needed = try fewest(of: turns) { try KnownNotes($0).difference != nil }
    let difference = try KnownNotes(needed).difference ?? "none"
    Issue.record("seed \(seed): \(needed.map { "\($0)" }.joined(separator: "\n")): \(difference)")
  }
}

/// The possible changes of the notes with some stars.
private enum Turn {
  case insert(Int, stars: Int)
  case title(stars: Int, String)
  case move(stars: Int, to: Int)
  case delete(stars: Int)
  case deleteAndUndo(stars: Int)
  case failToSave(stars: Int)
  case batchUpdate(stars: Int, String)
  case batchDelete(stars: Int)
  case sqlWithoutVersion(stars: Int, String)
  case otherCoordinator(stars: Int, String)
  case forget
  case fetchSome(stars: Int)

  /// First there are so many notes that they wait for their places in the cache.
  static func random(_ count: Int, seed: Int) -> [Turn] {
    var dice = RepeatableNumbers(seed: seed)
    return [.insert(600, stars: 0), .insert(8, stars: 3)] + (0..<count).map { _ in one(&dice) }
  }

  private static func one(_ dice: inout RepeatableNumbers) -> Turn {
    let stars = Int.random(in: 0...5, using: &dice)
    let title = "Title \(Int.random(in: 0..<1000, using: &dice))"
    return switch Int.random(in: 0..<100, using: &dice) {
    case 0..<15: .insert(Int.random(in: 1...40, using: &dice), stars: stars)
    case 15..<30: .title(stars: stars, title)
    case 30..<40: .move(stars: stars, to: Int.random(in: 0...5, using: &dice))
    case 40..<44: .delete(stars: stars)
    case 44..<54: .deleteAndUndo(stars: stars)
    case 54..<60: .failToSave(stars: stars)
    case 60..<67: .batchUpdate(stars: stars, title)
    case 67..<69: .batchDelete(stars: stars)
    case 69..<78: .sqlWithoutVersion(stars: stars, title)
    case 78..<87: .otherCoordinator(stars: stars, title)
    case 87..<90: .forget
    default: .fetchSome(stars: stars)
    }
  }
}

/// Takes turns, and compares what a new context finds with the table's rows after each.
private struct KnownNotes {
  private let stack: NotesStack
  private let other: NotesStack
  private let connection: Connection
  /// How the first comparison failed.
  private(set) var difference: String?

  init(_ turns: [Turn]) throws {
    stack = try NotesStack(.sqlite)
    other = try stack.reopened()
    guard let file = stack.file else { throw CocoaError(.fileNoSuchFile) }
    connection = try Connection(path: file.path)
    for (number, turn) in turns.enumerated() {
      try take(turn)
      let (found, expected) = (try found(), try expected())
      guard let line = Set(found).symmetricDifference(expected).min() else { continue }
      difference = "after \(number + 1) turns \(found.count), \(expected.count) rows, as \(line)"
      return
    }
  }

  private func found() throws -> [String] {
    try stack.work { context in
      try context.fetch(NSFetchRequest<Note>(entityName: "Note")).map {
        "\($0.key.number) \($0.title ?? "") \($0.stars)"
      }
    }
  }

  private func expected() throws -> [String] {
    let statement = try connection.statement("SELECT Z_PK, ZTITLE, ZSTARS FROM ZNOTE" as String)
    defer { statement.reset() }
    var lines: [String] = []
    while try statement.step() {
      lines.append("\(statement.integer(0)) \(statement.text(1)) \(statement.integer(2))")
    }
    return lines
  }

  private func take(_ turn: Turn) throws {
    switch turn {
    case .insert(let count, let stars):
      try stack.work { context in
        for number in 0..<count {
          context.note("Note \(number)").stars = Int16(stars)
        }
        try context.save()
      }
    case .title(let stars, let title): try change(stack, stars) { $0.title = title }
    case .move(let stars, let new): try change(stack, stars) { $0.stars = Int16(new) }
    case .delete(let stars):
      try stack.work { context in
        try notes(stars, in: context).forEach(context.delete)
        try context.save()
      }
    case .deleteAndUndo(let stars): try deleteAndUndo(stars)
    case .failToSave(let stars):
      try stack.work { context in
        for note in try notes(stars, in: context) { note.title = "Never" }
        // More than the model allows.
        context.note("Never").stars = 6
        try? context.save()
      }
    case .batchUpdate(let stars, let title):
      let request = NSBatchUpdateRequest(entityName: "Note")
      request.predicate = NSPredicate(format: "stars == %d", stars)
      request.propertiesToUpdate = ["title": title]
      _ = try stack.work { try $0.execute(request) }
    case .batchDelete(let stars):
      let request = NSBatchDeleteRequest(fetchRequest: Self.request(stars))
      _ = try stack.work { try $0.execute(request) }
    case .sqlWithoutVersion(let stars, let title):
      try connection.run(
        "UPDATE ZNOTE SET ZTITLE = \(.text(title)) WHERE ZSTARS = \(.integer(Int64(stars)))"
      )
    case .otherCoordinator(let stars, let title): try change(other, stars) { $0.title = title }
    case .forget: stack.store.rowCache.removeAll()
    case .fetchSome(let stars): _ = try stack.work { try notes(stars, in: $0).count }
    }
  }

  /// A context that deletes, saves, takes it back and saves gives rows that were gone their numbers again.
  private func deleteAndUndo(_ stars: Int) throws {
    try stack.work { context in
      context.undoManager = UndoManager()
      let notes = try notes(stars, in: context)
      for note in notes { note.title = (note.title ?? "") + "!" }
      try context.save()
      context.undoManager?.removeAllActions()
      notes.forEach(context.delete)
      try context.save()
      context.undo()
      try context.save()
    }
  }

  private func change(_ stack: NotesStack, _ stars: Int, _ change: (Note) -> Void) throws {
    try stack.work { context in
      try notes(stars, in: context).forEach(change)
      try context.save()
    }
  }

  private func notes(_ stars: Int, in context: NSManagedObjectContext) throws -> [Note] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "stars == %d", stars)
    return try context.fetch(request)
  }

  private static func request(_ stars: Int) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    request.predicate = NSPredicate(format: "stars == %d", stars)
    return request
  }
}
