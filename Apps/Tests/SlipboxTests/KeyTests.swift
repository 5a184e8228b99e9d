import ChildPrograms
import Foundation
import Testing

/// The program's key, from outside.
@Suite(.serialized) struct KeyTests {
  private func inFolder(_ test: (URL) throws -> Void) throws {
    let store = URL.temporaryDirectory.appending(component: "slipbox-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: store) }
    try test(store)
  }

  private func mode(_ file: URL) -> mode_t {
    var status = stat()
    return lstat(file.path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test(.timeLimit(.minutes(60)))
  func `any user of the machine read the notes through the port`() throws {
    try inFolder { store in
      let server = try ServerProcess(store: store)
      let stranger = try Line(port: server.port, cookie: "")
      #expect(try stranger.ask("GET", "/api/overview").status == 401)
      for target in ["/", "/app.js", "/api/events", "/api/notes"] {
        #expect(try Line(port: server.port, cookie: "").ask("GET", target).status == 401)
      }
      #expect(try Line(server).ask("GET", "/api/overview").status == 200)
      #expect(server.printed.hasPrefix("http://127.0.0.1:\(server.port)/?access="))
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `a browser that was let in is let in after a restart`() throws {
    try inFolder { store in
      let first = try ServerProcess(store: store)
      let key = try #require(first.printed.split(separator: "=").last)
      #expect(first.end() == .status(0))
      let second = try ServerProcess(store: store)
      #expect(second.printed.hasSuffix(String(key)))
      #expect(second.end() == .status(0))
      #expect(mode(store.appending(component: "access-key")) == 0o600)
      #expect(mode(store) == 0o700)
      for name in try FileManager.default.contentsOfDirectory(atPath: store.path) {
        #expect(mode(store.appending(component: name)) & 0o077 == 0, "\(name)")
      }
      #expect(!FileManager.default.fileExists(atPath: store.path + "/uploads/upload"))
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `whoever may read the journal of a service read its key`() throws {
    try inFolder { store in
      let journal = URL.temporaryDirectory.appending(component: "journal-\(UUID().uuidString)")
      try Data().write(to: journal)
      defer { try? FileManager.default.removeItem(at: journal) }
      var status = stat()
      #expect(lstat(journal.path, &status) == 0)
      let environment = ProcessInfo.processInfo.environment
      let server = try ChildProgram(
        .built("slipbox"),
        ["--port", "0", "--store", store.path, "--no-samples"],
        environment: environment.merging(
          ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"],
          uniquingKeysWith: { $1 }
        ),
        output: .file(journal),
        errors: .nothing
      )
      defer { server.kill() }
      var said = ""
      let patience = Date() + 120
      while !said.contains("in place of the dots"), server.isRunning, Date() < patience {
        usleep(10_000)
        said = try String(contentsOf: journal, encoding: .utf8)
      }
      let file = store.appending(component: "access-key")
      let key = try String(contentsOf: file, encoding: .utf8)
      #expect(said.hasPrefix("Slipbox is at http://127.0.0.1:"))
      #expect(said.contains(file.path))
      #expect(!said.contains(key.trimmingCharacters(in: .newlines)))
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `a key that strangers may know could not be replaced by an option`() throws {
    try inFolder { store in
      let first = try ServerProcess(store: store)
      let old = try #require(first.printed.split(separator: "=").last)
      #expect(first.end() == .status(0))
      let second = try ServerProcess(store: store, ["--new-key"])
      let new = try #require(second.printed.split(separator: "=").last)
      #expect(new != old)
      let stale = try Line(port: second.port, cookie: "slipbox-\(second.port)=\(old)")
      #expect(try stale.ask("GET", "/api/overview").status == 401)
      #expect(try Line(second).ask("GET", "/api/overview").status == 200)
      #expect(second.end() == .status(0))
      let third = try ServerProcess(store: store)
      #expect(third.printed.hasSuffix(String(new)))
      #expect(third.end() == .status(0))
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `strangers with half a request each took all files that the program may have open`() throws {
    try inFolder { store in
      let server = try ServerProcess(store: store, limit: "ulimit -n 256")
      let strangers = try (0..<600).map { _ in
        let line = try Line(port: server.port, cookie: "")
        line.sendHalfOfHead()
        return line
      }
      for _ in 0..<20 {
        #expect(try Line(server).ask("GET", "/api/overview").status == 200)
      }
      withExtendedLifetime(strangers) {}
      #expect(server.end() == .status(0))
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `a note was said to be saved in a file that was removed`() throws {
    try inFolder { store in
      let server = try ServerProcess(store: store)
      let file = store.appending(component: "Slipbox.sqlite")
      try FileManager.default.removeItem(at: file)
      let line = try Line(server)
      let answer = try line.ask("POST", "/api/notes", #"{"id":"\#(UUID().uuidString)"}"#)
      #expect(answer.status == 503)
      #expect(answer.body.contains("was removed or replaced while Slipbox ran"), "\(answer.body)")
      #expect(!FileManager.default.fileExists(atPath: file.path))
      // Others go on, and the program ends in order.
      #expect(try Line(server).ask("GET", "/api/overview").status == 200)
      #expect(server.end() == .status(0))
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `an upload stayed when the program was killed`() throws {
    try inFolder { store in
      let server = try ServerProcess(store: store)
      let line = try Line(server)
      try line.sendHead("PUT", "/api/notes/\(UUID().uuidString)/attachment", length: 1_000_000)
      let uploads = store.appending(component: "uploads")
      func files() -> Int {
        let names = FileManager.default.enumerator(atPath: uploads.path)?.allObjects ?? []
        return names.count
      }
      let patience = Date() + 120
      while files() < 2, Date() < patience { usleep(10_000) }
      server.kill()
      #expect(files() == 2)
      let next = try ServerProcess(store: store)
      #expect(files() == 1)
      #expect(next.end() == .status(0))
      #expect(files() == 0)
    }
  }
}
