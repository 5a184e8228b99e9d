import CoreDataCMicroHTTPD
public import Foundation

/// An answer, ready to be sent.
public struct HTTPReply {
  public enum Body {
    case none
    case bytes(any ContiguousBytes)
    /// A piece of an open file, which the server closes.
    case file(descriptor: Int32, Range<Int>)
    /// The parts that a stream sends while it is open; only if threads are shared.
    case stream(HTTPStream)
    /// Messages, for which the connection's own thread waits; the last one is followed by `nil`.
    case messages(() -> [UInt8]?)
  }

  public var status: Int
  public var fields: [HTTPField]
  public var body: Body
  /// Whether the connection is closed after this answer.
  public var isLast: Bool

  public init(status: Int, fields: [HTTPField], body: Body = .none, isLast: Bool = false) {
    self.status = status
    self.fields = fields
    self.body = body
    self.isLast = isLast
  }
}

extension HTTPReply {
  /// The number of bytes of the body, or `nil` if that is not known.
  var byteCount: Int? {
    switch body {
    case .none: 0
    case .bytes(let bytes): bytes.withUnsafeBytes { $0.count }
    case .file(_, let range): range.count
    case .stream, .messages: nil
    }
  }

  /// Hands the answer to the library; returns `NO` if it does not take it, so that the connection is closed.
  func send(on exchange: HTTPExchange) -> MHD_Result {
    exchange.connection.answer(byteCount)
    guard let pointer = exchange.pointer, let response else { return .NO }
    defer { MHD_destroy_response(response) }
    for field in fields where !(isLast && field.isNamed("Connection")) {
      MHD_add_response_header(response, field.name, field.value)
    }
    if isLast { MHD_add_response_header(response, "Connection", "close") }
    return MHD_queue_response(pointer, UInt32(status), response)
  }

  private var response: OpaquePointer? {
    switch body {
    case .none:
      return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { bytes in
        // The library copies the bytes and changes nothing here.
        MHD_create_response_from_buffer(
          bytes.count,
          UnsafeMutableRawBufferPointer(mutating: bytes).baseAddress,
          .RESPMEM_MUST_COPY
        )
      }
    case .file(let descriptor, let range):
      let response = MHD_create_response_from_fd_at_offset64(
        UInt64(range.count),
        descriptor,
        UInt64(range.lowerBound)
      )
      if response == nil { Foundation.close(descriptor) }
      return response
    case .stream(let stream): return stream.response
    case .messages(let next): return Messages(next).response
    }
  }

  /// The answer's bytes on the line, as the last one of its connection; only bytes are sent of a body.
  var lastBytes: [UInt8] {
    let reason = MHD_get_reason_phrase_for(UInt32(status)).map { String(cString: $0) } ?? ""
    var head = "HTTP/1.1 \(status) \(reason)\r\nDate: \(HTTPDate.text(time(nil)))\r\n"
    for field in fields where !field.isNamed("Connection") {
      head += "\(field.name): \(field.value)\r\n"
    }
    var content: [UInt8] = []
    if case .bytes(let bytes) = body { content = bytes.withUnsafeBytes { Array($0) } }
    head += "Connection: close\r\nContent-Length: \(content.count)\r\n\r\n"
    return Array(head.utf8) + content
  }
}

// MARK: - Messages of a thread that waits

/// The rest of a message while the library takes it.
private final class Messages {
  private let next: () -> [UInt8]?
  private var rest: ArraySlice<UInt8> = []

  init(_ next: @escaping () -> [UInt8]?) {
    self.next = next
  }

  var response: OpaquePointer? {
    MHD_create_response_from_callback(
      coredata_http_unknown_size,
      1024,
      readMessages,
      Unmanaged.passRetained(self).toOpaque(),
      { context in
        if let context { Unmanaged<Messages>.fromOpaque(context).release() }
      }
    )
  }

  /// Waits on the connection's own thread until there is something to say.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if rest.isEmpty {
      guard let message = next() else { return coredata_http_end }
      rest = message[...]
    }
    let count = min(rest.count, buffer.count)
    buffer.copyBytes(from: rest.prefix(count))
    rest = rest.dropFirst(count)
    return count
  }
}

private let readMessages: MHD_ContentReaderCallback = { context, _, buffer, room in
  guard let context, let buffer, room > 0 else { return coredata_http_end }
  return Unmanaged<Messages>.fromOpaque(context).takeUnretainedValue()
    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: room))
}
