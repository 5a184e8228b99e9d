import Foundation

/// The name of a language that browsers understand: `de`, `de-AT`.
enum LanguageTag {
  /// Returns a text as a name of a language, with hyphens; `nil` for other words, such as “German”.
  static func tidy(_ text: String) -> String? {
    let parts = text.trimmingCharacters(in: .whitespaces).split { "-_".contains($0) }
    guard parts.count <= 8, let first = parts.first, (2...3).contains(first.count),
      first.allSatisfy(\.isLetter),
      parts.allSatisfy({ part in
        part.count <= 8 && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      })
    else { return nil }
    return parts.joined(separator: "-")
  }
}
