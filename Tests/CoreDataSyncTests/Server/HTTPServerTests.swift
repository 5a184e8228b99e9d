import ChildPrograms
import CoreDataHTTP
import CoreDataSyncHTTP
import CoreDataSyncServer
import Foundation
import Testing

struct HTTPServerTests {
  @Test("a server that was stopped twice ended the program")
  func stoppedTwice() throws {
    let local = try LocalServer()
    let port = try KeptPort()
    let server = try HTTPServer(local.service, port: port.number)
    server.stop()
    server.stop()
    // Its port is free for the next one.
    let next = try HTTPServer(local.service, port: port.number)
    #expect(next.address.port == port.number)
    next.stop()
  }

  @Test("the port of a stopped server was taken while another program was being started")
  func portOfStopped() throws {
    let local = try LocalServer()
    // A program that is being started has all files of this one until it runs.
    let copies = try ListenerCopies(at: local.port)
    try #require(!copies.descriptors.isEmpty)
    local.stop()
    #expect(throws: POSIXError.self) { try RawLine(port: local.port) }
    try local.start()
    #expect(try exchange("GET / HTTP/1.0\r\n\r\n", port: local.port).contains("404"))
  }

  @Test(
    "a request that the library refuses by itself got two heads",
    arguments: [
      ("three", 0, "400"), ("-1", 0, "400"), ("99999999999999999999999", 0, "400"),
      ("0", 6_000, "431"),
    ]
  )
  func heads(length: String, cookies: Int, status: String) throws {
    let local = try LocalServer()
    let answer = try exchange(
      "POST /v1/zones/Notes/sync HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n"
        + "Cookie: \(String(repeating: "a=b; ", count: cookies))\r\n\r\n"
        + "GET /v1/zones/Notes/tokens HTTP/1.1\r\nHost: localhost\r\n\r\n",
      port: local.port
    )
    let heads = answer.components(separatedBy: "HTTP/1.1 ").dropFirst()
    #expect(heads.count == 1)
    #expect(heads.first?.hasPrefix(status) == true)
    #expect(heads.first?.contains("Connection: close\r\n") == true)
  }

  @Test func `a server that was stopped while the library refused a request ended the program`()
    throws
  {
    for _ in 0..<40 {
      let local = try LocalServer()
      let answer = try exchange(
        "POST /v1/zones/Notes/sync HTTP/1.1\r\nHost: localhost\r\nContent-Length: three\r\n\r\n",
        port: local.port
      )
      #expect(answer.hasPrefix("HTTP/1.1 400"))
      local.stop()
    }
  }

  @Test(
    "an address with a NUL in it was cut there, and what stood before it was done",
    arguments: [
      "Notes/tokens?role=read%00x&label=phone", "Notes/tokens?role=read&label=phone%00x",
      "Notes/tokens%00x?role=read&label=phone", "Notes/tokens?role%00x=admin&label=phone",
    ]
  )
  func addressWithNUL(address: String) throws {
    let local = try LocalServer()
    let token = try local.service.tokens.make(zone: "Notes", .admin, label: "", at: 0)
    func answer(to address: String) throws -> String {
      try exchange(
        "POST /v1/zones/\(address) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Authorization: Bearer \(token)\r\nContent-Length: 0\r\n\r\n",
        port: local.port
      )
    }
    let refusal = try answer(to: address)
    #expect(refusal.hasPrefix("HTTP/1.1 400"))
    #expect(refusal.contains("(%00)"))
    #expect(try local.service.tokens.all(of: "Notes").count == 1)
    // A text that only looks like it is a text like others.
    #expect(try answer(to: "Notes/tokens?role=read&label=%2500").hasPrefix("HTTP/1.1 200"))
    #expect(try local.service.tokens.all(of: "Notes").map(\.label).contains("%00"))
  }

  @Test func `a body in chunks that had no end was read without end`() throws {
    let local = try LocalServer()
    let line = try RawLine(port: local.port)
    line.say(
      "POST /v1/zones/Notes HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    let chunk = "400\r\n\(String(repeating: "a", count: 1024))\r\n"
    let end = ContinuousClock.now + .seconds(120)
    while line.say(chunk), .now < end {}
    #expect(.now < end)
  }

  /// The bytes that a server sends until it hangs up.
  private func exchange(_ request: String, port: Int) throws -> String {
    let line = try RawLine(port: port)
    try #require(line.say(request))
    return line.heard()
  }
}
