package import CoreDataSyncServer

/// Some bytes of an asset, as fields of HTTP name them.
///
/// ```
/// Range: bytes=1048576-2097151              asked for; without an end, all from there
/// Content-Range: bytes 0-1048575/5000000    sent; `bytes */5000000` asks how many are there
/// ```
package struct AssetRange {
  package private(set) var bytes: ClosedRange<Int>?
  package private(set) var whole: Int?

  /// Reads the field `Range`.
  package init(asked text: String) throws(ServiceRefusal) {
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard text.hasPrefix("bytes="), ends.count == 2, let start = Self.number(ends[0]) else {
      throw Self.unreadable(text)
    }
    guard let end = ends[1].isEmpty ? .max : Self.number(ends[1]), start <= end else {
      throw Self.unreadable(text)
    }
    bytes = start...end
  }

  /// Reads the field `Content-Range`.
  package init(sent text: String) throws(ServiceRefusal) {
    let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard text.hasPrefix("bytes "), parts.count == 2, let whole = Self.number(parts[1]) else {
      throw Self.unreadable(text)
    }
    self.whole = whole
    if parts[0] == "*" { return }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Self.number(ends[0]), let end = Self.number(ends[1]),
      start <= end, end < whole
    else { throw Self.unreadable(text) }
    bytes = start...end
  }

  private static func number(_ text: Substring) -> Int? {
    guard let number = Int(text), number >= 0 else { return nil }
    return number
  }

  private static func unreadable(_ text: String) -> ServiceRefusal {
    ServiceRefusal(400, "'\(text.prefix(80))' names no bytes, as in bytes 0-1048575/5000000.")
  }
}
