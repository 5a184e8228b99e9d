import CVips
import Foundation

/// The number by which Evernote's texts name their pictures (RFC 1321); not a protection against forgers.
///
/// GLib computes it, which the image library brings along.
enum MD5 {
  /// Returns the checksum of `data` in hexadecimal digits, as the texts have it.
  static func text(of data: Data) -> String {
    let digits = data.withUnsafeBytes {
      g_compute_checksum_for_data(
        G_CHECKSUM_MD5,
        $0.baseAddress?.assumingMemoryBound(to: guchar.self),
        gsize($0.count)
      )
    }
    guard let digits else { preconditionFailure("GLib computes MD5") }
    defer { g_free(digits) }
    return String(cString: digits)
  }
}
