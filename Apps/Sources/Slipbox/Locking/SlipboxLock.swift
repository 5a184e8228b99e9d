import CoreDataWebServer
import Foundation
import Synchronization

/// The lock of the slip box, which closes browsers that nobody uses.
///
/// ```
/// no file `lock`       ─▶ every browser with the access key is let in, as without this type
/// the passphrase       ─▶ the browser gets a token in a cookie, and is unlocked
/// no activity for long ─▶ the browser is locked: 423 for each address under /api but those of the lock itself
/// ```
///
/// Activity is what the page reports, and each note that is written; reading does not count. The file is looked at for each request,
/// because its owner may delete it. Passphrases are checked one at a time, on a queue of their own.
final class SlipboxLock: Sendable {
  /// The name of a browser in its cookie.
  typealias Token = String

  private struct State {
    var contents = LockFile.Contents.missing
    var stamp: LockFile.Stamp?
    var browsers = UnlockedBrowsers()
    var tries = PassphraseTries()

    mutating func unlock(instead old: Token?, at now: ContinuousClock.Instant) -> Token {
      if let old { browsers.remove(old) }
      return browsers.add(at: now)
    }
  }

  private let file: LockFile
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "slipbox.passphrases", qos: .utility)

  /// - Parameters:
  ///   - folder: The folder of the slip box.
  ///   - now: Reads a clock that goes on while the machine sleeps.
  init(in folder: URL, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    file = LockFile(in: folder)
    self.now = now
  }

  /// Returns whether a browser may read and write notes.
  func isOpen(to token: Token?) -> Bool {
    state.withLock { state in
      switch contents(&state) {
      case .missing: true
      case .damaged: false
      case .lock(let settings):
        token.map { state.browsers.has($0, idleFor: .minutes(settings.minutes), at: now()) }
          ?? false
      }
    }
  }

  /// Returns what a browser may know about the lock.
  func condition(for token: Token?) -> LockCondition {
    let isLocked = !isOpen(to: token)
    return switch state.withLock({ contents(&$0) }) {
    case .missing: LockCondition(isSet: false, isLocked: false)
    case .damaged: LockCondition(isSet: true, isLocked: true, message: file.damage)
    case .lock(let settings):
      LockCondition(isSet: true, isLocked: isLocked, minutes: settings.minutes)
    }
  }

  /// The answer to a browser that is locked.
  var refusal: Problem {
    if state.withLock({ contents(&$0).isDamaged }) { return Problem(423, file.damage) }
    return Problem(423, "The slip box is locked in this browser. Unlock it with its passphrase.")
  }

  /// Takes note of activity.
  func touch(_ token: Token?) {
    guard let token else { return }
    state.withLock { $0.browsers.touch(token, at: now()) }
  }

  /// Locks a browser.
  func close(to token: Token) {
    state.withLock { $0.browsers.remove(token) }
  }
}

// MARK: - With the passphrase

extension SlipboxLock {
  /// Unlocks a browser, which has had another token before.
  ///
  /// - Throws: A `Problem` if the passphrase is wrong, or if there were too many wrong ones.
  func open(with passphrase: String, instead old: Token?) async throws -> Token {
    try await checking(passphrase) { [self] _ in
      state.withLock { $0.unlock(instead: old, at: now()) }
    }
  }

