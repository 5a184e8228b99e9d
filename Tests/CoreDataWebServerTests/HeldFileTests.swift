import Foundation
import Testing

@testable import CoreDataWebServer

struct `An answer in a file without a name` {
  private let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  private func serve(_ test: (TestServer) async throws -> Void) async throws {
    let content = content
    try await TestServer.run { router, folder in
      router.get("/picture") { _ in
        .held(try HeldFile(content, in: folder), contentType: "image/png").with("ETag", "\"1\"")
      }
    } test: {
      try await test($0)
    }
  }

  @Test func `is sent whole, in part, or not at all`() async throws {
    try await serve { server async throws in
      let whole = try await server.get("/picture")
      #expect(whole.body == content)
      #expect(whole["Content-Type"] == "image/png")
      let part = try await server.get("/picture", ["Range": "bytes=10-19"])
      #expect(part.status == 206)
      #expect(part.body == content[10..<20])
      #expect(try await server.get("/picture", ["Range": "bytes=100000-"]).status == 416)
      #expect(try await server.get("/picture", ["If-None-Match": "\"1\""]).status == 304)
      #expect(try await server.ask("HEAD", "/picture").body.isEmpty)
      // Nobody sees it in the folder.
      let names = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
      #expect(names == ["uploads"])
    }
  }

  @Test func `cannot be written everywhere`() {
    #expect(throws: Problem.self) {
      try HeldFile(content, in: URL(fileURLWithPath: "/proc/nowhere"))
    }
  }
}
