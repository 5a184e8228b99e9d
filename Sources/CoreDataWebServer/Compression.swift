import CoreDataCZlib
import Foundation

/// Pressing of answers that are made on request.
enum Compression {
  /// The data as a gzip stream, or nil when it does not get smaller.
  static func gzip(_ data: Data) -> Data? {
    var stream = z_stream()
    guard coredata_deflate_init_gzip(&stream, 5) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var pressed = [UInt8](repeating: 0, count: data.count)
    let result = data.withUnsafeBytes { input in
      pressed.withUnsafeMutableBufferPointer { output in
        stream.next_in = UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress
        )
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    return result == Z_STREAM_END ? Data(pressed.prefix(Int(stream.total_out))) : nil
  }
}
