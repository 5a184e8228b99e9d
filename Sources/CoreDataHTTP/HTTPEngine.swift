import CoreDataCMicroHTTPD
import Foundation
import Synchronization

/// The objects that the library's threads need; it outlives them.
final class HTTPEngine: Sendable {
  let responder: any HTTPResponder
  let connections: HTTPConnections
  /// Whether new clients are served.
  let takesClients = Atomic(true)
  private let receptions = Mutex<[ObjectIdentifier: ReceivedRequest]>([:])

  init(_ responder: any HTTPResponder, _ connections: HTTPConnections) {
    self.responder = responder
    self.connections = connections
  }

  var open: [ReceivedRequest] { receptions.withLock { Array($0.values) } }

  func begin(_ request: ReceivedRequest) {
    request.exchange.connection.begin()
    receptions.withLock { $0[ObjectIdentifier(request)] = request }
  }

  func end(_ request: ReceivedRequest) {
    request.exchange.move(to: .over)
    connections.rest(request.exchange.connection)
    _ = receptions.withLock { $0.removeValue(forKey: ObjectIdentifier(request)) }
    request.reception.end()
  }
}

/// Both sides of a request.
final class ReceivedRequest: Sendable {
  let exchange: HTTPExchange
  let reception: any HTTPReception

  init(_ exchange: HTTPExchange, by responder: any HTTPResponder) {
    self.exchange = exchange
    reception = responder.begin(exchange)
  }

  /// Returns the next step of a request whose fields are there.
  func screen(method: String, path: String) -> HTTPStep {
    exchange.move(to: .open)
    do throws(HTTPRefusal) {
      return screen(try exchange.head(method: method, path: path))
    } catch {
      // Nobody knows where the next request begins.
      var reply = reception.refuse(error, method: method)
      reply.isLast = true
      return .answer(reply)
    }
  }

  /// Asks the program what to do with a request, also again when a connection goes on that it has suspended.
  func screen(_ head: HTTPHead) -> HTTPStep {
    exchange.move(to: .open)
    let step = reception.screen(head)
    if case .wait = step { exchange.move(to: .screened(head)) }
    return step
  }
}

// MARK: - Lines of the library's log

// The library refuses some heads before it asks us: a Content-Length that is not a number, more cookies than it has
// memory for. Version 0.9.75 sends the head of such a refusal twice, because it goes on to the connection's next state
// although its answer is under way.
//
// Between its decision and the first byte it calls one function of ours, on the connection's thread: the one that takes
// lines of its log. There we answer instead of the library and close the line for writing, so that its own answer does
// not arrive. A version that sends one head is served the same way.

extension HTTPEngine {
  /// The library's message if the system gives it no file for another connection.
  private static let lackOfFiles = "Hit process or system resource limit"
  /// The pause in microseconds before the library tries again.
  private static let pauseWithoutFile: UInt32 = 50_000

  /// Takes a line that the library would write into its log.
  ///
  /// Except for one message, only its time matters.
  func hear(_ words: UnsafePointer<CChar>?) {
    guard let words, strncmp(words, Self.lackOfFiles, Self.lackOfFiles.utf8.count) == 0 else {
      return answerForTheLibrary()
    }
    connections.makeRoomForFile()
    // A thread that has connections does not take new ones until one of them is closed.
    if strstr(words, "FIRST") != nil { usleep(Self.pauseWithoutFile) }
  }

  /// Answers the request that the library is about to refuse, if there is one.
  ///
  /// That is the one of this thread whose fields are complete although nobody has looked at them: the library does both
  /// in one go, and writes no other line in between.
  private func answerForTheLibrary() {
    let thread = pthread_self()
    for request in open
    where pthread_equal(request.exchange.thread, thread) != 0 && request.exchange.isNew
      && request.exchange.hasWholeHead
    {
      request.exchange.move(to: .refused)
      let reply = request.reception.refuse(reason(request.exchange.fields), method: nil)
      request.exchange.connection.sendLast(reply.lastBytes)
    }
  }

  private func reason(_ fields: [HTTPField]) -> HTTPRefusal {
    do throws(HTTPRefusal) {
      _ = try RequestFraming(fields)
      return .tooManyFields
    } catch {
      return error
    }
  }

  /// Waits until the library has closed the connections that it refused, for a minute at most: if it is told to stop in
  /// between, it goes on with an answer that it has not made, and ends the program.
  func waitForRefusals() {
    let deadline = ContinuousClock.now + .seconds(60)
    while open.contains(where: \.exchange.isRefused), .now < deadline { usleep(1_000) }
  }
}
