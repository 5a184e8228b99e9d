import Foundation

/// A file in the address of a text: `data:image/png;base64,iVBORw0…`.
struct EmbeddedFile: Hashable, Sendable {
  let data: Data
  let name: String

  /// Pages fill gaps with pictures of one point; anything smaller than this shows nothing.
  private static let smallest = 64

  /// Nil for other addresses, for damaged ones, and for files that are too small to show anything.
  init?(address: String) {
    guard address.prefix(5).lowercased() == "data:", let comma = address.utf8.firstIndex(of: 0x2C)
    else { return nil }
    let head = address[..<comma].dropFirst(5).lowercased().split(separator: ";")
    let content = String(address[address.utf8.index(after: comma)...])
    let plain = content.removingPercentEncoding ?? content
    let data =
      head.last?.filter { !$0.isWhitespace } == "base64"
      ? Data(base64Encoded: Self.padded(plain), options: .ignoreUnknownCharacters)
      : Data(plain.utf8)
    guard let data, data.count >= Self.smallest else { return nil }
    self.data = data
    let kind = head.first.map { $0.split(separator: "/").map { String($0) } } ?? []
    guard kind.count == 2 else {
      name = "file"
      return
    }
    let ending = kind[1].prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let word = kind[0] == "image" ? "picture" : "file"
    let usual = ["jpeg": "jpg", "plain": "txt"][kind[1]] ?? String(ending.prefix(8))
    name = ending.isEmpty ? word : "\(word).\(usual)"
  }

  /// Some programs leave out the signs at the end.
  private static func padded(_ letters: String) -> String {
    let count = letters.utf8.count { $0 > 0x20 }
    return letters + String(repeating: "=", count: (4 - count % 4) % 4)
  }

  /// How many bytes of a text are files, so that what is left can be compared with the longest text.
  static func byteCount(in text: String) -> Int {
    var count = 0
    var rest = text.utf8[...]
    while let place = rest.firstRange(of: "data:".utf8) {
      let address = rest[place.lowerBound...].prefix { byte in
        byte > 0x20 && byte < 0x7F && !"<>()[]\"'`".utf8.contains(byte)
      }
      // Shorter ones are words.
      if address.count > 100 { count += address.count }
      rest = rest[address.endIndex...]
    }
    return count
  }
}
