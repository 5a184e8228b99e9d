import CoreDataSyncHTTP
import Testing

struct HTTPServerTests {
  @Test("a server that was stopped twice ended the program")
  func stoppedTwice() throws {
    let local = try LocalServer()
    let server = try HTTPServer(local.service, port: 0)
    server.stop()
    server.stop()
    // Its port is free for the next one.
    let next = try HTTPServer(local.service, port: server.address.port)
    #expect(next.address.port == server.address.port)
    next.stop()
  }
}
