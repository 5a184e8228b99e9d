import CoreDataCMicroHTTPD
package import CoreDataSyncServer
import Foundation

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
///
/// Safety: an address that never changes; `stop` is called once.
package final class HTTPServer: @unchecked Sendable {
  package let address: ListeningAddress
  private let daemon: OpaquePointer
  private let answering: Answering

  /// Begins to serve at a host and a port; of port 0 the system chooses one.
  package init(
    _ service: SyncService,
    host: String = "127.0.0.1",
    port: Int,
    connections: Int = 512
  ) throws {
    let socket = try ListeningSocket(host: host, port: port)
    let answering = Answering(service)
    guard
      let daemon = coredata_http_start(
        socket.descriptor,
        takeRequest,
        endRequest,
        Unmanaged.passUnretained(answering).toOpaque(),
        UInt32(clamping: connections),
        90
      )
    else {
      close(socket.descriptor)
      throw ServiceRefusal(500, "The server's threads cannot be started.")
    }
    address = socket.address
    self.daemon = daemon
    self.answering = answering
  }

  /// Answers what was asked, and ends.
  package func stop() {
    answering.service.stop()
    MHD_stop_daemon(daemon)
  }
}

/// What the library's threads need; it outlives them.
final class Answering: Sendable {
  let service: SyncService

  init(_ service: SyncService) {
    self.service = service
  }
}

// MARK: - Called by the library

/// A request while it arrives.
private final class Arriving {
  let target: String
  let limit: Int
  var body: [UInt8] = []
  /// The answer, where it does not depend on the rest.
  var refusal: HTTPAnswer?

  init(target: String) {
    self.target = target
    limit = HTTPRequest.limit(of: target)
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
  guard let context, let connection, let target, let method, let count, let slot else { return .NO }
  let answering = Unmanaged<Answering>.fromOpaque(context).takeUnretainedValue()
  guard let address = slot.pointee else {
    let arriving = Arriving(target: String(cString: target))
    slot.pointee = Unmanaged.passRetained(arriving).toOpaque()
    let target = arriving.target
    arriving.refusal =
      RequestFraming.refusal(of: fields(of: connection))
      ?? HTTPRequest.refusal(ofLength: field("Content-Length", of: connection), to: target)
      ?? HTTPRequest.refusal(
        of: target,
        field("Authorization", of: connection),
        by: answering.service
      )
    // Of a body that is too large, or that nobody may send, nothing is read.
    return arriving.refusal.map { queue($0, on: connection, isLast: true) } ?? .YES
  }
  let arriving = Unmanaged<Arriving>.fromOpaque(address).takeUnretainedValue()
  if count.pointee > 0 {
    if arriving.refusal == nil {
      arriving.body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count.pointee))
      if arriving.body.count > arriving.limit {
        arriving.refusal = HTTPRequest.tooLarge(arriving.limit)
      }
    }
    if arriving.refusal != nil { arriving.body = [] }
    count.pointee = 0
    return .YES
  }
  if let refusal = arriving.refusal { return queue(refusal, on: connection, isLast: true) }
  let request = HTTPRequest(
    method: String(cString: method),
    path: arriving.target,
    authorization: field("Authorization", of: connection),
    seal: field("Zone-Seal", of: connection),
    range: field("Content-Range", of: connection) ?? field("Range", of: connection),
    body: arriving.body,
    argument: { argument($0, of: connection) }
  )
  return queue(request.answer(by: answering.service), on: connection)
}

private let endRequest: MHD_RequestCompletedCallback = { _, _, slot, _ in
  guard let address = slot?.pointee else { return }
  slot?.pointee = nil
  Unmanaged<Arriving>.fromOpaque(address).release()
}

private func field(_ name: String, of connection: OpaquePointer) -> String? {
  MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
}

/// The fields of a request in order, those that are there twice too.
private func fields(of connection: OpaquePointer) -> [RequestFraming.Field] {
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

private func queue(
  _ answer: HTTPAnswer,
  on connection: OpaquePointer,
  isLast: Bool = false
) -> MHD_Result {
  guard let response = answer.news.map(endless) ?? whole(answer.body) else { return .NO }
  defer { MHD_destroy_response(response) }
  var fields = [("Content-Type", answer.type), ("Cache-Control", "no-store")]
  // Proxies that know this hold nothing back.
  if answer.news != nil { fields.append(("X-Accel-Buffering", "no")) }
  if let range = answer.range { fields.append(("Content-Range", range)) }
  if answer.status == 401 { fields.append(("WWW-Authenticate", "Bearer")) }
  if answer.status == 429 { fields.append(("Retry-After", "5")) }
  if isLast { fields.append(("Connection", "close")) }
  for (name, value) in fields { MHD_add_response_header(response, name, value) }
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

/// What is left of a message while the library takes it.
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
