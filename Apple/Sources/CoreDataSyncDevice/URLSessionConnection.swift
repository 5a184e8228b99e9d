import CoreDataSyncCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if !APPLES_CORE_DATA
import Synchronization

@testable import CoreDataSyncDevice
#endif

/// Sends requests over a `URLSession`, one at a time, and waits for the answer on the calling thread.
///
/// The session keeps its connections for the next request. It has no cache, no cookies and no credentials, and follows no
/// redirection.
final class URLSessionConnection: HTTPConnection {
  private let session: URLSession
  private let inbox = Inbox()

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    // The patience of the caller is shorter, or has no end.
    configuration.timeoutIntervalForRequest = 86_400
    configuration.timeoutIntervalForResource = 7 * 86_400
    session = URLSession(configuration: configuration, delegate: inbox, delegateQueue: nil)
  }

  // The session holds its delegate until then.
  deinit { session.invalidateAndCancel() }

  func cancel() { inbox.cancel() }

  func answer(
    to request: OutgoingRequest,
    within patience: HTTPPatience,
    _ take: HTTPTaking
  ) throws -> HTTPAnswer {
    guard let prepared = URLRequest(request) else {
      throw HTTPFailure.unreachable("\(request.url) is not an address")
    }
    return try withoutActuallyEscaping(take) { take in
      let task = session.dataTask(with: prepared)
      inbox.begin(task.taskIdentifier)
      task.resume()
      defer { task.cancel() }
      return try wait(HTTPTaker(patience, take))
    }
  }

  /// Hands on what arrives, until there is nothing any more or the patience is over.
  private func wait(_ taker: HTTPTaker) throws -> HTTPAnswer {
    while true {
      let news = inbox.next(within: try taker.outlook.get())
      if news.isCancelled { throw HTTPFailure.cancelled }
      taker.note(sent: news.sent)
      if let head = news.head {
        for piece in news.pieces {
          let mayBeMore = piece.withUnsafeBytes {
            taker.took($0.bindMemory(to: UInt8.self), status: head.statusCode)
          }
          if !mayBeMore { return HTTPAnswer(head, isWhole: false) }
        }
      }
      guard let end = news.end else { continue }
      if let error = end { throw HTTPFailure.unreachable(error.localizedDescription) }
      guard let head = news.head else {
        throw HTTPFailure.unreachable("The answer is not one of HTTP")
      }
      return HTTPAnswer(head, isWhole: true)
    }
  }
}

extension URLRequest {
  /// A request as a device sends it; `nil` if its address cannot be understood.
  fileprivate init?(_ request: OutgoingRequest) {
    guard let url = URL(string: request.url) else { return nil }
    self.init(url: url)
    httpMethod = request.verb
    for header in request.headers {
      let parts = header.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      setValue(parts[1].trimmingCharacters(in: .whitespaces), forHTTPHeaderField: String(parts[0]))
    }
    if let body = request.body { httpBody = Data(body) }
  }
}

extension HTTPAnswer {
  fileprivate init(_ head: HTTPURLResponse, isWhole: Bool) {
    let place = head.value(forHTTPHeaderField: "Location")
    self.init(
      status: head.statusCode,
      isWhole: isWhole,
      moved: place.flatMap { URL(string: $0, relativeTo: head.url)?.absoluteString },
      type: head.value(forHTTPHeaderField: "Content-Type").map { Self.mediaType(in: $0) },
      readsCompressed: Self.namesGzip(head.value(forHTTPHeaderField: "Accept-Encoding"))
    )
  }
}

// MARK: - What arrives

/// Keeps the reports of the session on the request under way, until the waiting thread takes them.
private final class Inbox: NSObject, URLSessionDataDelegate {
  /// The reports since the last look.
  struct News {
    var head: HTTPURLResponse?
    var pieces: [Data] = []
    var sent = 0
    /// The end of the answer: the error, or nothing if it is complete.
    var end: (any Error)??
    var isCancelled = false
  }

  private struct State {
    var task: Int?
    var news = News()

    /// Whether the waiting thread has to look.
    var isNews: Bool { !news.pieces.isEmpty || news.end != nil || news.isCancelled }
  }

  /// Held by code that changes the state, so that the waiting thread does not miss it.
  private let condition = MonotonicCondition()
  private let state = Mutex(State())

  private func changing(_ task: URLSessionTask?, _ body: (inout State) -> Void) {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    state.withLock { state in
      // What an earlier request left behind comes late.
      if let task, task.taskIdentifier != state.task { return }
      body(&state)
    }
  }

  func begin(_ task: Int) {
    changing(nil) { $0 = State(task: task, news: News(isCancelled: $0.news.isCancelled)) }
  }

  func cancel() { changing(nil) { $0.news.isCancelled = true } }

  /// Waits for something to arrive, at most so long.
  func next(within duration: Duration) -> News {
    condition.lock()
    defer { condition.unlock() }
    if !state.withLock({ $0.isNews }) { condition.wait(atMost: duration) }
    return state.withLock { state in
      defer { state.news.pieces = [] }
      return state.news
    }
  }
}

extension Inbox {
  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    changing(dataTask) { $0.news.head = response as? HTTPURLResponse }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    changing(dataTask) { $0.news.pieces.append(data) }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    changing(task) { $0.news.sent = Int(totalBytesSent) }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    changing(task) { $0.news.end = .some(error) }
  }
}
