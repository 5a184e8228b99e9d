import TestSupport
import Testing

@testable import CoreDataSync

/// The engine and the server, with everything that can go wrong between them.
///
/// `COREDATA_SYNC_SEEDS` names seeds to try, as `first-last`; with `COREDATA_SYNC_TRACE` one seed is told
/// turn by turn.
struct RandomHistoryTests {
  @Test("devices agree after any history, and nothing that was written is lost")
  func devicesAgree() throws {
    var saves = 0
    for seed in Seeds.wanted {
      do {
        saves += try Self.run(seed).saves
      } catch {
        let turns = Self.turns(seed)
        let needed = fewest(of: turns) { turns in
          do {
            _ = try SimulatedWorld.run(turns, seed: seed, devices: Self.devices(seed))
            return false
          } catch let other {
            // Fewer turns may fail in another way, which is another story.
            return Self.kind(of: other) == Self.kind(of: error)
          }
        }
        Issue.record("seed \(seed): \(error)\n\(Self.story(of: needed, seed))")
      }
    }
    #expect(saves > 0)
  }

  @Test("a bug that is put in is found", arguments: InjectedBug.allCases)
  func injecting(bug: InjectedBug) throws {
    func run(_ seed: UInt64, _ bug: InjectedBug?, _ subject: [Int]) throws {
      _ = try SimulatedWorld.run(
        Turn.history(seed: seed, count: Seeds.turns, without: InjectedBug.quiet),
        seed: seed,
        devices: Self.devices(seed),
        subject: subject,
        bug: bug
      )
    }
    let found = Seeds.injected.first { seed in
      do {
        try run(seed, bug, bug.subject)
        return false
      } catch {
        return error is Objection
      }
    }
    // It is the bug that is found: without it the same history holds.
    try run(try #require(found), nil, bug.subject)
  }

  /// What an objection says, without the names of this history.
  private static func kind(of error: any Error) -> String {
    "\(error)".prefix { $0 != "\n" }.filter { !$0.isNumber }
  }

  private static func devices(_ seed: UInt64) -> Int { 2 + Int(seed % 3) }

  private static func turns(_ seed: UInt64) -> [Turn] {
    Turn.history(seed: seed, count: Seeds.turns, without: Seeds.excluded)
  }

  private static func run(_ seed: UInt64) throws -> SimulatedWorld {
    try SimulatedWorld.run(turns(seed), seed: seed, devices: devices(seed))
  }

  /// What happens in the fewest turns that fail.
  private static func story(of turns: [Turn], _ seed: UInt64) -> String {
    var lines: [String] = []
    do {
      _ = try SimulatedWorld.run(turns, seed: seed, devices: devices(seed)) { lines.append($0) }
    } catch {
      lines.append("\(error)")
    }
    return lines.joined(separator: "\n")
  }
}
