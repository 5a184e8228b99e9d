import CoreData
package import CoreDataSyncCore
import CoreDataSyncCrypto
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends messages to a server over HTTP, and waits for the answers on the calling thread.
package final class HTTPTransport: Sendable {
  let address: SyncAddress
  private let session: URLSession
  /// A session that was ended takes no task: whoever begins one looks here first.
  private let isCancelled = Mutex(false)
  /// The answer without end that is being listened to, with its own session.
  private let stream = Mutex<(news: NewsStream, session: URLSession)?>(nil)

  package init(_ address: SyncAddress) {
    self.address = address
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 60
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    session = URLSession(configuration: configuration)
  }

  /// Ends what is under way, and refuses what comes later.
  package func cancel() {
    isCancelled.withLock { isCancelled in
      if isCancelled { return }
      isCancelled = true
      session.invalidateAndCancel()
      stream.withLock { stream in
        stream?.news.end(nil)
        stream?.session.invalidateAndCancel()
      }
    }
  }

  /// Sends a push or a pull, with what is known of the zone's encryption.
  package func send(_ request: SyncRequest, seal: [UInt8]? = nil) throws -> SyncResponse {
    var http = try self.request("sync")
    http.httpMethod = "POST"
    http.httpBody = Data(request.bytes)
    http.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    if let seal {
      let digits = seal.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      http.setValue(digits, forHTTPHeaderField: "Zone-Seal")
    }
    let bytes = Array(try answer(to: http))
    do {
      return try SyncResponse(bytes: bytes)
    } catch {
      throw SyncProblem(
        """
        \(address.server) answers, but not as a server of coredata serve does: \(error). Is the address right?
        """,
        isTemporary: true
      )
    }
  }

  /// Waits until the zone has another last change than that, for at most so long; gives its number.
  package func news(after number: UInt64, seconds: Int) throws -> UInt64 {
    let http = try request("news?after=\(number)&wait=\(seconds)")
    return try wholeNumber(in: try answer(to: http))
  }

  private func wholeNumber(in answer: Data) throws -> UInt64 {
    let text = String(decoding: answer.prefix(40), as: UTF8.self)
    guard let number = UInt64(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw SyncProblem(
        "\(address.server) does not answer as a server of coredata serve does.",
        isTemporary: true
      )
    }
    return number
  }
}

// MARK: - Encryption

extension HTTPTransport {
  /// The zone is encrypted, and the device has no key or another one.
  struct OtherSeal: Error {
    let sentence: String
  }

  /// The seal of the zone; empty where it is not encrypted.
  func seal() throws -> [UInt8] { Array(try answer(to: try request("seal"))) }

  /// Seals a zone in which nothing is yet, and gives the seal that it has then.
  func seal(with seal: [UInt8]) throws -> [UInt8] {
    var http = try request("seal")
    http.httpMethod = "PUT"
    http.httpBody = Data(seal)
    return Array(try answer(to: http))
  }
}

// MARK: - Assets

extension HTTPTransport {
  /// How many bytes of an asset the server has, from the first on.
  func progress(of asset: AssetReference) throws -> Int {
    try put([], "bytes */\(asset.size)", of: asset)
  }

  /// Sends a part of an asset; gives how many bytes the server has then.
  func put(_ part: ArraySlice<UInt8>, from start: Int, of asset: AssetReference) throws -> Int {
    try put(part, "bytes \(start)-\(start + part.count - 1)/\(asset.size)", of: asset)
  }

  private func put(
    _ part: ArraySlice<UInt8>,
    _ range: String,
    of asset: AssetReference
  ) throws
    -> Int
  {
    var http = try request("assets/\(asset.hash.text)")
    http.httpMethod = "PUT"
    http.httpBody = Data(part)
    http.setValue(range, forHTTPHeaderField: "Content-Range")
    return Int(clamping: try wholeNumber(in: try answer(to: http)))
  }

  /// Some bytes of an asset.
  func get(_ hash: ContentHash, _ range: ClosedRange<Int>) throws -> [UInt8] {
    var http = try request("assets/\(hash.text)")
    http.setValue(
      "bytes=\(range.lowerBound)-\(range.upperBound)",
      forHTTPHeaderField: "Range"
    )
    return Array(try answer(to: http).prefix(range.count))
  }
}

