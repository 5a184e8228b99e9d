import CoreDataCCurl
import Foundation
import Synchronization

/// A request as a device sends it.
struct OutgoingRequest {
  var verb = "GET"
  var url: String
  var headers: [String] = []
  var body: [UInt8]?
}

/// Sends requests over libcurl, one at a time, and waits for the answer on the calling thread.
///
/// The connection is kept for the next request; if the server has closed it, that request makes another.
///
/// Safety: code that has taken it from an `HTTPTransport` uses it alone; `cancel` touches only what any thread may.
final class HTTPConnection: @unchecked Sendable {
  enum Failure: Error {
    /// The server is not reached, or the answer broke off.
    case unreachable(String)
    /// Nothing came and nothing went for as long as was allowed.
    case silence
    /// Something came or went now and then, and all together too little for so long.
    case slowness
    case cancelled
  }

  struct Answer {
    let status: Int
    /// Whether all of it was taken.
    let isWhole: Bool
    /// The place to which the server redirects.
    let moved: String?
    /// The content type, such as `text/html`; `nil` if the answer does not name one.
    let type: String?

    /// Whether it says that it is a page to be read.
    var isPage: Bool {
      guard let type else { return false }
      return ["text/html", "application/xhtml"].contains { type.hasPrefix($0) }
    }

    /// Whether its type is one that a server of ours never sends, such as a page, or the JSON of another program.
    var isForeign: Bool { type.map { !Self.ours.contains($0) } ?? false }

    private static let ours = ["application/octet-stream", "text/plain", "text/event-stream"]
  }

  /// How long somebody waits for an answer.
  struct Patience {
    /// The seconds for which nothing may come or go.
    var silence: Double
    /// The seconds that all of it may take, and one more for each thousand bytes that have come or gone; nil for answers
    /// that do not end.
    var whole: Double?
  }

  /// Takes a piece of an answer with the answer's status; gives for how many seconds nothing more may come, and nil
  /// when it has enough.
  typealias Taking = (Int, UnsafeBufferPointer<UInt8>) -> Double?

  private let handle: UnsafeMutableRawPointer
  private let requests: UnsafeMutableRawPointer
  private let isCancelled = Atomic(false)

  private static let isReady = coredata_http_begin_all() == CURLE_OK

  /// `nil` if libcurl is out of memory.
  init?() {
    guard Self.isReady, let handle = curl_easy_init() else { return nil }
    guard let requests = curl_multi_init() else {
      curl_easy_cleanup(handle)
      return nil
    }
    self.handle = handle
    self.requests = requests
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_multi_cleanup(requests)
  }

  /// Ends what is under way, from any thread, and refuses what comes later.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    curl_multi_wakeup(requests)
  }

  /// Sends a request and waits for the answer, as long as there is patience.
  func answer(
    to request: OutgoingRequest,
    within patience: Patience,
    _ take: Taking
  ) throws -> Answer {
    try withoutActuallyEscaping(take) { take in
      let taker = Taker(handle, patience, take)
      return try Self.withoutSignals { try perform(request, taker) }
    }
  }
}

// MARK: - One request

extension HTTPConnection {
  /// The object to which libcurl gives the pieces of an answer.
  private final class Taker {
    private let handle: UnsafeMutableRawPointer
    private let take: Taking
    private var patience: Duration
    private let whole: Double?
    private let begun: ContinuousClock.Instant = .now
    private var sent: curl_off_t = 0
    private var received = 0
    private var endOfSilence: ContinuousClock.Instant
    private(set) var hasEnough = false

    init(_ handle: UnsafeMutableRawPointer, _ patience: Patience, _ take: @escaping Taking) {
      self.handle = handle
      self.take = take
      self.patience = .seconds(patience.silence)
      whole = patience.whole
      endOfSilence = .now + self.patience
    }

    /// When all of it must be there, as far as is known now.
    private var endOfAll: ContinuousClock.Instant? {
      whole.map { begun + .seconds($0 + Double(Int(sent) + received) / 1_000) }
    }

