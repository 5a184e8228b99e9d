/// Bytes as letters and digits that people can read to each other: five bits in each, after Crockford.
///
/// There is no `i`, `l`, `o` and `u` among them; an `o` is read as the zero, and `i` or `l` as the one.
package enum Base32 {
  private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  private static let values: [UInt8: UInt32] = {
    var values: [UInt8: UInt32] = [:]
    for (value, letter) in letters.enumerated() {
      values[letter] = UInt32(value)
      if letter >= 97 { values[letter - 32] = UInt32(value) }
    }
    for letter in "oO".utf8 { values[letter] = 0 }
    for letter in "iIlL".utf8 { values[letter] = 1 }
    return values
  }()

  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    var (text, rest, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
    for byte in bytes {
      rest = (rest << 8) | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(letters[Int((rest >> count) & 31)])
      }
      rest &= (1 << count) - 1
    }
    if count > 0 { text.append(letters[Int((rest << (5 - count)) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; `nil` if it has another character, or ends within a byte.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var (bytes, rest, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
    for letter in text.utf8 {
      guard let value = values[letter] else { return nil }
      rest = (rest << 5) | value
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: rest >> count))
      }
      rest &= (1 << count) - 1
    }
    return count < 5 && rest == 0 ? bytes : nil
  }
}
