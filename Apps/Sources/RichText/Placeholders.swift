/// Words in double braces that are replaced by others.
///
/// ```
/// "{{title}}, {{Date}}, {{else}}"   →   "What {{date}} is, 2026-11-21, {{else}}"
/// ```
///
/// They are filled from the beginning of a text to its end, and inserted text is not looked at again.
public enum Placeholders {
  /// The text with the values of names in the place of `{{name}}`, whatever its case.
  public static func filled(_ text: String, with values: [String: String]) -> String {
    // No text is so long.
    var room = Int.max / 2
    return filled(text, with: values, &room)
  }

  /// The same, where `room` is by how many bytes the text may still grow; below zero, it would have been more.
  static func filled(_ text: String, with values: [String: String], _ room: inout Int) -> String {
    guard text.utf8.contains(brace) else { return text }
    var text = text
    return text.withUTF8 { filled($0, with: values, &room) }
  }

  private static func filled(
    _ bytes: UnsafeBufferPointer<UInt8>,
    with values: [String: String],
    _ room: inout Int
  ) -> String {
    var filled: [UInt8] = []
    var (start, index) = (0, 0)
    while let sign = bytes[index...].firstIndex(of: brace) {
      index = sign + 1
      guard let name = name(in: bytes[sign...]), let value = values[name.lowercased()] else {
        continue
      }
      let end = sign + name.utf8.count + 4
      room -= value.utf8.count - (end - sign)
      if room < 0 { break }
      filled += bytes[start..<sign] + Array(value.utf8)
      (start, index) = (end, end)
    }
    return String(decoding: filled + bytes[start...], as: UTF8.self)
  }

  /// The name at the beginning of some bytes.
  private static func name(in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    let name = bytes.dropFirst(2).prefix(longestName).prefix { $0 != end && $0 != brace }
    guard bytes.dropFirst().first == brace, bytes[name.endIndex...].starts(with: [end, end]) else {
      return nil
    }
    return String(decoding: name, as: UTF8.self)
  }

  private static let brace = UInt8(ascii: "{")
  private static let end = UInt8(ascii: "}")
  private static let longestName = 40
}

extension RichText {
  /// The text with the values of names in the place of `{{name}}`; see ``Placeholders``.
  ///
  /// - Throws: A ``RichTextError`` where the text would be more than a note may have: it could not be read again.
  public func filled(with values: [String: String]) throws(RichTextError) -> RichText {
    var room = max(Self.maximumSize - size, 0)
    let text = mapWords { Placeholders.filled($0, with: values, &room) }
    if room < 0 { throw .tooLarge }
    return text
  }
}
