import CMicroHTTPD
import Foundation
import Synchronization

/// The last step of an exchange: an answer becomes the library's answer.
extension Engine {
  /// Hands an answer to the library; false when it does not take it, and the line is cut.
  ///
  /// A client that does not take the answer off the line is hung up on after a while.
  func send(
    _ response: Response,
    _ exchange: Exchange,
    on connection: ConnectionHandle,
    _ record: ConnectionRecord?
  ) -> Bool {
    let (method, asked) = exchange.progress.withLock { ($0.method ?? .get, $0.headers) }
    let client = record?.client ?? ""
    var delivery = Delivery(limited(response, client), method: method, asked: asked)
    configuration.securityHeaders.fill(&delivery.headers)
    let (status, byteCount) = (delivery.status, delivery.byteCount)
    exchange.progress.withLock { $0.stage = .sent(status: status, byteCount: byteCount) }
    record?.expect(by: deadline(of: delivery.payload))
    guard let answer = answer(delivery, on: connection, of: client) else { return false }
    defer { MHD_destroy_response(answer) }
    for field in delivery.headers.fields {
      MHD_add_response_header(answer, field.name, field.value)
    }
    return MHD_queue_response(connection.pointer, UInt32(status), answer) == .YES
  }

  /// A stream becomes a refusal where the client has as many as it may.
  private func limited(_ response: Response, _ client: String) -> Response {
    guard case .events = response.body, streamCount(of: client) >= configuration.streamsPerClient
    else { return response }
    return Problem(429, "There are too many open streams from here; close a page or two.").response
  }

  /// The moment until which a client must have taken an answer; a stream is not limited.
  private func deadline(of payload: Delivery.Payload) -> ContinuousClock.Instant? {
    let byteCount: Int
    switch payload {
    case .none: byteCount = 0
    case .data(let data): byteCount = data.count
    case .file(_, let range): byteCount = range.count
    case .events: return nil
    }
    return .now + configuration.headDeadline + configuration.patience(byteCount)
  }

  private func answer(
    _ delivery: Delivery,
    on connection: ConnectionHandle,
    of client: String
  ) -> OpaquePointer? {
    switch delivery.payload {
    case .none:
      return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
    case .data(let data):
      return data.withUnsafeBytes { bytes in
        // The library copies the bytes and changes nothing here.
        MHD_create_response_from_buffer(
          bytes.count,
          UnsafeMutableRawBufferPointer(mutating: bytes).baseAddress,
          .RESPMEM_MUST_COPY
        )
      }
    case .file(let descriptor, let range):
      let answer = MHD_create_response_from_fd_at_offset64(
        UInt64(range.count),
        descriptor,
        UInt64(range.lowerBound)
      )
      if answer == nil { Foundation.close(descriptor) }
      return answer
    case .events(let source):
      let end = StreamEnd(engine: self, stream: stream(source, on: connection, of: client))
      return MHD_create_response_from_callback(
        cmhd_unknown_size(),
        16_384,
        readStream,
        Unmanaged.passRetained(end).toOpaque(),
        closeStream
      )
    }
  }
}

/// The library's reference to a stream.
private final class StreamEnd: Sendable {
  let engine: Engine
  let stream: EventStream

  init(engine: Engine, stream: EventStream) {
    self.engine = engine
    self.stream = stream
  }
}

private let readStream: MHD_ContentReaderCallback = { context, _, buffer, size in
  guard let context, let buffer else { return cmhd_broken_stream() }
  let end = Unmanaged<StreamEnd>.fromOpaque(context).takeUnretainedValue()
  return end.stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

private let closeStream: MHD_ContentReaderFreeCallback = { context in
  guard let context else { return }
  let end = Unmanaged<StreamEnd>.fromOpaque(context).takeRetainedValue()
  end.engine.close(end.stream)
}
