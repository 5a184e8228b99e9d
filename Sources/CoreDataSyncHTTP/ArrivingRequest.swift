import CoreDataHTTP
import CoreDataSyncServer
import Foundation
import Synchronization

/// A request while it arrives, and until its answer is sent.
///
/// ```
/// fields ─▶ suspended: the token is looked up ─▶ body ─▶ suspended: the answer is made, or news comes ─▶ answer
/// ```
///
/// The functions of the protocol are called on the thread of its connection, which never waits.
final class ArrivingRequest: HTTPReception {
  private let exchange: HTTPExchange
  private let answering: Answering
  private let began = ContinuousClock.now
  private let arrival = Mutex(Arrival())

  fileprivate struct Arrival: Sendable {
    var method = ""
    var path = ""
    var fields: [HTTPField] = []
    /// The number of the token; zero if none is needed.
    var token: Int64 = 0
    var limit = 0
    /// The room of the body, and then that of the answer.
    var share: BodyRoom.Share?
    var body: [UInt8] = []
    var received = 0
    /// The reason why nothing of the body is kept any more.
    var excess: Excess?
    var pause = Pause.none
  }

  /// Whether the connection is suspended.
  fileprivate enum Pause: Sendable {
    case none
    /// Until somebody decides, by this time if there is one.
    case until(ContinuousClock.Instant?)
    case over(Decision)
  }

  fileprivate enum Decision: Sendable {
    case goOn
    case answer(HTTPAnswer, isLast: Bool)
  }

  fileprivate enum Excess: Sendable {
    case tooLarge(limit: Int)
    case noRoom

    var answer: HTTPAnswer {
      switch self {
      case .tooLarge(let limit): HTTPRequest.tooLarge(limit)
      case .noRoom: HTTPRequest.noRoom
      }
    }
  }

  init(_ exchange: HTTPExchange, _ answering: Answering) {
    self.exchange = exchange
    self.answering = answering
  }

  func refuse(_ refusal: HTTPRefusal, method: String?) -> HTTPReply {
    answering.reply(to: refusal)
  }

  func end() {}
}

// MARK: - The steps

extension ArrivingRequest {
  private func step(_ decision: Decision) -> HTTPStep {
    switch decision {
    case .goOn: return .goOn
    case .answer(let answer, let isLast):
      note(answer)
      return .answer(answer.reply(isLast: isLast))
    }
  }

  /// Counts an answer.
  private func note(_ answer: HTTPAnswer) {
    let (path, received) = arrival.withLock { ($0.path, $0.received) }
    answering.counts.note(
      HTTPRequest.place(of: path),
      status: answer.status,
      received: received,
      sent: answer.body.count,
      in: began.duration(to: .now)
    )
  }
}

// MARK: - Suspending the connection

extension ArrivingRequest {
  /// Suspends the connection and has others decide, until some time if there is one.
  private func pause(
    until end: ContinuousClock.Instant? = nil,
    _ work: () -> Void
  ) -> HTTPStep {
    guard answering.pauses.begin() else {
      return step(.answer(HTTPRequest.stopping, isLast: true))
    }
    arrival.withLock { $0.pause = .until(end) }
    exchange.suspend()
    work()
    return .wait
  }

  /// Decides what becomes of a suspended request; ignored if that is decided.
  private func decide(_ decision: Decision) {
    let isFirst = arrival.withLock { arrival in
      guard case .until = arrival.pause else { return false }
      arrival.pause = .over(decision)
      return true
    }
    guard isFirst else { return }
    exchange.resume()
    answering.pauses.end()
  }

  private func decide(_ answer: HTTPAnswer, isLast: Bool = false) {
    decide(.answer(answer, isLast: isLast))
  }

  /// Takes over the decision with which a suspended connection goes on.
  private func takeDecision() -> Decision? {
    arrival.withLock { arrival in
      guard case .over(let decision) = arrival.pause else { return nil }
      arrival.pause = .none
      return decision
    }
  }

