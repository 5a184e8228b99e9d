import Foundation
import Testing

@testable import CoreDataWebServer

struct `A limit of wrong keys` {
  private let lines = Lines()
  private let now = ContinuousClock.now
  private let date = Date(timeIntervalSince1970: 1_795_910_400)

  private func limit(_ file: URL? = nil, after seconds: Int = 0) -> GuessLimit {
    GuessLimit(
      file: file,
      log: .lines { [lines] in lines.add($0) },
      at: now + .seconds(seconds),
      date: date + Double(seconds)
    )
  }

  /// Guesses until the address is refused; returns how many guesses were answered, and for how long it is refused.
  private func guess(
    _ limit: GuessLimit,
    from address: String,
    after seconds: Int = 0
  ) -> (answered: Int, wait: Int?) {
    for answered in 0...100 {
      let wait = limit.count(
        of: address,
        at: now + .seconds(seconds),
        date: date + Double(seconds)
      )
      if let wait { return (answered, wait) }
    }
    return (100, nil)
  }

  @Test func `grows with each refusal, to a day, and begins again after a quiet day`() {
    let limit = limit()
    var time = 0
    for wait in [60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 30_720, 61_440] + [
      86_400, 86_400,
    ] {
      let (answered, refusal) = guess(limit, from: "203.0.113.7", after: time)
      #expect(answered == 20)
      #expect(refusal == wait)
      #expect(limit.wait(of: "203.0.113.7", at: now + .seconds(time + wait - 1)) != nil)
      time += wait + 1
      #expect(limit.wait(of: "203.0.113.7", at: now + .seconds(time)) == nil)
    }
    #expect(guess(limit, from: "203.0.113.7", after: time + 86_401).wait == 60)
  }

  @Test func `lets a person mistype all day`() {
    let limit = limit()
    for minute in 0..<1_440 {
      #expect(
        limit.count(of: "203.0.113.7", at: now + .seconds(minute * 60), date: date) == nil
      )
    }
  }

  @Test func `counts each address alone`() {
    let limit = limit()
    #expect(guess(limit, from: "203.0.113.7").wait == 60)
    #expect(limit.wait(of: "203.0.113.8", at: now) == nil)
    #expect(guess(limit, from: "203.0.113.8").answered == 20)
  }

  private func inFolder(_ test: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("guesses-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try test(folder.appendingPathComponent("access-key.guesses"))
  }

  @Test func `was forgotten at a restart`() throws {
    try inFolder { file in
      #expect(guess(limit(file), from: "203.0.113.7").wait == 60)
      let second = limit(file, after: 30)
      #expect(second.wait(of: "203.0.113.7", at: now + .seconds(30)) == 31)
      #expect(guess(second, from: "203.0.113.7", after: 90).wait == 120)
      // How often it was refused is kept for a day after the refusal.
      let third = limit(file, after: 3_600)
      #expect(third.wait(of: "203.0.113.7", at: now + .seconds(3_600)) == nil)
      #expect(guess(third, from: "203.0.113.7", after: 3_600).wait == 240)
      #expect(guess(limit(file, after: 200_000), from: "203.0.113.7", after: 200_000).wait == 60)
    }
  }

  @Test func `is no longer than a day after the clock was set back`() throws {
    try inFolder { file in
      #expect(guess(limit(file), from: "203.0.113.7").wait == 60)
      let later = GuessLimit(file: file, log: .off, at: now, date: date - 1_000_000_000)
      let wait = try #require(later.wait(of: "203.0.113.7", at: now))
      #expect(wait <= 86_401)
    }
  }

  @Test(arguments: [
    "", "\n\n", "1 2\n", "x y z\n", "-1 1 203.0.113.7\n", "99999999999999999999 1 203.0.113.7\n",
    "1795999999 0 203.0.113.7\n", "1795999999 99999999999 203.0.113.7\n",
    "1795999999 1 \(String(repeating: "1", count: 100_000))\n",
  ])
  func `reads no refusal from a damaged file`(text: String) throws {
    try inFolder { file in
      try Data(text.utf8).write(to: file)
      chmod(file.path, 0o600)
      #expect(limit(file).wait(of: "203.0.113.7", at: now) == nil)
    }
  }

  @Test func `remembers a thousand addresses, and forgets those first that may ask`() throws {
    try inFolder { file in
      let limit = limit(file)
      #expect(guess(limit, from: "203.0.113.7").wait == 60)
      for number in 0..<3_000 { _ = limit.count(of: "198.51.100.\(number)", at: now, date: date) }
      #expect(limit.wait(of: "203.0.113.7", at: now) != nil)
      #expect(guess(limit, from: "203.0.113.9").answered == 20)
    }
  }

  @Test func `is told where it cannot be kept, and holds all the same`() {
    let limit = limit(URL(fileURLWithPath: "/nowhere/access-key.guesses"))
    #expect(guess(limit, from: "203.0.113.7").wait == 60)
    #expect(limit.wait(of: "203.0.113.7", at: now) != nil)
    #expect(lines.all.contains { $0.contains("Refusals of wrong keys end with the program") })
  }
}
