import CoreDataHTTP
import CoreDataSyncCore
import CoreDataSyncServer

extension HTTPRequest {
  /// Decompresses the body, if it is compressed.
  ///
  /// - Parameter takeRoom: Called before the body takes so many more bytes of memory; returns whether there is room.
  /// - Returns: The answer if that is not possible.
  mutating func decompress(takeRoom: (Int) -> Bool) -> HTTPAnswer? {
    guard let encoding, encoding.lowercased() != "identity" else { return nil }
    guard encoding.lowercased() == ContentEncoding.gzip.rawValue else {
      return .text(
        "A body is sent as it is, or compressed with gzip, not with '\(encoding.prefix(40))'.",
        status: 415
      )
    }
    let limit = Self.limit(of: path)
    do {
      body = try CompressedMessage.message(of: body, upTo: limit, takeRoom: takeRoom)
      return nil
    } catch {
      return switch error {
      case .damaged:
        .text("The compressed body is damaged, or ends too early.", status: 400)
      case .tooLarge: Self.tooLarge(limit)
      case .noRoom: Self.noRoom
      }
    }
  }
}

extension HTTPAnswer {
  /// Compresses the body if the client accepts that, and if it gets smaller.
  mutating func compress(for accepted: String?) {
    guard ContentEncoding.accepted(by: accepted).contains(.gzip),
      let bytes = CompressedMessage.bytes(of: body)
    else { return }
    (body, isCompressed) = (bytes, true)
  }
}
