import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A store in memory and one in a database have to give the same objects in the same order, whatever
/// they are asked, through a context with or without unsaved changes.
struct DifferentialTests {
  @Test(arguments: [3, 4, 5] as [UInt64])
  func `random requests find the same notes in both kinds of stores`(seed: UInt64) throws {
    let run = try Run(seed: seed, against: .sqlite, rounds: Tries.count(6, long: 14))
    #expect(
      run.differences.isEmpty,
      "\(run.differences.count): \(run.differences.prefix(8).joined(separator: "\n"))"
    )
    // The test is worth nothing if most requests find nothing, or are not answered.
    #expect(run.sizes.count > 30)
    #expect(run.unanswered < 30, "\(run.unanswered)")
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled), arguments: [3, 4] as [UInt64])
  func `random requests find the same notes on a server`(seed: UInt64) throws {
    let run = try Run(seed: seed, against: .postgreSQL, rounds: Tries.count(2, long: 14))
    #expect(
      run.differences.isEmpty,
      "\(run.differences.count): \(run.differences.prefix(8).joined(separator: "\n"))"
    )
    #expect(run.sizes.count > 20)
    #expect(run.unanswered < Tries.count(20, long: 80), "\(run.unanswered)")
  }
}

private struct Run {
  var differences: [String] = []
  var sizes: Set<Int> = []
  var unanswered = 0

  init(seed: UInt64, against kind: StoreKind, rounds: Int) throws {
    let desk = try DifferentialDesk(seed: seed, against: kind)
    var requests = DifferentialRequests(seed: seed &* 101)
    for round in 0..<rounds {
      let changes = SeededGenerator(state: seed &* 977 &+ UInt64(round))
      let contexts = [desk.memory, desk.other].map { $0.context() }
      if round % 2 == 1 {
        for context in contexts {
          var random = changes
          try context.performAndWait { try Self.change(context, &random, kind) }
        }
      }
      for _ in 0..<48 {
        var request = requests.request()
        // The keys of unsaved objects could not decide between equal ones.
        if round % 2 == 1 { request.sort.append((key: "uuid", ascending: true, selector: nil)) }
        if kind == .postgreSQL, request.comparesBeyondDoubles { continue }
        try compare(request, contexts)
      }
    }
  }

  /// Unsaved changes, the same in each context.
  private static func change(
    _ context: NSManagedObjectContext,
    _ random: inout SeededGenerator,
    _ kind: StoreKind
  ) throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    let notes = try context.fetch(request)
    let folders = try context.fetch(NSFetchRequest<Folder>(entityName: "Folder"))
    for note in notes where random.chance(1, of: 10) {
      switch random.index(below: 4) {
      case 0: context.delete(note)
      case 1: note.folder = random.perhaps(folders)
      case _: DifferentialValues.fill(note, &random, for: kind)
      }
    }
    for number in 0..<2 {
      let note = Note(context: context)
      DifferentialValues.fill(note, &random, for: kind)
      note.uuid = DifferentialValues.code(100 + number)
      note.folder = random.one(of: folders)
    }
  }

  private mutating func compare(
    _ request: DifferentialRequest,
    _ contexts: [NSManagedObjectContext]
  ) throws {
    let answers = try contexts.map { context in
      try context.performAndWait { try Self.answer(request, in: context) }
    }
    switch (answers[0], answers[1]) {
    case (.found(let expected), .found(let found)):
      sizes.insert(expected.count)
      if expected != found {
        let place = zip(expected, found).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
        differences.append(
          """
          \(request)
          memory \(expected.count) from \(place): \(expected.dropFirst(place).prefix(6))
          database \(found.count) from \(place): \(found.dropFirst(place).prefix(6))
          """
        )
      }
    case (.refused, _):
      unanswered += 1
    // A request may ask for such a text, which no row of a server has.
    case (.found, .refused(let sentence)) where sentence.contains("U+0000"):
      unanswered += 1
    case (.found, .refused(let sentence)):
      differences.append("\(request)\nrefused by the database alone: \(sentence)")
    }
  }

  private enum Answer {
    case found([String])
    case refused(String)
  }

  /// The notes that a request finds, each by its entity and the code that it has in both stores.
  private static func answer(
    _ request: DifferentialRequest,
    in context: NSManagedObjectContext
  ) throws -> Answer {
    let request = try request.request(in: context)
    do {
      let found = try context.fetch(request).map { note in
        "\(note.entity.name ?? "") \(((note as? Note)?.uuid?.uuidString ?? "").prefix(2))"
      }
      let count = try context.count(for: request)
      return .found(found + ["count \(count)"])
    } catch let error as NSError {
      return .refused(error.localizedFailureReason ?? "\(error)")
    }
  }
}

extension DifferentialRequest {
  /// Whether it has a number that is a neighbour of whole numbers which a server compares as floating-point numbers.
  fileprivate var comparesBeyondDoubles: Bool {
    arguments.contains { argument in
      if case .value(let number as Double) = argument {
        number == 9_007_199_254_740_992
      } else {
        false
      }
    }
  }
}
