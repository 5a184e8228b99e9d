import Foundation

/// The ways of pressing a text that both sides know, dearest first.
enum Encoding: String, CaseIterable, Sendable {
  case brotli = "br"
  case gzip = "gzip"

  /// How a pressed sibling of a file is called: `app.js.br`.
  var fileExtension: String {
    switch self {
    case .brotli: "br"
    case .gzip: "gz"
    }
  }

  /// The encodings that an `Accept-Encoding` field accepts: `gzip, br;q=0.8, *;q=0`.
  static func accepted(by field: String?) -> [Encoding] {
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
