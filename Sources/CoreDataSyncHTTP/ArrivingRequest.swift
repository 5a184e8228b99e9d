import CoreDataHTTP
import CoreDataSyncServer
import Synchronization

/// A request while it arrives, and until its answer is sent.
///
/// All functions are called on the thread of its connection.
final class ArrivingRequest: HTTPReception {
  private let exchange: HTTPExchange
  private let answering: Answering
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

// MARK: - The head

extension ArrivingRequest {
  func screen(_ head: HTTPHead) -> HTTPStep {
    if let refusal = HTTPRequest.refusal(of: head.framing, to: head.path) {
      // Of a body that is too large, or that nobody may send, nothing is read.
      return .answer(refusal.reply(isLast: true))
    }
    let service = answering.service
    switch HTTPRequest.admission(to: head.path, head["Authorization"], by: service) {
    case .refused(let answer):
      return .answer(answer.reply(isLast: true))
    case .admitted(let token):
      let limit = HTTPRequest.limit(of: head.path)
      let expected = head.framing.expected(within: limit)
      guard token == 0 || exchange.admit(as: token, expecting: expected) else {
        let answer = HTTPRequest.crowd(answering.connectionsForToken)
        return .answer(answer.reply(isLast: true))
      }
      let room = answering.room
      arrival.withLock { arrival in
        arrival.method = head.method
        arrival.path = head.path
        arrival.fields = head.fields
        arrival.token = token
        arrival.limit = limit
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
    } else if share?.takes(piece.count) != true {
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
    return share?.takes(byteCount) == true
  }
}

// MARK: - The answer

extension ArrivingRequest {
  /// Answers the request, when it is its turn.
  func finish() -> HTTPStep {
    let (excess, token, path) = arrival.withLock { ($0.excess, $0.token, $0.path) }
    if let excess { return .answer(excess.answer.reply(isLast: true)) }
    if token == 0 || HTTPRequest.waitsForNews(at: path) { return .answer(answer().reply()) }
    let answer = answering.turns.work(forToken: token, answer) ?? HTTPRequest.noTurn
    return .answer(answer.reply())
  }

  private func answer() -> HTTPAnswer {
    let answer = request.answer(by: answering.service)
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
        body: arrival.body,
        argument: { exchange.argument($0) },
        isWaitedFor: { !exchange.hasLeft }
      )
    }
  }
}
