import CoreData
package import CoreDataSyncCore
import CoreDataSyncCrypto
import Foundation
import Synchronization

/// Sends messages to a server over HTTP, and waits for the answers on the calling thread.
package final class HTTPTransport: Sendable {
  let address: SyncAddress
  typealias Connecting = @Sendable () -> (any HTTPConnection)?

  private let patience: HTTPPatience
  private let connect: Connecting
  private let connections = Mutex(Connections())
  /// How many pushes in a row a proxy has lost, while it let small requests through.
  let lostPushes = Mutex(0)
  /// Whether messages are compressed on their way to the server.
  let compression = Mutex(Compression.unknown)

  enum Compression {
    /// The server has not said that it reads compressed bodies.
    case unknown
    case understood
    /// The server, or something in between, has refused a compressed body that it took as it was.
    case refused
  }
  /// Whether the server knows no checksums of messages, as far as it has said until it was last out of reach: it is
  /// stopped to be updated.
  let takesNoChecksums = Mutex(false)

  /// One for each thread that waits for an answer at the moment, and those that wait for a request.
  private struct Connections {
    var busy: [any HTTPConnection] = []
    var idle: [any HTTPConnection] = []
    var isCancelled = false
  }

  /// Prepares the way to a server.
  package convenience init(_ address: SyncAddress) {
    self.init(address, patience: .usual)
  }

  init(
    _ address: SyncAddress,
    patience: HTTPPatience = .usual,
    over connect: @escaping Connecting = HTTPTransport.connection
  ) {
    self.address = address
    self.patience = patience
    self.connect = connect
  }

  /// Ends what is under way, and refuses what comes later.
  package func cancel() {
    connections.withLock { connections in
      connections.isCancelled = true
      connections.idle = []
      for connection in connections.busy { connection.cancel() }
    }
  }

  /// Waits until the zone has another last change than that, for at most so long; gives its number.
  package func news(after number: UInt64, seconds: Int) throws -> UInt64 {
    try wholeNumber(in: try answer(to: request("news?after=\(number)&wait=\(seconds)")))
  }

  private func wholeNumber(in answer: [UInt8]) throws -> UInt64 {
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
  /// The zone is encrypted, and the device lacks the key or has another one.
  struct OtherSeal: Error {
    let sentence: String
  }

  /// The seal of the zone; empty if it is not encrypted.
  func seal() throws -> [UInt8] { try answer(to: request("seal")) }

  /// Seals a zone in which nothing is yet, and gives the seal that it has then.
  func seal(with seal: [UInt8]) throws -> [UInt8] {
    try answer(to: request("seal", "PUT", seal))
  }
}

// MARK: - Assets

extension HTTPTransport {
  /// The server does not have an asset of which it has told, or has less of it, or another content.
  struct MissingAsset: Error {}

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
    var http = request("assets/\(asset.hash.text)", "PUT", Array(part))
    http.headers.append("Content-Range: \(range)")
    do {
      return Int(clamping: try wholeNumber(in: try answer(to: http)))
    } catch let refusal as LargeBody {
      throw refusal.problem
    }
  }

  /// Some bytes of an asset.
  ///
  /// Throws `MissingAsset` where the server does not have them.
  func get(_ hash: ContentHash, _ range: ClosedRange<Int>) throws -> [UInt8] {
    var http = request("assets/\(hash.text)")
    http.headers.append("Range: bytes=\(range.lowerBound)-\(range.upperBound)")
    let longest = max(range.count, Self.longestAnswer)
    let bytes = try answer(to: http, longest: longest, absence: MissingAsset())
    return Array(bytes.prefix(range.count))
  }
}

// MARK: - News without asking

extension HTTPTransport {
  /// Listens to a server that reports each change, until `heard` says that it is enough or the connection ends.
  ///
  /// - Returns: Whether the server has sent anything: if a number that is due at once does not come, something in
  ///   between
  ///   holds it back, or the server cannot send news.
  package func listen(
    patience seconds: Double = 5,
    heard: (UInt64) -> Bool
  ) throws -> Bool {
    var lines = NewsLines()
    var words: [UInt8] = []
    var hasTold = false
    do {
      let patience = HTTPPatience(silence: seconds)
      let end = try perform(request("events"), within: patience) { status, piece in
        guard status == 200 else {
          words += piece.prefix(Self.longestSentence - words.count)
          return words.count < Self.longestSentence ? seconds : nil
        }
        if let head = lines.take(piece) {
          hasTold = true
          if !heard(head) { return nil }
        }
        // The server says something every fifteen seconds.
        return hasTold ? 40 : seconds
      }
      if end.status == 404 { return false }
      if end.status == 429 { throw TooManyWaiting(problem: refusal(end, words)) }
      guard end.status == 200 else { throw refusal(end, words) }
      guard !end.isForeign else { throw stranger(end) }
      return hasTold
    } catch HTTPFailure.silence {
      return hasTold
    }
  }
}