  /// Sets a lock, or changes the one that is set.
  ///
  /// With a new passphrase, only the browser that asked for it is unlocked.
  ///
  /// - Parameters:
  ///   - passphrase: The new passphrase; `nil` keeps the present one.
  ///   - minutes: The idle time.
  ///   - present: The present passphrase, if there is a lock.
  ///   - old: The token of the browser.
  /// - Returns: The new token of the browser.
  /// - Throws: A `Problem` if the choice is unsuitable, if the present passphrase is wrong, or if the file cannot be written.
  func set(
    _ passphrase: String?,
    minutes: Int,
    present: String?,
    instead old: Token?
  ) async throws -> Token {
    if let passphrase { try Self.mustBeSuitable(passphrase) }
    guard LockFile.minutes.contains(minutes) else {
      throw Problem(400, "The idle time is 1, 5, 15, 30 or 60 minutes.")
    }
    guard isSet else {
      guard let passphrase else { throw Problem(400, "A new lock needs a passphrase.") }
      return try await alone { [self] in
        guard !isSet else { throw Problem(409, "Somebody else has just set a lock.") }
        let hash = try PassphraseHash(of: passphrase)
        return try keep(.init(passphrase: hash, minutes: minutes), instead: old)
      }
    }
    return try await checking(present ?? "") { [self] settings in
      let hash = try passphrase.map(PassphraseHash.init(of:)) ?? settings.passphrase
      return try keep(.init(passphrase: hash, minutes: minutes), instead: old)
    }
  }

  /// Takes the lock off.
  func remove(present: String) async throws {
    guard isSet else { return }
    try await checking(present) { [self] _ in
      try file.remove()
    }
  }

  private var isSet: Bool {
    if case .missing = state.withLock({ contents(&$0) }) { false } else { true }
  }

  private static func mustBeSuitable(_ passphrase: String) throws {
    guard passphrase.count >= 4 else {
      throw Problem(400, "A passphrase has at least 4 characters.")
    }
    try mustBeShort(passphrase)
  }

  private static func mustBeShort(_ passphrase: String) throws {
    guard passphrase.utf16.count <= 1_000 else {
      throw Problem(400, "A passphrase has at most 1,000 characters.")
    }
  }

  /// Does `work` if the passphrase is the right one.
  private func checking<Result: Sendable>(
    _ passphrase: String,
    _ work: @escaping @Sendable (LockFile.Settings) throws -> Result
  ) async throws -> Result {
    try Self.mustBeShort(passphrase)
    let time = now()
    if let wait = state.withLock({ $0.tries.begin(at: time) }) {
      throw Problem(
        429,
        wait == 1
          ? "Too many wrong passphrases. Try again in 1 second."
          : "Too many wrong passphrases. Try again in \(wait) seconds.",
        retryAfter: wait
      )
    }
    return try await alone { [self] in
      switch state.withLock({ contents(&$0) }) {
      case .missing: throw Problem(409, "The slip box has no lock any more. Reload the page.")
      case .damaged: throw refusal
      case .lock(let settings):
        guard settings.passphrase.isOf(passphrase) else {
          throw Problem(403, "This is not the passphrase.")
        }
        state.withLock { $0.tries.takeBack(time) }
        return try work(settings)
      }
    }
  }

  /// Does `work` on the queue of passphrases: a check needs a tenth of a second and much memory.
  private func alone<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try work() }) }
    }
  }
}

// MARK: - The file

extension SlipboxLock {
  private func contents(_ state: inout State) -> LockFile.Contents {
    let stamp = file.stamp
    // A file that could not be read is read again: its mode may be mended, or the process may open files again.
    if stamp != state.stamp || state.contents.isDamaged {
      let contents = file.read()
      // Nobody has brought another passphrase yet.
      if contents.passphrase != state.contents.passphrase { state.browsers = UnlockedBrowsers() }
      state.contents = contents
      state.stamp = stamp
    }
    return state.contents
  }

  /// Writes the file, and unlocks the browser that asked for it.
  private func keep(_ settings: LockFile.Settings, instead old: Token?) throws -> Token {
    try file.write(settings)
    return state.withLock { state in
      _ = contents(&state)
      return state.unlock(instead: old, at: now())
    }
  }
}

/// The facts about the lock that a locked browser may know.
struct LockCondition: Encodable, Sendable {
  let isSet: Bool
  let isLocked: Bool
  /// The idle time.
  var minutes: Int?
  /// The reason why nothing can be unlocked.
  var message: String?
}

extension Duration {
  fileprivate static func minutes(_ minutes: Int) -> Duration { .seconds(60 * minutes) }
}
