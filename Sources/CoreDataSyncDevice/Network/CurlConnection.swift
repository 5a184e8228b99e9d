import CoreDataCCurl
import Foundation
import Synchronization

/// Sends requests over libcurl, one at a time, and waits for the answer on the calling thread.
///
/// The connection is kept for the next request; if the server has closed it, that request makes another.
///
/// Safety: code that has taken it from an `HTTPTransport` uses it alone; `cancel` touches only what any thread may.
final class CurlConnection: HTTPConnection, @unchecked Sendable {
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
    within patience: HTTPPatience,
    _ take: HTTPTaking
  ) throws -> HTTPAnswer {
    try withoutActuallyEscaping(take) { take in
      let taker = Taker(handle, HTTPTaker(patience, take))
      return try Self.withoutSignals { try perform(request, taker) }
    }
  }
}

// MARK: - One request

extension CurlConnection {
  /// The object to which libcurl gives the pieces of an answer.
  private final class Taker {
    private let handle: UnsafeMutableRawPointer
    let pieces: HTTPTaker

    init(_ handle: UnsafeMutableRawPointer, _ pieces: HTTPTaker) {
      self.handle = handle
      self.pieces = pieces
    }

    /// - Returns: Whether there may be more.
    func took(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
      pieces.took(piece, status: coredata_http_status(handle))
    }

    func noteSending() { pieces.note(sent: Int(coredata_http_sent(handle))) }
  }

  private func perform(_ request: OutgoingRequest, _ taker: Taker) throws -> HTTPAnswer {
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
            prepared.takes_compressed = request.takesCompressed
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

  private func wait(_ taker: Taker, _ problem: () -> String) throws -> HTTPAnswer {
    curl_multi_add_handle(requests, handle)
    defer { curl_multi_remove_handle(requests, handle) }
    var running: Int32 = 1
    while true {
      guard !isCancelled.load(ordering: .relaxed) else { throw HTTPFailure.cancelled }
      try check(curl_multi_perform(requests, &running))
      if running == 0 { break }
      taker.noteSending()
      let left = try taker.pieces.outlook.get()
      try check(curl_multi_poll(requests, nil, 0, Int32(left / .milliseconds(1)) + 1, nil))
    }
    let code = coredata_http_result(requests)
    guard code == CURLE_OK || taker.pieces.hasEnough else {
      let words = problem()
      throw HTTPFailure.unreachable(
        words.isEmpty ? String(cString: curl_easy_strerror(code)) : words
      )
    }
    return HTTPAnswer(
      status: coredata_http_status(handle),
      isWhole: !taker.pieces.hasEnough,
      moved: coredata_http_moved(handle).map { String(cString: $0) },
      type: coredata_http_type(handle).map { HTTPAnswer.mediaType(in: String(cString: $0)) },
      readsCompressed: HTTPAnswer.namesGzip(
        coredata_http_accepted(handle).map { String(cString: $0) }
      )
    )
  }

  private func check(_ code: CURLMcode) throws {
    guard code == CURLM_OK else {
      throw HTTPFailure.unreachable(String(cString: curl_multi_strerror(code)))
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

extension HTTPTransport {
  /// Makes a connection; `nil` if libcurl is out of memory.
  static let connection: Connecting = { CurlConnection() }
}
