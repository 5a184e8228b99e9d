import Foundation

/// The fingerprint of an answer: `"5f3a-1c8"`; a weak one, `W/"…"`, is for answers with the same
/// meaning.
enum EntityTag {
  /// The fingerprint of a file: another time, size or place is another file.
  static func of(_ status: stat, variant: String = "") -> String {
    let time =
      UInt64(bitPattern: Int64(status.st_mtim.tv_sec)) &* 1_000_000_000
      &+ UInt64(bitPattern: Int64(status.st_mtim.tv_nsec))
    return "\"\(String(time, radix: 36))-\(String(status.st_size, radix: 36))"
      + "-\(String(status.st_ino, radix: 36))\(variant)\""
  }

  /// Whether an `If-None-Match` field names the tag, weak or not; a comma in a tag does not
  /// separate tags.
  static func field(_ field: String, names tag: String) -> Bool {
    var isInTag = false
    return field.split { character in
      if character == "\"" { isInTag.toggle() }
      return character == "," && !isInTag
    }
    .map { $0.trimmingCharacters(in: .whitespaces) }
    .contains { $0 == "*" || $0.withoutWeakness == tag.withoutWeakness }
  }
}

extension String {
  fileprivate var withoutWeakness: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
