import CoreDataCMicroHTTPD
import Foundation
import Synchronization

// The library calls C functions with addresses. Here the addresses become objects again.
//
//   engine       lives as long as the daemon
//   connection   from a connection's first moment to its last
//   request      from a request's first line to its completion

extension HTTPEngine {
  /// The functions that the library calls.
  var callbacks: coredata_http_callbacks {
    coredata_http_callbacks(
      log: { context, words, _ in engine(context)?.hear(words) },
      accept: { context, _, _ in
        engine(context)?.takesClients.load(ordering: .relaxed) == true ? .YES : .NO
      },
      target: beginRequest,
      access: takeRequest,
      completed: endRequest,
      connection: noticeConnection,
      context: Unmanaged.passUnretained(self).toOpaque()
    )
  }
}

private func engine(_ context: UnsafeMutableRawPointer?) -> HTTPEngine? {
  context.map { Unmanaged<HTTPEngine>.fromOpaque($0).takeUnretainedValue() }
}

private func connection(of pointer: OpaquePointer) -> HTTPConnection? {
  coredata_http_socket_context(pointer).map {
    Unmanaged<HTTPConnection>.fromOpaque($0).takeUnretainedValue()
  }
}

private let noticeConnection: MHD_NotifyConnectionCallback = { context, pointer, slot, event in
  guard let engine = engine(context), let pointer, let slot else { return }
  if event == .CONNECTION_NOTIFY_STARTED {
    let connection = engine.connections.begin(
      on: coredata_http_socket(pointer),
      client: client(of: pointer)
    )
    slot.pointee = Unmanaged.passRetained(connection).toOpaque()
  } else if let address = slot.pointee {
    slot.pointee = nil
    engine.connections.end(Unmanaged<HTTPConnection>.fromOpaque(address).takeRetainedValue())
  }
}

/// Returns the address that a connection comes from, as text.
private func client(of pointer: OpaquePointer) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
    guard let text = buffer.baseAddress, coredata_http_client(pointer, text, 64) else { return "" }
    return String(cString: text)
  }
}

/// The first line is there.
///
/// The library decodes addresses leniently, so the text that was sent is kept.
private func beginRequest(
  _ context: UnsafeMutableRawPointer?,
  _ target: UnsafePointer<CChar>?,
  _ pointer: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let engine = engine(context), let target, let pointer,
    let connection = connection(of: pointer)
  else { return nil }
  let exchange = HTTPExchange(
    target: String(cString: target),
    on: pointer,
    connection,
    of: engine.connections
  )
  let request = ReceivedRequest(exchange, by: engine.responder)
  engine.begin(request)
  return Unmanaged.passRetained(request).toOpaque()
}

private let takeRequest: MHD_AccessHandlerCallback = {
  _,
  _,
  path,
  method,
  _,
  bytes,
  count,
  slot in
  guard let path, let method, let count, let address = slot?.pointee else { return .NO }
  let request = Unmanaged<ReceivedRequest>.fromOpaque(address).takeUnretainedValue()
  let exchange = request.exchange
  let step: HTTPStep
  if exchange.isNew {
    step = request.screen(method: String(cString: method), path: String(cString: path))
  } else if let head = exchange.screenedHead {
    step = request.screen(head)
  } else if count.pointee > 0 {
    exchange.connection.receive(count.pointee)
    step = request.reception.take(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
    count.pointee = 0
  } else {
    exchange.connection.serve()
    step = request.reception.finish()
  }
  switch step {
  case .goOn, .wait: return .YES
  case .answer(let reply): return reply.send(on: exchange)
  case .close(let reply):
    // The library takes no answer in the middle of a body.
    if let reply { exchange.connection.sendLast(reply.lastBytes) }
    return .NO
  }
}

private let endRequest: MHD_RequestCompletedCallback = { context, _, slot, _ in
  guard let engine = engine(context), let address = slot?.pointee else { return }
  slot?.pointee = nil
  engine.end(Unmanaged<ReceivedRequest>.fromOpaque(address).takeRetainedValue())
}
