import Foundation

/// A way to compress a body that both sides know; the one with the smallest results comes first.
public enum ContentEncoding: String, CaseIterable, Sendable {
  case brotli = "br"
  case gzip = "gzip"

  /// Returns the encodings that an `Accept-Encoding` field accepts: `gzip, br;q=0.8, *;q=0`.
  public static func accepted(by field: String?) -> [ContentEncoding] {
    var weights: [String: Double] = [:]
    for entry in (field ?? "").lowercased().split(separator: ",") {
      let pieces = entry.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let name = pieces.first else { continue }
      let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.map {
        Double($0.dropFirst(2)) ?? 0
      }
      weights[name] = weight ?? 1
    }
    return allCases.filter { (weights[$0.rawValue] ?? weights["*"] ?? 0) > 0 }
  }
}
