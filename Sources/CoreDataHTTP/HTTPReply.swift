import CoreDataCMicroHTTPD
public import Foundation

/// An answer, ready to be sent.
public struct HTTPReply {
  public enum Body {
    case none
    case bytes(any ContiguousBytes)
    /// A piece of an open file, which the server closes.
    case file(descriptor: Int32, Range<Int>)
    /// The parts that a stream sends while it is open.
    case stream(HTTPStream)
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
    case .stream: nil
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
