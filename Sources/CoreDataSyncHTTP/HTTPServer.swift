import CoreDataCMicroHTTPD
package import CoreDataSyncServer
import Foundation
import Synchronization

/// A service that can be reached over HTTP.
///
/// ```
/// POST   /v1/zones/ZONE/sync                      a push or a pull, as bytes
/// GET    /v1/zones/ZONE/seal                      what the devices know of its encryption; PUT writes it once
/// GET    /v1/zones/ZONE/assets/HASH               a large value, or with Range some of its bytes
/// PUT    /v1/zones/ZONE/assets/HASH               the bytes of Content-Range; answers how many are there
/// GET    /v1/zones/ZONE/news?after=12&wait=25     the number of the last change, once it is another
/// GET    /v1/zones/ZONE/events                    the same without end, as an event stream
/// GET    /v1/zones/ZONE/tokens                    the tokens of the zone
/// POST   /v1/zones/ZONE/tokens?role=read&label=…  a new one, as text
/// DELETE /v1/zones/ZONE/tokens/3
/// ```
///
/// Each connection has a thread, which may wait. Of libmicrohttpd's threads none outlives `stop`.
package final class HTTPServer: Sendable {
  package let address: ListeningAddress
  /// Nil when it has ended.
  private let daemon: Mutex<OpaquePointer?>
  private let answering: Answering

  /// For how many seconds a connection may be silent.
  private static let silence: UInt32 = 90

  /// Begins to serve at a host and a port; of port 0 the system chooses one.
  ///
  /// On a new connection a token must have been shown within `headTime`, however much else arrives. Of a body at least
  /// ``ConnectionRecord/pace`` bytes arrive in each `bodyTime`. With one token, as many connections are served as the
  /// devices of a family need that share it: each waits for news, and asks for something.
  package init(
    _ service: SyncService,
    host: String = "127.0.0.1",
    port: Int,
    connections: Int = 512,
    connectionsForToken: Int = 128,
    headTime: Duration = .seconds(30),
    bodyTime: Duration = .seconds(60),
    room: BodyRoom = BodyRoom(),
    turns: WorkTurns = WorkTurns()
  ) throws {
    let socket = try ListeningSocket(host: host, port: port)
    let connections = Connections(
      places: min(max(connections, 1), 1 << 16),
      forToken: connectionsForToken,
      headTime: headTime,
      idleTime: .seconds(Int(Self.silence)),
      bodyTime: bodyTime
    )
    let answering = Answering(service, room, turns, connections)
    guard
      let daemon = coredata_http_start(
        socket.descriptor,
        answering.callbacks,
        UInt32(connections.places + Connections.spare),
        Self.silence
      )
    else {
      close(socket.descriptor)
      throw ServiceRefusal(500, "The server's threads cannot be started.")
    }
    address = socket.address
    self.daemon = Mutex(daemon)
    self.answering = answering
    Thread.detachNewThread { connections.watch { service.tellOwner($0) } }
  }

  /// Has this program give the memory of large bodies back to the system with each of them.
  ///
  /// Else the C library keeps more and more of it, for bodies of the same size on the same thread.
  package static func returnMemory() { coredata_http_return_memory(1 << 20) }

  /// Answers what was asked, and ends; its port is free then.
  package func stop() {
    answering.service.stop()
    daemon.withLock { daemon in
      guard let running = daemon else { return }
      let socket = MHD_quiesce_daemon(running)
      // A program that is being started has a copy of the socket until it runs; only this ends the listening there, too.
      shutdown(socket, Int32(SHUT_RDWR))
      answering.newRequests.waitForRefusals()
      MHD_stop_daemon(running)
      close(socket)
      daemon = nil
    }
    answering.connections.stop()
  }
}

/// The objects that the library's threads need; this outlives them.
final class Answering: Sendable {
  let service: SyncService
  let room: BodyRoom
  let turns: WorkTurns
  let connections: Connections
  let newRequests = NewRequests()

  init(
    _ service: SyncService,
    _ room: BodyRoom,
    _ turns: WorkTurns,
    _ connections: Connections
  ) {
    self.service = service
    self.room = room
    self.turns = turns
    self.connections = connections
  }
}

// MARK: - Called by the library