/// As many devices as may wait for news with the token, or as the server lets in.
struct TooManyWaiting: Error {
  let problem: NSPersistentCloudKitContainer.SyncProblem
}

/// The server takes no changes for now, and goes on telling those of others.
struct ChangesRefused: Error {
  enum Reason {
    /// The server does not take changes from devices with this token.
    case readOnlyToken
    /// The zone, or the server's disk, is full.
    case noRoom
  }

  let reason: Reason
  let problem: NSPersistentCloudKitContainer.SyncProblem
}

// MARK: - HTTP

extension HTTPTransport {
  func request(
    _ path: String,
    _ verb: String = "GET",
    _ body: [UInt8]? = nil
  ) -> OutgoingRequest {
    var request = OutgoingRequest(
      verb: verb,
      url: "\(address.server)/v1/zones/\(address.zone)/\(path)",
      headers: ["Authorization: Bearer \(address.token)"],
      body: body
    )
    if body != nil { request.headers.append("Content-Type: application/octet-stream") }
    return request
  }

  /// The bytes of an answer that has neither a message nor a part of an asset.
  static let longestAnswer = 64 << 10
  /// The bytes of a refusal that are told.
  static let longestSentence = 500

  /// The body of an answer, of which at most so many bytes are taken.
  ///
  /// `absence` is thrown if the server does not have the requested thing (404), or that part of it (416).
  func answer(
    to request: OutgoingRequest,
    longest: Int = HTTPTransport.longestAnswer,
    absence: (any Error)? = nil
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let end = try perform(request, within: patience) { _, piece in
      guard bytes.count + piece.count <= longest else { return nil }
      bytes += piece
      return patience.silence
    }
    switch end.status {
    case 200, 206:
      guard !end.isForeign else { throw stranger(end) }
      guard end.isWhole else {
        throw SyncProblem(
          "\(address.server) sends more than it was asked for; look at its version.",
          isTemporary: true
        )
      }
      return bytes
    case let status where request.isCompressed && [400, 415, 501].contains(status):
      throw UnreadBody()
    case 413: throw LargeBody(size: request.body?.count ?? 0, problem: refusal(end, bytes))
    // Only messages are posted.
    case 502 where request.verb == "POST": throw BadGateway(problem: refusal(end, bytes))
    case 501 where request.verb == "POST" && !end.isForeign:
      throw NewerMessage(problem: refusal(end, bytes))
    case 412: throw OtherSeal(sentence: refusal(end, bytes).description)
    // An answer from something in between does not concern the token.
    case 403 where !end.isForeign:
      throw ChangesRefused(reason: .readOnlyToken, problem: refusal(end, bytes))
    case 507: throw ChangesRefused(reason: .noRoom, problem: refusal(end, bytes))
    case 404, 416:
      if let absence, !end.isForeign { throw absence }
      throw refusal(end, bytes)
    default: throw refusal(end, bytes)
    }
  }

  /// Sends a request over a connection that nobody uses.
  private func perform(
    _ request: OutgoingRequest,
    within patience: HTTPPatience,
    _ take: HTTPTaking
  ) throws -> HTTPAnswer {
    let connection = try connections.withLock { connections in
      if connections.isCancelled { throw ended }
      guard let connection = connections.idle.popLast() ?? connect() else {
        throw unreachable("There is no memory for a connection")
      }
      connections.busy.append(connection)
      return connection
    }
    defer {
      connections.withLock { connections in
        connections.busy.removeAll { $0 === connection }
        if !connections.isCancelled { connections.idle.append(connection) }
      }
    }
    do {
      let answer = try connection.answer(to: request, within: patience, take)
      if answer.readsCompressed {
        compression.withLock { if $0 == .unknown { $0 = .understood } }
      }
      return answer
    } catch HTTPFailure.unreachable(let words) {
      takesNoChecksums.withLock { $0 = false }
      throw unreachable(words)
    } catch HTTPFailure.cancelled {
      throw ended
    } catch HTTPFailure.slowness {
      throw unreachable("What is sent came or went too slowly")
    } catch HTTPFailure.silence where patience.whole != nil {
      throw unreachable("Nothing came for \(Int(patience.silence.rounded(.up))) seconds")
    }
  }
}
