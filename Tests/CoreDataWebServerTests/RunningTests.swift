import Foundation
import Testing

@testable import CoreDataWebServer

struct `A program that serves` {
  @Test(.timeLimit(.minutes(60)))
  func `was ended by a reader of its log that had left`() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      _ = pipe(&ends)
      close(ends[0])
      dup2(ends[1], STDERR_FILENO)
      var router = Router()
      // Failures are reported from the handler's thread.
      router.get("/") { _ in throw CocoaError(.fileNoSuchFile) }
      let server = WebServer(router, configuration: ServerConfiguration(port: 0))
      try await server.run { url in
        let port = url.port ?? 0
        Task {
          let wire = try Wire(port: port)
          await wire.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
          let answer = Answer(await wire.receiveAll())
          if answer?.status == 500 { kill(getpid(), SIGTERM) }
        }
      }
    }
  }

  @Test func `warned of a key where everybody was let in`() {
    var configuration = ServerConfiguration(port: 8090)
    let open = WebServer(Router(), configuration: configuration)
    #expect(
      open.warning(host: "0.0.0.0", port: 8090)
        == "Warning: other machines can reach this program at 0.0.0.0, port 8090. Nothing on the way is "
        + "encrypted, and whoever can reach it reads and changes everything."
    )
    configuration.key = AccessKey(program: "notes")
    let closed = WebServer(Router(), configuration: configuration)
    #expect(
      closed.warning(host: "0.0.0.0", port: 8090).hasSuffix(
        "and whoever has the address with the key reads and changes everything."
      )
    )
  }

  @Test(.timeLimit(.minutes(60)))
  func `went on when it was asked to end while it began`() async {
    await #expect(processExitsWith: .success) {
      let server = WebServer(Router(), configuration: ServerConfiguration(port: 0))
      try await server.run { _ in kill(getpid(), SIGTERM) }
    }
  }
}