  /// Answers in the place of something that takes too long.
  func giveUp(ifLateAt now: ContinuousClock.Instant) {
    let isLate = arrival.withLock { arrival in
      if case .until(let end?) = arrival.pause { end <= now } else { false }
    }
    if isLate { decide(HTTPAnswer.text(HTTPRequest.standstill, status: 503)) }
  }

  /// Answers in the place of something that the server does not wait for any more, because it ends.
  func giveUp() { decide(HTTPRequest.stopping, isLast: true) }
}

// MARK: - The head

extension ArrivingRequest {
  func screen(_ head: HTTPHead) -> HTTPStep {
    if let decision = takeDecision() { return step(decision) }
    arrival.withLock { arrival in
      arrival.method = head.method
      arrival.path = head.path
      arrival.fields = head.fields
      arrival.limit = HTTPRequest.limit(of: head.path)
    }
    if let refusal = HTTPRequest.refusal(of: head.framing, to: head.path) {
      // Of a body that is too large, or that nobody may send, nothing is read.
      return step(.answer(refusal, isLast: true))
    }
    guard HTTPRequest.needsToken(head.path) else { return .goOn }
    if answering.service.tokens.answersAtOnce { return step(admission(head)) }
    return pause { [answering] in
      answering.doors.add { [self] in
        decide(admission(head))
      } orGiveUp: { [self] in
        decide(HTTPRequest.noTurn, isLast: true)
      }
    }
  }

  /// Lets a client with a token in.
  private func admission(_ head: HTTPHead) -> Decision {
    switch HTTPRequest.admission(to: head.path, head["Authorization"], by: answering.service) {
    case .refused(let answer):
      return .answer(answer, isLast: true)
    case .admitted(let token):
      let limit = HTTPRequest.limit(of: head.path)
      guard exchange.admit(as: token, expecting: head.framing.expected(within: limit)) else {
        return .answer(HTTPRequest.crowd(answering.connectionsForToken), isLast: true)
      }
      let room = answering.room
      arrival.withLock { arrival in
        arrival.token = token
        arrival.share = room.share(forToken: token)
        // Else it would be copied each time that it has outgrown its place. The missing rest takes no memory.
        arrival.body.reserveCapacity(min(head.framing.length, limit))
      }
      return .goOn
    }
  }
}

// MARK: - The body

extension ArrivingRequest {
  func take(_ piece: UnsafeRawBufferPointer) -> HTTPStep {
    let excess = arrival.withLock { arrival in
      arrival.take(piece)
      return arrival.isBeyondPatience ? arrival.excess : nil
    }
    // A body that is too large is not read to its end, which it may not have.
    guard let excess else { return .goOn }
    note(excess.answer)
    return .close(excess.answer.reply())
  }
}

extension ArrivingRequest.Arrival {
  /// Takes a piece of the body, and nothing of it any more once it is too much.
  fileprivate mutating func take(_ piece: UnsafeRawBufferPointer) {
    received += piece.count
    if excess != nil { return }
    if piece.count > limit - body.count {
      excess = .tooLarge(limit: limit)
    } else if let share, !share.takes(piece.count) {
      excess = .noRoom
    } else {
      return body.append(contentsOf: piece)
    }
    forgetBody()
  }

  /// Whether so much has come of a body that is too large that the server does not wait for its end.
  fileprivate var isBeyondPatience: Bool { received > 2 * limit + BodyRoom.small }

  fileprivate mutating func forgetBody() {
    body = []
    share?.giveBack()
  }

  /// Gives the room of the body to an answer of so many bytes until it is sent; returns false if that is too little.
  fileprivate mutating func takesAnswer(_ byteCount: Int) -> Bool {
    forgetBody()
    return share?.takes(byteCount) ?? true
  }
}

// MARK: - The answer

