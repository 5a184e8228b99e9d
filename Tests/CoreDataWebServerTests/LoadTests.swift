import Foundation
import Synchronization
import Testing

@testable import CoreDataWebServer

struct `Clients that take more than their share` {
  @Test(.timeLimit(.minutes(60)))
  func `kept everybody out by connections that say nothing`() async throws {
    try await TestServer.run {
      $0.connectionsPerClient = 8
    } routes: { router, _ in
      router.get("/") { _ in .text("here") }
    } test: { server async throws in
      let known = try Wire(port: server.port)
      let ask = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
      await known.send(ask)
      #expect(await known.receive(until: "here").contains("200"))
      var silent: [Wire] = []
      for _ in 0..<60 { silent.append(try Wire(port: server.port)) }
      #expect(try await server.get("/").text == "here")
      // A client that has asked before is not sent away for the sake of strangers.
      await known.send(ask)
      #expect(await known.receive(until: "here").contains("200"))
      // The oldest strangers were.
      #expect(await silent[0].receive().isEmpty)
      #expect(await silent[10].receive().isEmpty)
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `opened event streams without end`() async throws {
    try await TestServer.run {
      $0.streamsPerClient = 2
    } routes: { router, _ in
      router.get("/events") { _ in .events(AsyncStream { _ in }) }
    } test: { server async throws in
      let ask = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
      var wires: [Wire] = []
      for _ in 0..<2 {
        let wire = try Wire(port: server.port)
        await wire.send(ask)
        #expect(await wire.receive(until: ": open").contains("200"))
        wires.append(wire)
      }
      let third = try await server.get("/events")
      #expect(third.status == 429)
      #expect(third.sentence?.hasSuffix(".") == true)
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `filled the memory with bodies that never end`() async throws {
    let allowance = 1 << 20
    try await TestServer.run {
      $0.bodyAllowance = allowance
    } routes: { router, _ in
      router.post("/") { request in .text("took \(request.body.count)") }
    } test: { server async throws in
      let first = try Wire(port: server.port)
      let size = 700_000
      await first.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(size)\r\n\r\n"
      )
      await first.send(Data(count: size - 1))
      // Two bodies that arrive together could both find too little.
      #expect(await eventually { server.freeBytes == allowance - (size - 1) })
      let second = try await server.ask("POST", "/", body: Data(count: size))
      #expect(second.status == 503)
      #expect(await eventually { server.freeBytes == allowance - (size - 1) })
      await first.send(Data(count: 1))
      #expect(String(decoding: await first.receiveAll(), as: UTF8.self).hasSuffix("took \(size)"))
      #expect(await eventually { server.freeBytes == allowance })
      let third = try await server.ask("POST", "/", body: Data(count: size))
      #expect(third.text == "took \(size)")
    }
  }
}

struct `Clients that come at the same time` {
  @Test(.timeLimit(.minutes(60)))
  func `get each their own answers`() async throws {
    try await TestServer.run { router, _ in
      router.get("/:name") { request in
        await Task.yield()
        return .text("<\(try request.parameter("name"))>")
      }
    } test: { server async throws in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in 0..<8 {
          group.addTask {
            let wire = try Wire(port: server.port)
            for turn in 0..<20 {
              let name = "\(client)-\(turn)"
              await wire.send("GET /\(name) HTTP/1.1\r\nHost: localhost\r\n\r\n")
              #expect(await wire.receive(until: ">").hasSuffix("\r\n\r\n<\(name)>"))
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
}

struct `Handlers` {
  @Test(.timeLimit(.minutes(60)))
  func `that never end held their clients for ever`() async throws {
    let wasCancelled = Flag()
    try await TestServer.run {
      $0.handlerDeadline = .milliseconds(300)
    } routes: { router, _ in
      router.get("/") { _ in
        do { try await Task.sleep(for: .seconds(3_600)) } catch { wasCancelled.raise() }
        return .text("late")
      }
      router.post("/") { _ in
        do { try await Task.sleep(for: .seconds(3_600)) } catch { wasCancelled.raise() }
        return .text("late")
      }
    } test: { server async throws in
      let answer = try await server.get("/")
      #expect(answer.status == 503)
      #expect(answer.sentence?.contains("took too long") == true)
      #expect(answer.sentence?.contains("may have been done") == false)
      #expect(await eventually { wasCancelled.isRaised })
      // One that writes may have written.
      let written = try await server.ask("POST", "/", body: Data("x".utf8))
      #expect(written.status == 503)
      #expect(written.sentence?.contains("may have been done") == true)
    }
  }

  @Test(.timeLimit(.minutes(60)), arguments: ["GET", "POST"])
  func `went on when their clients had left`(method: String) async throws {
    let (hasBegun, wasCancelled) = (Flag(), Flag())
    let wait: Handler = { _ in
      hasBegun.raise()
      do { try await Task.sleep(for: .seconds(3_600)) } catch { wasCancelled.raise() }
      return .text("nobody reads this")
    }
    try await TestServer.run { router, _ in
      router.get("/", wait)
      router.post("/", wait)
    } test: { server async throws in
      do {
        let wire = try Wire(port: server.port)
        await wire.send("\(method) / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await eventually { hasBegun.isRaised })
      }
      #expect(await eventually { wasCancelled.isRaised })
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `that block their thread kept every task of the program waiting`() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount
    let isOpen = DispatchSemaphore(value: 0)
    let begun = Flag()
    try await TestServer.run { router, _ in
      router.post("/") { _ in
        begun.raise()
        isOpen.wait()
        return .text("done")
      }
    } test: { server async throws in
      var wires: [Wire] = []
      for _ in 0..<count {
        let wire = try Wire(port: server.port)
        await wire.send("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        wires.append(wire)
      }
      // Of the usual handlers at least one runs; the threads of all tasks are free.
      #expect(await eventually { begun.isRaised })
      #expect(await Task.detached { 1 }.value == 1)
      for _ in 0..<count { isOpen.signal() }
      for wire in wires { #expect(!(await wire.receiveAll()).isEmpty) }
    }
  }
}

struct `Requests of one client` {
  @Test(.timeLimit(.minutes(60)))
  func `held up those of another`() async throws {
    let atWork = Mutex(0)
    let most = Mutex(0)
    let isOpen = Flag()
    try await TestServer.run {
      $0.clientField = "X-Client"
      $0.requestsPerClient = 3
    } routes: { router, _ in
      router.get("/list") { _ in
        let count = atWork.withLock { count in
          count += 1
          return count
        }
        most.withLock { $0 = max($0, count) }
        while !isOpen.isRaised { try await Task.sleep(for: .milliseconds(5)) }
        atWork.withLock { $0 -= 1 }
        return .text("list")
      }
      router.get("/quick") { _ in .text("quick") }
    } test: { server async throws in
      let head =
        "GET /list HTTP/1.1\r\nHost: localhost\r\nX-Client: greedy\r\nConnection: close\r\n\r\n"
      var wires: [Wire] = []
      for _ in 0..<20 {
        let wire = try Wire(port: server.port)
        await wire.send(head)
        wires.append(wire)
      }
      #expect(await eventually { atWork.withLock { $0 } == 3 })
      for name in ["modest", nil] {
        let fields = name.map { ["X-Client": $0] } ?? [:]
        #expect(try await server.ask("GET", "/quick", fields).text == "quick")
      }
      isOpen.raise()
      for wire in wires { #expect(Answer(await wire.receiveAll())?.text == "list") }
      #expect(most.withLock { $0 } == 3)
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `that were given up took no turn`() async throws {
    let begun = Mutex(0)
    let isOpen = Flag()
    try await TestServer.run {
      $0.clientField = "X-Client"
      $0.requestsPerClient = 1
      $0.handlerDeadline = .milliseconds(300)
    } routes: { router, _ in
      router.get("/") { _ in
        begun.withLock { $0 += 1 }
        // Also when it is cancelled.
        while !isOpen.isRaised {
          await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
          }
        }
        return .text("late")
      }
      router.get("/quick") { _ in .text("quick") }
    } test: { server async throws in
      var wires: [Wire] = []
      for _ in 0..<5 {
        let wire = try Wire(port: server.port)
        await wire.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        wires.append(wire)
      }
      for wire in wires { #expect(Answer(await wire.receiveAll())?.status == 503) }
      isOpen.raise()
      #expect(try await server.text(of: "/quick") == "quick")
      #expect(begun.withLock { $0 } == 1)
    }
  }
}

struct `Uploads that a server left when it was killed` {
  private func inFolder(_ test: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("uploads-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await test(folder)
  }

  private func names(_ folder: URL) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  @Test func `stayed for ever`() async throws {
    try await inFolder { folder in
      let left = folder.appendingPathComponent("upload-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
      try Data(count: 10).write(to: left.appendingPathComponent("upload-\(UUID().uuidString)"))
      let file = folder.appendingPathComponent("upload-\(UUID().uuidString)")
      try Data(count: 10).write(to: file)
      try FileManager.default.setAttributes(
        [.modificationDate: Date() - 7_200],
        ofItemAtPath: file.path
      )
      // Of an older version that was killed as soon as it had made its folder.
      let new = folder.appendingPathComponent("new-upload-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
      for name in ["upload-of mine", "notes"] {
        try Data(count: 1).write(to: folder.appendingPathComponent(name))
      }
      var configuration = ServerConfiguration(port: 0)
      configuration.uploadFolder = folder
      configuration.accessLog = .off
      let running = WebServer(Router(), configuration: configuration)
      _ = try running.start()
      let during = try names(folder)
      #expect(during.count == 3)
      #expect(!during.contains(left.lastPathComponent))
      #expect(!during.contains(file.lastPathComponent))
      #expect(!during.contains(new.lastPathComponent))
      // Another server on the same folder leaves what is in use.
      let second = WebServer(Router(), configuration: configuration)
      _ = try second.start()
      #expect(try names(folder).isSuperset(of: during))
      await second.stop()
      await running.stop()
      #expect(try names(folder) == ["upload-of mine", "notes"])
    }
  }
}
