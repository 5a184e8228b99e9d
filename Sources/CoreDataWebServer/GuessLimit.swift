import CoreDataStrictJSON
import Foundation
import Synchronization

/// Limits how many wrong keys one address may send.
///
///     20 wrong keys within a minute ─▶ refused for a minute
///     20 more after that            ─▶ refused for two minutes, then four … at most a day
///
/// A refusal is kept in a file, so that it outlives a restart. An address that has sent nothing wrong for a day starts again
/// with a minute.
final class GuessLimit: Sendable {
  /// The number of wrong keys that are answered within a minute.
  static let perMinute = 20
  /// The longest refusal, in seconds: a day.
  static let longest = 86_400
  /// The number of addresses that are remembered.
  static let capacity = 1_000

  fileprivate struct Guesser {
    /// The times of the wrong keys of the last minute.
    var times: [ContinuousClock.Instant] = []
    // A browser with an old key sends it with each request, and guesses nothing.
    /// The hash of the last wrong key in a cookie.
    var cookie: Int?
    var refusals = 0
    var refusedUntil: ContinuousClock.Instant?
    var lastSeen: ContinuousClock.Instant
  }

  /// The wrong things that are counted.
  enum Subject: String, Sendable {
    case keys = "access keys"
    case links = "links"
  }

  private let subject: Subject
  private let window: Duration
  private let guessers: Mutex<[String: Guesser]>
  private let file: PrivateFile?
  private let log: AccessLog

  /// Creates a limit, with the refusals that a file has from earlier runs.
  ///
  /// - Parameters:
  ///   - subject: The things that are counted.
  ///   - file: The file to keep refusals in, or `nil` to keep them in memory only.
  ///   - log: The log that each refusal is written to.
  ///   - window: The time in which so many keys are too many, a minute unless a test is slow.
  ///   - now: The current time.
  ///   - date: The current date, which the file has instead of a time that ends with the process.
  init(
    of subject: Subject = .keys,
    file: URL?,
    log: AccessLog,
    window: Duration = .seconds(60),
    at now: ContinuousClock.Instant = .now,
    date: Date = Date()
  ) {
    self.subject = subject
    self.file = file.map(PrivateFile.init(url:))
    self.log = log
    self.window = window
    guessers = Mutex(Self.read(self.file, at: now, date: date))
  }

  /// Returns how many seconds the address must wait until it may send a key, or `nil` if it may now.
  func wait(
    of address: String,
    at now: ContinuousClock.Instant = .now
  ) -> Int? {
    guessers.withLock { $0[address]?.wait(at: now) }
  }

  /// Counts a wrong key.
  ///
  /// - Parameters:
  ///   - cookie: The key, if it came in a cookie, or the secret of a link. The same one again is not counted.
  ///   - address: The address that sent it.
  ///   - now: The current time.
  ///   - date: The current date, for the file.
  /// - Returns: How many seconds the address must wait, or `nil` if it may send another key now.
  func count(
    cookie: String? = nil,
    of address: String,
    at now: ContinuousClock.Instant = .now,
    date: Date = Date()
  ) -> Int? {
    guessers.withLock { guessers in
      if guessers[address] == nil, guessers.count >= Self.capacity {
        Self.forgetOne(of: &guessers, at: now)
      }
      var guesser = guessers[address] ?? Guesser(lastSeen: now)
      defer { guessers[address] = guesser }
      if let wait = guesser.wait(at: now) { return wait }
      guard guesser.takeGuess(cookie, at: now, within: window) else { return nil }
      let wait = guesser.refuse(at: now)
      guessers[address] = guesser
      log.report(
        "\(Self.perMinute) wrong \(subject.rawValue) from \(address) within a minute: "
          + "\(consequence) for \(Self.words(seconds: wait))"
      )
      keep(guessers, at: now, date: date)
      return wait
    }
  }

  private var consequence: String {
    switch subject {
    case .keys: "no key from there is accepted"
    case .links: "other wrong links from there are refused"
    }
  }