extension ArrivingRequest {
  /// Has the answer made, when it is its turn.
  func finish() -> HTTPStep {
    if let decision = takeDecision() { return step(decision) }
    let (excess, token) = arrival.withLock { ($0.excess, $0.token) }
    if let excess { return step(.answer(excess.answer, isLast: true)) }
    let request = request
    switch request.kind {
    case .nothing:
      return step(.answer(request.nowhere, isLast: false))
    case .news(let isStream):
      return pause { [answering] in
        answering.news.add { [self] in
          waitForNews(request, isStream)
        } orGiveUp: { [self] in
          decide(HTTPRequest.noTurn)
        }
      }
    case .health:
      return pause(until: .now + Answering.patienceWithHealth) { [answering] in
        answering.news.add { [self] in
          decide(request.answer(by: answering))
        } orGiveUp: {
        }
      }
    case .message:
      return pause { [answering] in
        answering.turns.add(forToken: token) { [self] in
          decide(answer(request))
        } orGiveUp: {
          [self] in
          decide(HTTPRequest.noTurn)
        }
      }
    }
  }

  private func answer(_ request: HTTPRequest) -> HTTPAnswer {
    var request = request
    let refusal = request.decompress { count in
      arrival.withLock { $0.share?.takes(count) ?? true }
    }
    let answer = refusal ?? request.answer(by: answering)
    let byteCount = answer.body.count
    return arrival.withLock { $0.takesAnswer(byteCount) } ? answer : HTTPRequest.noRoom
  }

  private var request: HTTPRequest {
    let exchange = exchange
    return arrival.withLock { arrival in
      func field(_ name: String) -> String? {
        arrival.fields.first { $0.name.lowercased() == name }?.value
      }
      return HTTPRequest(
        method: arrival.method,
        path: arrival.path,
        authorization: field("authorization"),
        seal: field("zone-seal"),
        range: field("content-range") ?? field("range"),
        encoding: field("content-encoding"),
        accepted: field("accept-encoding"),
        body: arrival.body,
        arguments: HTTPRequest.argumentNames.reduce(into: [:]) { $0[$1] = exchange.argument($1) }
      )
    }
  }
}

// MARK: - News

extension ArrivingRequest {
  /// Answers once there is news, or begins to tell it without end.
  private func waitForNews(_ request: HTTPRequest, _ isStream: Bool) {
    do {
      if isStream {
        decide(try stream(request))
      } else {
        try poll(request)
      }
    } catch {
      decide(.refusal(answering.service.refusal(for: error)))
    }
  }

  /// Answers whether the client has not hung up.
  private var isThere: @Sendable () -> Bool {
    let exchange = exchange
    return { !exchange.hasLeft }
  }

  private func poll(_ request: HTTPRequest) throws {
    let service = answering.service
    let (zone, token) = (request.zone, request.token)
    let known = try request.number("after")
    let seconds = min(try request.number("wait"), 55)
    guard seconds > 0 else { return decide(.text("\(try service.head(of: zone, token: token))")) }
    try service.tellNews(
      of: zone,
      after: known,
      for: .seconds(seconds),
      token: token,
      to: ObjectIdentifier(exchange),
      isThere: isThere
    ) { [self] news in
      let head = if case .head(let head) = news { head } else { known }
      decide(.text("\(head)"))
    }
  }

  private func stream(_ request: HTTPRequest) throws -> HTTPAnswer {
    let service = answering.service
    let (exchange, zone) = (exchange, request.zone)
    let client = ObjectIdentifier(exchange)
    let stream = HTTPStream(on: exchange, beginning: Data(), backlog: 4_096) {
      service.stopTelling(zone, of: client)
    }
    try service.tellNews(
      of: zone,
      after: nil,
      token: request.token,
      to: client,
      isThere: isThere
    ) { news in
      switch news {
      case .head(let head): stream.send(Data("data: \(head)\n\n".utf8))
      case .silence: stream.send(Data(":\n\n".utf8))
      case .end: stream.finish()
      }
    }
    return HTTPAnswer(type: "text/event-stream", stream: stream)
  }
}