// MARK: - News without asking

extension HTTPTransport {
  /// Listens to a server that tells of each change, until `heard` says that it is enough or the connection ends.
  ///
  /// - Returns: Whether the server has told anything: where a number that is due at once does not come, something
  ///   between holds it back, or the server cannot tell.
  package func listen(
    patience seconds: Double = 5,
    heard: (UInt64) -> Bool
  ) throws -> Bool {
    let request = try request("events")
    let news = NewsStream()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 24 * 3600
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration, delegate: news, delegateQueue: nil)
    try isCancelled.withLock { isCancelled in
      if isCancelled { throw SyncProblem("The exchange has ended.", isTemporary: false) }
      stream.withLock { $0 = (news, session) }
      session.dataTask(with: request).resume()
    }
    defer {
      stream.withLock { $0 = nil }
      session.invalidateAndCancel()
    }
    do {
      guard case .head(let first) = try news.first(within: seconds) else { return false }
      guard heard(first) else { return true }
      // The server says something every fifteen seconds.
      while case .head(let head) = try news.next(within: 40), heard(head) {}
      return true
    } catch let ended as NewsStream.Ended where ended.status == 404 {
      return false
    } catch let ended as NewsStream.Ended where ended.status != 200 {
      throw refusal(ended.status, ended.words)
    } catch is NewsStream.Ended {
      return true
    } catch {
      throw unreachable(error)
    }
  }
}

/// The server takes no changes from whoever has this token.
struct ReadOnlyToken: Error {
  let problem: NSPersistentCloudKitContainer.SyncProblem
}

// MARK: - HTTP

extension HTTPTransport {
  typealias SyncProblem = NSPersistentCloudKitContainer.SyncProblem

  private func request(_ verb: String) throws -> URLRequest {
    guard let url = URL(string: "\(address.server)/v1/zones/\(address.zone)/\(verb)") else {
      throw SyncProblem("\(address.server) is no address of a server.", isTemporary: false)
    }
    var request = URLRequest(url: url)
    request.setValue("Bearer \(address.token)", forHTTPHeaderField: "Authorization")
    // On Linux, URLSession watches a connection that it keeps after the server has closed it: a processor
    // is busy with nothing as long as the session lives.
    request.setValue("close", forHTTPHeaderField: "Connection")
    return request
  }

  private func answer(to request: URLRequest) throws -> Data {
    let outcome = Mutex<Result<(Data, Int), any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let completion: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = {
      data,
      response,
      error in
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      outcome.withLock { $0 = error.map { .failure($0) } ?? .success((data ?? Data(), status)) }
      isDone.signal()
    }
    try isCancelled.withLock { isCancelled in
      if isCancelled { throw SyncProblem("The exchange has ended.", isTemporary: false) }
      session.dataTask(with: request, completionHandler: completion).resume()
    }
    isDone.wait()
    switch outcome.withLock({ $0 }) {
    case .success((let data, 200)), .success((let data, 206)): return data
    case .success((let data, 412)): throw OtherSeal(sentence: refusal(412, data).description)
    case .success((let data, 403)): throw ReadOnlyToken(problem: refusal(403, data))
    case .success((let data, let status)): throw refusal(status, data)
    case .failure(let error): throw unreachable(error)
    case nil: throw unreachable(CancellationError())
    }
  }

  /// What the server has said, in its own words where it has some.
  private func refusal(_ status: Int, _ data: Data) -> SyncProblem {
    let words = String(decoding: data.prefix(500), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let isSentence = !words.isEmpty && !words.hasPrefix("<")
    let sentence = isSentence ? words : "\(address.server) answers with status \(status)."
    let isFinal = [400, 401, 403, 404, 409].contains(status)
    return SyncProblem(sentence, isTemporary: !isFinal)
  }

  private func unreachable(_ error: any Error) -> SyncProblem {
    SyncProblem(
      """
      \(address.server) cannot be reached (\(error.localizedDescription)). Changes are kept and sent when it \
      can be.
      """,
      isTemporary: true
    )
  }
}
