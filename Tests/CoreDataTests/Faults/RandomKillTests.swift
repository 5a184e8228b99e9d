import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// Programs that are killed at random moments, again and again, while they work on one store.
///
/// ```
/// start ─▶ open ─▶ step 1 ─▶ step 2 ─▶ step …        kill -9, anywhere
///                  says 1    says 2
/// look: the store is sound, has all of each step or nothing, and every step that was said to be done
/// ```
///
/// The moments come from a fixed seed, but no two machines are equally fast.
struct RandomKillTests {
  private static let kills = Tries.count(15, long: 350)

  @Test func `a program killed at any moment while it saves keeps what it said was saved`() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    try Self.run(.saves, at: file) { known in
      try Self.open(file) { context in
        let notes = try context.fetch(Note.fetchRequest())
        // Within a macro the closure would have the name of the one below.
        let found = notes.first { $0.title == "ledger" }
        let ledger = try #require(found)
        let count = try #require(ledger.views?.intValue)
        let picture = try Ledger.picture(context).joined(separator: "\n")
        #expect(ledger.text == picture)
        let accounts = notes.filter { $0.title?.hasPrefix("account") == true }
        #expect(accounts.count == Ledger.accountCount, "\(notes.map { $0.title ?? "-" })")
        #expect(accounts.reduce(0) { $0 + ($1.views?.int64Value ?? 0) } == Ledger.total)
        #expect(notes.count == Ledger.accountCount + 1 + min(count, 12))
        // The beginning is two transactions.
        #expect(try CountedBatches.stepCount(context) == count + 1)
        return count
      }
    }
  }

  @Test func `a program killed at any moment in a batch has done all of it or nothing`() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    try Self.run(.batches, at: file) { known in
      try Self.open(file) { context in
        let count = try CountedBatches.stepCount(context)
        #expect(try CountedBatches.picture(context) == CountedBatches.picture(after: count))
        return count
      }
    }
  }

  @Test func `a program killed at any moment in a migration leaves the old store or the new (108)`()
    throws
  {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    try Self.run(.migrations, at: file) { known in
      // Which of three it is tells how many migrations there were, give or take three.
      let version = try ThreeVersions.version(of: file)
      let count = (known...known + 2).first { $0 % 3 == version } ?? known
      try ThreeVersions.work(at: file, version: version) { context in
        let picture = try ThreeVersions.picture(context, version: version)
        #expect(picture == ThreeVersions.picture)
        #expect(try CountedBatches.stepCount(context) == 0)
      }
      return count
    }
  }
}

// MARK: - Killing

extension RandomKillTests {
  /// Kills programs again and again; `look` is told how many steps are known to be done, and gives how
  /// many the store has.
  private static func run(
    _ kind: WorkKind,
    at file: URL,
    _ look: (Int) throws -> Int
  ) throws {
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    try kind.type.begin(at: file)
    var random = RepeatableNumbers(seed: 1)
    var pace = Duration.milliseconds(20)
    var (done, unsaid, killedEarly) = (0, 0, 0)
    let start = ContinuousClock.now
    for kill in 1...kills {
      let said = try lastStep(kind, at: file, &pace, &random)
      let known = kind == .migrations ? done + (said ?? 0) : said ?? done
      let found = try look(known)
      // Of a step that was under way, all may be there already.
      #expect(found == known || found == known + 1, "kill \(kill): \(known) said, \(found) found")
      if found > known { unsaid += 1 }
      if said == nil { killedEarly += 1 }
      done = found
      try expectSound(file, kill)
    }
    let time = start.duration(to: .now)
    print(
      "\(kills) kills in \(kind): \(done) steps, \(unsaid) done and not said, "
        + "\(killedEarly) before the first, \(time)"
    )
    // Programs that never come to work would prove nothing.
    #expect(done > kills / 2)
    try expectRepairable(file)
    // The next copy removes what a killed program had begun.
    let leftovers = try Upgrade(of: file).companions().filter { $0.hasSuffix(".unfinished") }
    #expect(leftovers.count <= 1)
  }

  /// Starts a program, kills it at a random moment, and gives the last step that it said was done.
  ///
  /// `pace` is how long a step takes on this machine, just now.
  private static func lastStep(
    _ kind: WorkKind,
    at file: URL,
    _ pace: inout Duration,
    _ random: inout RepeatableNumbers
  ) throws -> Int? {
    let program = try MortalProgram(kind, at: file)
    // One in eight is killed while it starts or opens the store.
    if Int.random(in: 0..<8, using: &random) > 0 {
      try program.waitForWord()
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let start = ContinuousClock.now
        try program.waitForWord()
        pace = start.duration(to: .now)
      }
    }
    // Somewhere in the next step, or early in the one after it.
    let share = Double.random(in: 0..<1.2, using: &random)
    usleep(UInt32(clamping: Int(pace / .microseconds(1) * share)))
    return try program.kill()
  }

  /// Opens the store as the next program does, and looks at it.
  private static func open(
    _ file: URL,
    _ look: (NSManagedObjectContext) throws -> Int
  ) throws -> Int {
    let stack = try NotesStack(
      file: file,
      options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)]
    )
    return try stack.work(look)
  }

  /// Nothing is wrong in the file, and no row names a file that is missing.
  ///
  /// A file that was written for a step which never came to its end takes room, and harms nothing.
  private static func expectSound(_ file: URL, _ kill: Int) throws {
    let report = try StoreChecker(storeAt: file, model: nil, isDeep: true).report()
    let wrong = report.findings.filter {
      $0.severity != .note && !($0.check == .externalData && $0.severity == .warning)
    }
    #expect(wrong.map { "\($0.place): \($0.sentence)" } == [], "kill \(kill)")
    #expect(report.hasCheckedRows)
  }

  /// A repair puts away the files that nobody names.
  private static func expectRepairable(_ file: URL) throws {
    _ = try StoreRepair(storeAt: file, model: nil).perform()
    let report = try StoreChecker(storeAt: file, model: nil, isDeep: true).report()
    #expect(report.findings.filter { $0.severity != .note }.map(\.sentence) == [])
  }
}
