import CMicroHTTPD
import Foundation
import Synchronization

// The library calls C functions with addresses. Here the addresses become objects again.
//
//   engine     lives as long as the daemon
//   record     from a connection's first moment to its last
//   exchange   from a request's first line to its completion

extension Engine {
  /// The functions that the library calls.
  var callbacks: cmhd_callbacks {
    cmhd_callbacks(
      log: noticeLogLine,
      access: access,
      target: beginRequest,
      completed: completeRequest,
      connection: noticeConnection,
      context: Unmanaged.passUnretained(self).toOpaque()
    )
  }
}

private func engine(_ context: UnsafeMutableRawPointer?) -> Engine? {
  context.map { Unmanaged<Engine>.fromOpaque($0).takeUnretainedValue() }
}

private func record(of connection: OpaquePointer) -> ConnectionRecord? {
  cmhd_socket_context(connection).map {
    Unmanaged<ConnectionRecord>.fromOpaque($0).takeUnretainedValue()
  }
}

private let noticeConnection: MHD_NotifyConnectionCallback = { context, connection, slot, event in
  guard let engine = engine(context), let connection, let slot else { return }
  if event == .CONNECTION_NOTIFY_STARTED {
    let record = ConnectionRecord(
      descriptor: cmhd_socket(connection),
      client: client(of: connection),
      deadline: .now + engine.configuration.headDeadline
    )
    slot.pointee = Unmanaged.passRetained(record).toOpaque()
    engine.connections.add(record)
  } else if let address = slot.pointee {
    slot.pointee = nil
    engine.connections.remove(Unmanaged<ConnectionRecord>.fromOpaque(address).takeRetainedValue())
  }
}

/// The text of the line matters less than its time: see `answerForTheLibrary`.
private let noticeLogLine: MHD_LogCallback = { context, _, _ in
  engine(context)?.answerForTheLibrary()
}

/// The first line is there; the library decodes addresses leniently, so we keep what was sent.
private func beginRequest(
  _ context: UnsafeMutableRawPointer?,
  _ target: UnsafePointer<CChar>?,
  _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let engine = engine(context), let target, let connection else { return nil }
  let exchange = Exchange(target: String(cString: target))
  engine.begin(exchange, on: ConnectionHandle(pointer: connection), record(of: connection))
  return Unmanaged.passRetained(exchange).toOpaque()
}

private let access: MHD_AccessHandlerCallback = {
  context,
  connection,
  _,
  method,
  _,
  bytes,
  count,
  slot in
  guard let engine = engine(context), let connection, let method, let count,
    let address = slot?.pointee
  else { return .NO }
  let exchange = Unmanaged<Exchange>.fromOpaque(address).takeUnretainedValue()
  let handle = ConnectionHandle(pointer: connection)
  let record = record(of: connection)
  let step: Engine.Step
  if exchange.isNew {
    step = engine.screen(
      exchange,
      method: String(cString: method),
      headers: handle.fields,
      record
    )
  } else if count.pointee > 0 {
    step = engine.take(UnsafeRawBufferPointer(start: bytes, count: count.pointee), exchange)
    count.pointee = 0
  } else {
    step = engine.work(exchange, on: handle, record)
  }
  switch step {
  case .goOn, .wait: return .YES
  case .answer(let response):
    return engine.send(response, exchange, on: handle, record) ? .YES : .NO
  case .close: return .NO
  }
}

private let completeRequest: MHD_RequestCompletedCallback = { context, connection, slot, _ in
  guard let engine = engine(context), let connection, let address = slot?.pointee else { return }
  slot?.pointee = nil
  engine.end(
    Unmanaged<Exchange>.fromOpaque(address).takeRetainedValue(),
    record(of: connection)
  )
}

/// The address that a connection comes from, as text.
private func client(of connection: OpaquePointer) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
    guard let text = buffer.baseAddress, cmhd_client(connection, text, 64) else { return "" }
    return String(cString: text)
  }
}
