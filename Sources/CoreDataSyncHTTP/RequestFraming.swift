/// Whether the fields of a request say once, and clearly, where its body ends.
///
/// Where they do not, a proxy before the server may understand it otherwise. Then a request can hide in another one, and
/// be answered as if it came with the next device's token.
enum RequestFraming {
  typealias Field = (name: String, value: String)

  /// The answer to a request that says it twice, or otherwise than HTTP does; nil for all others.
  static func refusal(of fields: [Field]) -> HTTPAnswer? {
    guard fields.allSatisfy({ isName($0.name) }) else {
      return refused("The request has a field whose name is none.")
    }
    let lengths = fields.filter { $0.name.lowercased() == "content-length" }
    let codings = fields.filter { $0.name.lowercased() == "transfer-encoding" }
    guard lengths.count + codings.count < 2 else {
      return refused("The request says twice how long it is.")
    }
    guard lengths.allSatisfy({ isLength($0.value) }) else {
      return refused("The Content-Length is no number of bytes.")
    }
    guard codings.allSatisfy({ $0.value.lowercased() == "chunked" }) else {
      return refused("This Transfer-Encoding is not known here.")
    }
    return nil
  }

  /// The answer to an address with a NUL in it, at which the library would cut its path and its arguments.
  static func refusal(ofAddress address: String) -> HTTPAnswer? {
    guard address.contains("%00") else { return nil }
    return refused("The address has a NUL (%00) in it; leave that out.")
  }

  private static func refused(_ sentence: String) -> HTTPAnswer { .text(sentence, status: 400) }

  /// A blank before the colon belongs to the name for some, and for others it does not.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
  }

  private static func isLength(_ text: String) -> Bool {
    (1...18).contains(text.utf8.count)
      && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