    /// The limit that is exceeded, or else the time that is left.
    var outlook: Result<Duration, Failure> {
      let now = ContinuousClock.now
      if now >= endOfSilence { return .failure(.silence) }
      guard let endOfAll else { return .success(endOfSilence - now) }
      return now < endOfAll ? .success(min(endOfSilence, endOfAll) - now) : .failure(.slowness)
    }

    /// - Returns: Whether there may be more.
    func took(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
      received += piece.count
      guard let seconds = take(coredata_http_status(handle), piece) else {
        hasEnough = true
        return false
      }
      patience = .seconds(seconds)
      endOfSilence = .now + patience
      return true
    }

    /// A body that is on its way counts as something that happens.
    func noteSending() {
      let now = coredata_http_sent(handle)
      if now != sent { (sent, endOfSilence) = (now, .now + patience) }
    }
  }

  private func perform(_ request: OutgoingRequest, _ taker: Taker) throws -> Answer {
    var headers: UnsafeMutablePointer<curl_slist>?
    // A body is sent without asking first whether it may be.
    for header in request.headers + ["Expect:"] { headers = curl_slist_append(headers, header) }
    defer { curl_slist_free_all(headers) }
    return try withUnsafeTemporaryAllocation(
      of: CChar.self,
      capacity: Int(coredata_http_longest_problem)
    ) { problem in
      problem.initialize(repeating: 0)
      return try request.verb.withCString { verb in
        try request.url.withCString { url in
          try (request.body ?? []).withUnsafeBytes { body in
            var prepared = coredata_http_request()
            prepared.verb = verb
            prepared.url = url
            prepared.headers = headers
            if request.body != nil {
              prepared.body = body.baseAddress ?? UnsafeRawPointer(url)
              prepared.size = curl_off_t(body.count)
            }
            prepared.take = { piece, _, count, address in
              guard let piece, let address else { return 0 }
              let taker = Unmanaged<Taker>.fromOpaque(address).takeUnretainedValue()
              let bytes = UnsafeRawBufferPointer(start: piece, count: count)
              return taker.took(bytes.bindMemory(to: UInt8.self)) ? count : 0
            }
            prepared.taker = Unmanaged.passUnretained(taker).toOpaque()
            prepared.problem = problem.baseAddress
            coredata_http_prepare(handle, &prepared)
            return try wait(taker) { String(cString: problem.baseAddress.unsafelyUnwrapped) }
          }
        }
      }
    }
  }

  private func wait(_ taker: Taker, _ problem: () -> String) throws -> Answer {
    curl_multi_add_handle(requests, handle)
    defer { curl_multi_remove_handle(requests, handle) }
    var running: Int32 = 1
    while true {
      guard !isCancelled.load(ordering: .relaxed) else { throw Failure.cancelled }
      try check(curl_multi_perform(requests, &running))
      if running == 0 { break }
      taker.noteSending()
      let left = try taker.outlook.get()
      try check(curl_multi_poll(requests, nil, 0, Int32(left / .milliseconds(1)) + 1, nil))
    }
    let code = coredata_http_result(requests)
    guard code == CURLE_OK || taker.hasEnough else {
      let words = problem()
      throw Failure.unreachable(words.isEmpty ? String(cString: curl_easy_strerror(code)) : words)
    }
    return Answer(
      status: coredata_http_status(handle),
      isWhole: !taker.hasEnough,
      moved: coredata_http_moved(handle).map { String(cString: $0) },
      type: coredata_http_type(handle).map { Self.mediaType(in: String(cString: $0)) }
    )
  }

  /// The type in a field that may say more of it: `text/plain; charset=utf-8`.
  private static func mediaType(in field: String) -> String {
    field.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }

  private func check(_ code: CURLMcode) throws {
    guard code == CURLM_OK else {
      throw Failure.unreachable(String(cString: curl_multi_strerror(code)))
    }
  }

  /// Does something in which writing to a connection that the server has closed is an error, and not a signal.
  private static func withoutSignals<Value>(_ work: () throws -> Value) rethrows -> Value {
    var (broken, pending, before) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &broken, &before)
    defer {
      var now = timespec()
      if !wasPending { sigtimedwait(&broken, nil, &now) }
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try work()
  }
}
