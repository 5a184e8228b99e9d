import CoreDataCZlib
import Foundation

/// DEFLATE without header and checksum, as model caches are squeezed.
enum RawDeflate {
  /// More than any model needs; a small blob that grows beyond it is damaged or hostile.
  private static let greatestSize = 32 << 20

  static func inflate(_ data: Data) throws(ArchiveError) -> Data {
    guard data.count < greatestSize else { throw ArchiveError("the model cache is too large") }
    var stream = z_stream()
    guard coredata_inflate_init_raw(&stream) == Z_OK else {
      throw ArchiveError("zlib cannot begin to inflate")
    }
    defer { inflateEnd(&stream) }
    let (output, status) = run(&stream, on: data) { CoreDataCZlib.inflate(&$0, Z_NO_FLUSH) }
    guard status == Z_STREAM_END else {
      throw ArchiveError("the model cache is not DEFLATE data, ends too early or is too large")
    }
    return output
  }

  static func deflate(_ data: Data) throws(ArchiveError) -> Data {
    guard data.count < greatestSize else { throw ArchiveError("the model is too large") }
    var stream = z_stream()
    guard coredata_deflate_init_raw(&stream) == Z_OK else {
      throw ArchiveError("zlib cannot begin to deflate")
    }
    defer { deflateEnd(&stream) }
    let (output, status) = run(&stream, on: data) { CoreDataCZlib.deflate(&$0, Z_FINISH) }
    guard status == Z_STREAM_END else { throw ArchiveError("zlib cannot deflate the model") }
    return output
  }

  /// Gives a stream all the input, and takes output until it ends or gets stuck.
  private static func run(
    _ stream: inout z_stream,
    on data: Data,
    _ step: (inout z_stream) -> Int32
  ) -> (output: Data, status: Int32) {
    var input = [UInt8](data)
    var output = Data()
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    var status = Z_OK
    input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      while status == Z_OK, output.count < greatestSize {
        chunk.withUnsafeMutableBufferPointer { chunk in
          stream.next_out = chunk.baseAddress
          stream.avail_out = UInt32(chunk.count)
          status = step(&stream)
          output.append(contentsOf: chunk.prefix(chunk.count - Int(stream.avail_out)))
        }
      }
    }
    return (output, status)
  }
}