  /// Forgets an address that may ask, or else the one that may ask first.
  private static func forgetOne(
    of guessers: inout [String: Guesser],
    at now: ContinuousClock.Instant
  ) {
    let least = guessers.min {
      ($0.value.refusedUntil ?? now, $0.value.lastSeen)
        < ($1.value.refusedUntil ?? now, $1.value.lastSeen)
    }
    if let least { guessers[least.key] = nil }
  }

  /// Returns a number of seconds in words, rounded up to whole minutes: `1 minute`.
  static func words(seconds: Int) -> String {
    let minutes = (seconds + 59) / 60
    return minutes == 1 ? "1 minute" : "\(minutes) minutes"
  }
}

// MARK: - One address

extension GuessLimit.Guesser {
  fileprivate func wait(at now: ContinuousClock.Instant) -> Int? {
    guard let refusedUntil, refusedUntil > now else { return nil }
    return Int((refusedUntil - now).components.seconds) + 1
  }

  /// Takes a wrong key in; returns whether it is one too many.
  fileprivate mutating func takeGuess(
    _ cookie: String?,
    at now: ContinuousClock.Instant,
    within window: Duration
  ) -> Bool {
    if let cookie {
      let hash = cookie.hashValue
      if hash == self.cookie { return false }
      self.cookie = hash
    }
    if now - lastSeen > .seconds(GuessLimit.longest) { refusals = 0 }
    lastSeen = now
    times.removeAll { now - $0 >= window }
    if times.count >= GuessLimit.perMinute { return true }
    times.append(now)
    return false
  }

  /// Refuses the address, each time for twice as long; returns for how many seconds.
  fileprivate mutating func refuse(at now: ContinuousClock.Instant) -> Int {
    let seconds = min(60 << min(refusals, 20), GuessLimit.longest)
    refusals += 1
    times = []
    refusedUntil = now + .seconds(seconds)
    // A day without guesses begins when the address may ask again.
    lastSeen = now + .seconds(seconds)
    return seconds
  }
}

// MARK: - The file

extension GuessLimit {
  /// A line for each address: when it may ask again, in seconds since 1970, and how often it was refused.
  ///
  ///     1795910400 3 203.0.113.7
  private func keep(
    _ guessers: [String: Guesser],
    at now: ContinuousClock.Instant,
    date: Date
  ) {
    guard let file else { return }
    let lines = guessers.compactMap { address, guesser in
      guesser.refusedUntil.map { until in
        let end = Int(date.timeIntervalSince1970) + Int((until - now).components.seconds)
        return "\(end) \(guesser.refusals) \(address)\n"
      }
    }
    do {
      try file.write(lines.joined())
    } catch {
      log.report("Refusals of wrong keys end with the program: \(error.localizedDescription)")
    }
  }

  /// Reads the lines that can be understood.
  ///
  /// No refusal is longer than a day, even if the clock was set back.
  private static func read(
    _ file: PrivateFile?,
    at now: ContinuousClock.Instant,
    date: Date
  ) -> [String: Guesser] {
    var guessers: [String: Guesser] = [:]
    let text = file?.contents(limit: capacity * 96) ?? ""
    for line in text.split(separator: "\n").prefix(capacity) {
      let parts = line.split(separator: " ")
      guard parts.count == 3, parts[2].utf8.count <= 64,
        let end = WholeNumber.read(parts[0], within: 0...1_000_000_000_000),
        let refusals = WholeNumber.read(parts[1], within: 1...1_000_000)
      else { continue }
      let left = min(end - Int(date.timeIntervalSince1970), longest)
      // A day later, nothing is left to remember.
      guard left > -longest else { continue }
      let until = now + .seconds(left)
      guessers[String(parts[2])] = Guesser(
        refusals: refusals,
        refusedUntil: until,
        lastSeen: until
      )
    }
    return guessers
  }
}
