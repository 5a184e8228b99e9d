import Testing

@testable import CoreDataHTTP

struct RequestFramingTests {
  @Test(
    "a request could hide in another one behind a proxy",
    arguments: [
      [("Content-Length", "0"), ("content-length", "30")],
      [("Content-Length", "5"), ("Transfer-Encoding", "chunked")],
      [("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "identity")],
      [("Transfer-Encoding", "gzip, chunked")], [("Transfer-Encoding", "xchunked")],
      [("Transfer-Encoding", "\u{B}chunked")], [("Transfer-Encoding", "chunked\t")],
      [("Content-Length ", "5")], [("XContent-Length: 5", "a")], [("", "a")],
      [("Content-Length", "+5")], [("Content-Length", "5, 5")], [("Content-Length", "")],
      [("Content-Length", "\u{B}5")], [("Content-Length", "٣")], [("Content-Length", "0x10")],
      [("Content-Length", "9007199254740992")], [("Content-Length", "99999999999999999999")],
    ] as [[(String, String)]]
  )
  func hidden(fields: [(String, String)]) {
    let sent = [("Host", "localhost")] + fields
    let refusal = #expect(throws: HTTPRefusal.self) {
      try RequestFraming(sent.map { HTTPField(sent: $0, $1) })
    }
    #expect(refusal?.status == 400)
  }

  @Test("a request that says once how long it is, or not at all, is read")
  func usual() throws {
    let host = HTTPField("Host", "a")
    #expect(try RequestFraming([host, HTTPField("Authorization", "Bearer x")]) == .none)
    #expect(try RequestFraming([host, HTTPField("Content-Length", "0")]) == .none)
    #expect(try RequestFraming([host, HTTPField("content-length", "70")]) == .length(70))
    #expect(try RequestFraming([HTTPField("Transfer-Encoding", "Chunked")]) == .chunked)
  }

  @Test func `a refusal handed on what a client had sent without an end, and with controls`() {
    let value = "\u{1B}[2J" + String(repeating: "x", count: 10_000)
    let refusal = #expect(throws: HTTPRefusal.self) {
      try RequestFraming([HTTPField(sent: "Content-Length", value)])
    }
    #expect(refusal?.sentence.contains("\u{1B}") == false)
    #expect((refusal?.sentence.count ?? 0) < 150)
  }

  @Test("the server waits for as many bytes as are announced, or as a program takes")
  func expected() {
    #expect(RequestFraming.none.expected(within: 100) == 0)
    #expect(RequestFraming.length(7).expected(within: 100) == 7)
    #expect(RequestFraming.length(700).expected(within: 100) == 100)
    #expect(RequestFraming.chunked.expected(within: 100) == 100)
  }

  @Test func `a line break in a value began a field of its own`() {
    #expect(HTTPField("Content-Range", "bytes 0\r\nX: y").value == "bytes 0X: y")
  }

  @Test(
    "a time is written as HTTP has it, in every language",
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (1_795_188_600, "Fri, 20 Nov 2026 15:30:00 GMT"),
      (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
    ]
  )
  func dates(seconds: Int, text: String) {
    #expect(HTTPDate.text(seconds) == text)
  }
}