extension Answering {
  fileprivate var callbacks: coredata_http_callbacks {
    coredata_http_callbacks(
      log: { context, words, _ in answering(context)?.hear(words) },
      target: beginRequest,
      access: takeRequest,
      completed: endRequest,
      connection: noticeConnection,
      context: Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// The library's message if the system lets it take no line: it tries again at once, without end.
  private static let lackOfFiles = "Hit process or system resource limit"

  /// Takes a sentence that the library would write into its log.
  fileprivate func hear(_ words: UnsafePointer<CChar>?) {
    if let words, strncmp(words, Self.lackOfFiles, Self.lackOfFiles.utf8.count) == 0 {
      connections.waitForFile()
    } else {
      newRequests.answerForTheLibrary()
    }
  }
}

private func answering(_ context: UnsafeMutableRawPointer?) -> Answering? {
  context.map { Unmanaged<Answering>.fromOpaque($0).takeUnretainedValue() }
}

private func record(of connection: OpaquePointer) -> ConnectionRecord? {
  coredata_http_socket_context(connection).map {
    Unmanaged<ConnectionRecord>.fromOpaque($0).takeUnretainedValue()
  }
}

private let noticeConnection: MHD_NotifyConnectionCallback = { context, connection, slot, event in
  guard let answering = answering(context), let connection, let slot else { return }
  if event == .CONNECTION_NOTIFY_STARTED {
    let record = answering.connections.begin(on: coredata_http_socket(connection))
    slot.pointee = Unmanaged.passRetained(record).toOpaque()
  } else if let address = slot.pointee {
    slot.pointee = nil
    answering.connections.end(Unmanaged<ConnectionRecord>.fromOpaque(address).takeRetainedValue())
  }
}

/// The first line is there.
private func beginRequest(
  _ context: UnsafeMutableRawPointer?,
  _ target: UnsafePointer<CChar>?,
  _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  if let connection {
    let address = target.map { String(cString: $0) } ?? ""
    answering(context)?.newRequests.begin(on: connection, to: address)
  }
  return nil
}

/// A request while it arrives, and until its answer is sent.
private final class Arriving {
  let target: String
  /// The number of the token; zero if none is needed.
  let token: Int64
  private let limit: Int
  private let share: BodyRoom.Share
  private(set) var body: [UInt8] = []
  private var received = 0
  /// The answer, if it does not depend on the rest.
  private(set) var refusal: HTTPAnswer?

  /// Begins a request to a path, of which the client has said how long its body is, or nothing.
  init(target: String, token: Int64, length: Int?, _ share: BodyRoom.Share) {
    self.target = target
    self.token = token
    self.share = share
    limit = HTTPRequest.limit(of: target)
    // Else it would be copied each time that it has outgrown its place. The missing rest takes no memory.
    body.reserveCapacity(min(length ?? 0, limit))
  }

  /// Takes a piece of the body, and nothing of it any more once it is too much.
  func take(_ piece: UnsafeRawBufferPointer) {
    received += piece.count
    if refusal != nil { return }
    if piece.count > limit - body.count {
      refusal = HTTPRequest.tooLarge(limit)
    } else if !share.takes(piece.count) {
      refusal = HTTPRequest.noRoom
    } else {
      return body.append(contentsOf: piece)
    }
    forgetBody()
  }

  /// Whether so much has come of a body that is too large that nobody waits for its end, which it may not have.
  var isBeyondPatience: Bool { received > 2 * limit + BodyRoom.small }

  private func forgetBody() {
    body = []
    share.giveBack()
  }

  /// The answer, for which there is room until it is sent.
  func room(for answer: HTTPAnswer) -> HTTPAnswer {
    forgetBody()
    return share.takes(answer.body.count) ? answer : HTTPRequest.noRoom
  }
}

private let takeRequest: MHD_AccessHandlerCallback = {
  context,
  connection,
  target,
  method,
  _,
  bytes,
  count,
  slot in
  guard let answering = answering(context), let connection, let target, let method, let count,
    let slot
  else { return .NO }
  let sent = answering.newRequests.end(on: connection)
  guard let address = slot.pointee else {
    switch admission(of: connection, to: String(cString: target), sentAs: sent, answering) {
    case .refused(let answer):
      // Of a body that is too large, or that nobody may send, nothing is read.
      return queue(answer, on: connection, isLast: true)
    case .admitted(let token):
      if token != 0, let record = record(of: connection),
        !answering.connections.admit(record, token: token)
      {
        let answer = HTTPRequest.crowd(answering.connections.placesForToken)
        return queue(answer, on: connection, isLast: true)
      }
      let share = answering.room.share(forToken: token)
      let arriving = Arriving(
        target: String(cString: target),
        token: token,
        length: field("Content-Length", of: connection).flatMap { Int($0) },
        share
      )
      slot.pointee = Unmanaged.passRetained(arriving).toOpaque()
      return .YES
    }
  }
  let arriving = Unmanaged<Arriving>.fromOpaque(address).takeUnretainedValue()
  if count.pointee > 0 {
    record(of: connection)?.take(count.pointee)
    arriving.take(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
    count.pointee = 0
    guard arriving.isBeyondPatience, let refusal = arriving.refusal else { return .YES }
    // The library takes no answer in the middle of a body.
    refusal.lastBytes.withUnsafeBytes {
      coredata_http_send_last(connection, $0.baseAddress, $0.count)
    }
    return .NO
  }
  record(of: connection)?.serve()
  if let refusal = arriving.refusal { return queue(refusal, on: connection, isLast: true) }
  return answer(arriving, String(cString: method), on: connection, answering)
}

/// Answers a request that is there, when it is its turn.
private func answer(
  _ arriving: Arriving,
  _ method: String,
  on connection: OpaquePointer,
  _ answering: Answering
) -> MHD_Result {
  func answered() -> MHD_Result {
    let request = HTTPRequest(
      method: method,
      path: arriving.target,
      authorization: field("Authorization", of: connection),
      seal: field("Zone-Seal", of: connection),
      range: field("Content-Range", of: connection) ?? field("Range", of: connection),
      body: arriving.body,
      argument: { argument($0, of: connection) },
      isWaitedFor: { !hasLeft(connection) }
    )
    return queue(arriving.room(for: request.answer(by: answering.service)), on: connection)
  }
  if arriving.token == 0 || HTTPRequest.waitsForNews(at: arriving.target) { return answered() }
  return answering.turns.work(forToken: arriving.token, answered)
    ?? queue(HTTPRequest.noTurn, on: connection)
}

private func admission(
  of connection: OpaquePointer,
  to target: String,
  sentAs address: String?,
  _ answering: Answering
) -> HTTPRequest.Admission {
  let refusal =
    address.flatMap { RequestFraming.refusal(ofAddress: $0) }
    ?? RequestFraming.refusal(of: fields(of: connection))
    ?? HTTPRequest.refusal(ofLength: field("Content-Length", of: connection), to: target)
  if let refusal { return .refused(refusal) }
  let authorization = field("Authorization", of: connection)
  return HTTPRequest.admission(to: target, authorization, by: answering.service)
}

private let endRequest: MHD_RequestCompletedCallback = { context, connection, slot, _ in
  if let answering = answering(context), let connection {
    answering.newRequests.end(on: connection)
    if let record = record(of: connection) { answering.connections.rest(record) }
  }
  guard let address = slot?.pointee else { return }
  slot?.pointee = nil
  Unmanaged<Arriving>.fromOpaque(address).release()
}

private func field(_ name: String, of connection: OpaquePointer) -> String? {
  MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
}

/// The fields of a request in order, those that are there twice too.
func fields(of connection: OpaquePointer) -> [RequestFraming.Field] {
  var fields: [RequestFraming.Field] = []
  withUnsafeMutablePointer(to: &fields) { fields in
    let take: MHD_KeyValueIterator = { place, _, name, value in
      place?.assumingMemoryBound(to: [RequestFraming.Field].self).pointee
        .append((name.map { String(cString: $0) } ?? "", value.map { String(cString: $0) } ?? ""))
      return .YES
    }
    _ = MHD_get_connection_values(connection, .HEADER_KIND, take, fields)
  }
  return fields
}

private func argument(_ name: String, of connection: OpaquePointer) -> String? {
  MHD_lookup_connection_value(connection, .GET_ARGUMENT_KIND, name).map { String(cString: $0) }
}

/// Whether the client has closed its end.
private func hasLeft(_ connection: OpaquePointer) -> Bool {
  // `POLLRDHUP`, which not every header shows.
  let closedEnd: Int32 = 0x2000
  var line = pollfd(
    fd: coredata_http_socket(connection),
    events: Int16(closedEnd),
    revents: 0
  )
  return poll(&line, 1, 0) > 0 && line.revents & Int16(closedEnd | POLLHUP | POLLERR) != 0
}

private func queue(
  _ answer: HTTPAnswer,
  on connection: OpaquePointer,
  isLast: Bool = false
) -> MHD_Result {
  guard let response = answer.news.map(endless) ?? whole(answer.body) else { return .NO }
  defer { MHD_destroy_response(response) }
  for (name, value) in answer.fields { MHD_add_response_header(response, name, value) }
  if isLast { MHD_add_response_header(response, "Connection", "close") }
  return MHD_queue_response(connection, UInt32(answer.status), response)
}

private func whole(_ body: [UInt8]) -> OpaquePointer? {
  body.withUnsafeBytes { bytes in
    // The library copies the bytes and changes nothing here.
    MHD_create_response_from_buffer(
      bytes.count,
      UnsafeMutableRawBufferPointer(mutating: bytes).baseAddress,
      .RESPMEM_MUST_COPY
    )
  }
}

// MARK: - Answers without an end

/// The rest of a message while the library takes it.
private final class Telling {
  let listener: NewsListener
  var rest: ArraySlice<UInt8> = []

  init(_ listener: NewsListener) {
    self.listener = listener
  }
}

private func endless(_ listener: NewsListener) -> OpaquePointer? {
  MHD_create_response_from_callback(
    .max,
    1024,
    tellNext,
    Unmanaged.passRetained(Telling(listener)).toOpaque(),
    endTelling
  )
}

/// Waits on the connection's own thread until there is something to say.
private let tellNext: MHD_ContentReaderCallback = { context, _, buffer, room in
  guard let context, let buffer, room > 0 else { return coredata_http_end }
  let telling = Unmanaged<Telling>.fromOpaque(context).takeUnretainedValue()
  if telling.rest.isEmpty {
    guard let message = telling.listener.next() else { return coredata_http_end }
    telling.rest = Array(message.utf8)[...]
  }
  let part = telling.rest.prefix(room)
  telling.rest = telling.rest.dropFirst(part.count)
  for (place, byte) in part.enumerated() { buffer[place] = CChar(bitPattern: byte) }
  return part.count
}

private let endTelling: MHD_ContentReaderFreeCallback = { context in
  guard let context else { return }
  Unmanaged<Telling>.fromOpaque(context).release()
}
