import TestSupport
import Testing

@testable import SyncSimulation

/// The engine and the server, with everything that can go wrong between them.
///
/// `COREDATA_SYNC_SEEDS` names seeds to try, as `first-last`.
struct RandomHistoryTests {
  @Test(
    "devices agree after any history, and nothing that was written is lost",
    arguments: Seeds.wanted
  )
  func devicesAgree(seeds: ClosedRange<UInt64>) throws {
    var saves = 0
    for seed in seeds {
      let history = RandomHistory(seed: seed, turns: Seeds.turns, without: Seeds.excluded)
      do {
        saves += try history.run()
      } catch {
        Issue.record("\(history.story(of: error))")
      }
    }
    #expect(saves > 0)
  }

  @Test(
    "devices agree, whatever it is that happens more often than other things",
    arguments: RandomHistory.Theme.allCases
  )
  func devicesAgree(theme: RandomHistory.Theme) throws {
    for seed in Seeds.themed {
      let history = RandomHistory(seed: seed, of: [theme])
      do {
        _ = try history.run()
      } catch {
        Issue.record("\(history.story(of: error))")
      }
    }
  }

  @Test(
    "devices agree on a framework that takes liberties which Apple's documentation leaves it",
    arguments: Looseness.permitted.map { [$0] } + [Looseness.permitted]
  )
  func devicesAgree(loosely looseness: Set<Looseness>) throws {
    for seed in Seeds.themed {
      let history = RandomHistory(seed: seed, loosely: looseness)
      do {
        _ = try history.run()
      } catch {
        Issue.record("\(history.story(of: error))")
      }
    }
  }

  // The page FromAnIPhone lists these as assumptions. Takes some minutes of a processor in a debug build.
  @Test(
    "a framework that takes a liberty on which the engine relies is noticed",
    .enabled(if: Tries.areMany),
    arguments: Looseness.refused
  )
  func noticing(looseness: Looseness) {
    let failing = Seeds.injected.first { seed in
      do {
        _ = try RandomHistory(seed: seed, loosely: [looseness]).run()
        return false
      } catch {
        return true
      }
    }
    #expect(failing != nil)
  }

  @Test(
    "histories were said to fail in which the devices did what they should",
    arguments: [
      (.restored, 120_434), (.restored, 123_334), (.deleting, 231_653), (.deleting, 237_500),
      (.tagging, 321_578), (.tagging, 328_785), (.tagging, 351_421), (.tagging, 373_179),
    ] as [(RandomHistory.Theme, UInt64)]
  )
  func judgedWrongly(theme: RandomHistory.Theme, seed: UInt64) throws {
    _ = try RandomHistory(seed: seed, of: [theme]).run()
  }

  // Takes half a minute of a processor in a debug build.
  @Test(
    "a bug that is put in is found",
    .enabled(if: Tries.areMany),
    arguments: InjectedBug.allCases
  )
  func injecting(bug: InjectedBug) throws {
    func history(_ seed: UInt64) -> RandomHistory {
      RandomHistory(seed: seed, turns: Seeds.turns, for: bug)
    }
    let circumstances = bug.circumstances
    let found = Seeds.injected.first { seed in
      do {
        try history(seed).run(bug, in: circumstances)
        return false
      } catch {
        return error is Objection
      }
    }
    // It is the bug that is found: without it the same history holds.
    try history(try #require(found)).run(nil, in: circumstances)
  }
}
