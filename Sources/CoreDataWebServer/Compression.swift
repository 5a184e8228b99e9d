import CoreDataCZlib
import Foundation

/// Compression of answers that are made on request.
enum Compression {
  /// Returns the data as a gzip stream, or `nil` if that is not smaller.
  static func gzip(_ data: Data) -> Data? {
    guard let size = UInt32(exactly: data.count) else { return nil }
    var compressed = [UInt8](repeating: 0, count: data.count)
    let count = data.withUnsafeBytes { coredata_gzip($0.baseAddress, size, &compressed, size, 5) }
    return count > 0 ? Data(compressed.prefix(count)) : nil
  }
}
