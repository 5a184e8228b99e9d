import Foundation

/// A request as a device sends it.
struct OutgoingRequest {
  var verb = "GET"
  var url: String
  var headers: [String] = []
  var body: [UInt8]?
  /// Whether the answer may be compressed with gzip; the connection decompresses it.
  var takesCompressed = false

  var isCompressed: Bool { headers.contains("Content-Encoding: gzip") }
}

/// Sends requests, one at a time, and waits for the answer on the calling thread.
///
/// Code that has taken one from an `HTTPTransport` uses it alone.
protocol HTTPConnection: AnyObject, Sendable {
  /// Sends a request and waits for the answer, as long as there is patience.
  ///
  /// - Throws: An `HTTPFailure`.
  func answer(
    to request: OutgoingRequest,
    within patience: HTTPPatience,
    _ take: HTTPTaking
  ) throws -> HTTPAnswer

  /// Ends what is under way, from any thread, and refuses what comes later.
  func cancel()
}

/// The reason why an answer is missing.
enum HTTPFailure: Error {
  /// The server is not reached, or the answer broke off.
  case unreachable(String)
  /// Nothing came and nothing went for as long as was allowed.
  case silence
  /// Something came or went now and then, and all together too little for so long.
  case slowness
  case cancelled
}

/// The head of an answer, and how its body was taken.
struct HTTPAnswer {
  let status: Int
  /// Whether all of it was taken.
  let isWhole: Bool
  /// The place to which the server redirects.
  let moved: String?
  /// The content type, such as `text/html`; `nil` if the answer does not name one.
  let type: String?
  /// Whether the server reads bodies that are compressed with gzip.
  let readsCompressed: Bool

  /// Whether it says that it is a page to be read.
  var isPage: Bool {
    guard let type else { return false }
    return ["text/html", "application/xhtml"].contains { type.hasPrefix($0) }
  }

  /// Whether its type is one that a server of ours never sends, such as a page, or the JSON of another program.
  var isForeign: Bool { type.map { !Self.ours.contains($0) } ?? false }

  private static let ours = ["application/octet-stream", "text/plain", "text/event-stream"]

  /// Whether an `Accept-Encoding` field of an answer names gzip.
  static func namesGzip(_ field: String?) -> Bool {
    (field ?? "").lowercased().split(separator: ",").contains {
      $0.trimmingCharacters(in: .whitespaces) == "gzip"
    }
  }

  /// The type in a field that may say more of it: `text/plain; charset=utf-8`.
  static func mediaType(in field: String) -> String {
    field.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }
}

/// How long somebody waits for an answer.
struct HTTPPatience {
  /// The seconds for which nothing may come or go.
  var silence: Double
  /// The seconds that all of it may take, and one more for each thousand bytes that have come or gone; nil for answers
  /// that do not end.
  var whole: Double?

  static let usual = HTTPPatience(silence: 60, whole: 300)
}

/// Takes a piece of an answer with the answer's status; gives for how many seconds nothing more may come, and nil
/// when it has enough.
typealias HTTPTaking = (Int, UnsafeBufferPointer<UInt8>) -> Double?

/// Hands the pieces of an answer on, and knows how long there is patience.
///
/// Used by the thread that waits for the answer.
final class HTTPTaker {
  private let take: HTTPTaking
  private var patience: Duration
  private let whole: Double?
  private let begun: ContinuousClock.Instant = .now
  private var sent = 0
  private var received = 0
  private var endOfSilence: ContinuousClock.Instant
  private(set) var hasEnough = false

  init(_ patience: HTTPPatience, _ take: @escaping HTTPTaking) {
    self.take = take
    self.patience = .seconds(patience.silence)
    whole = patience.whole
    endOfSilence = .now + self.patience
  }

  /// When all of it must be there, as far as is known now.
  private var endOfAll: ContinuousClock.Instant? {
    whole.map { begun + .seconds($0 + Double(sent + received) / 1_000) }
  }

  /// The limit that is exceeded, or else the time that is left.
  var outlook: Result<Duration, HTTPFailure> {
    let now = ContinuousClock.now
    if now >= endOfSilence { return .failure(.silence) }
    guard let endOfAll else { return .success(endOfSilence - now) }
    return now < endOfAll ? .success(min(endOfSilence, endOfAll) - now) : .failure(.slowness)
  }

  /// - Returns: Whether there may be more.
  func took(_ piece: UnsafeBufferPointer<UInt8>, status: Int) -> Bool {
    received += piece.count
    guard let seconds = take(status, piece) else {
      hasEnough = true
      return false
    }
    patience = .seconds(seconds)
    endOfSilence = .now + patience
    return true
  }

  /// Notes how many bytes of the body have been sent: a body that is on its way counts as something that happens.
  func note(sent now: Int) {
    if now != sent { (sent, endOfSilence) = (now, .now + patience) }
  }
}
