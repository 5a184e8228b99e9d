import ChildPrograms
import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import Foundation
import Testing

/// `coredata serve` as a process of its own, with clients who go away and limits that the system sets.
struct ServedProgramTests {
  @Test func `clients who went away in the middle of an answer ended a server`() throws {
    let server = try ServedProgram()
    defer { server.end() }
    #expect(try server.status("POST", "sync", SyncRequest.pull(Self.all).bytes) == "200")
    for _ in 0..<10 {
      let (many, stream) = (try RawLine(port: server.port), try RawLine(port: server.port))
      // None of these answers is read.
      many.say(String(repeating: server.head("GET", "tokens"), count: 50))
      stream.say(server.head("GET", "events"))
      #expect(stream.heard(until: "data: ").hasPrefix("HTTP/1.1 200"))
    }
    // Of which the streams are to tell.
    #expect(try server.status("POST", "sync", Self.push(1).bytes) == "200")
    #expect(try server.status("GET", "news") == "200")
    #expect(server.program.isRunning)
  }

  @Test func `a limit of the size of files ended a server, or nothing was served any more`() throws
  {
    let server = try ServedProgram(limit: "ulimit -S -f 400")
    defer { server.end() }
    #expect(try server.status("POST", "sync", SyncRequest.pull(Self.all).bytes) == "200")
    var statuses: [String] = []
    for number in 1...40 where statuses.last ?? "200" == "200" {
      statuses.append(try server.status("POST", "sync", Self.push(UInt64(number)).bytes))
    }
    #expect(statuses.last == "507", "\(statuses)")
    // A piece of a large value has room, and the refusal of the rest is the same.
    let part = [UInt8](repeating: 7, count: 1_000_000)
    let refusal = try server.answer(
      "PUT",
      "assets/\(String(repeating: "a", count: 64))",
      part,
      fields: "Content-Range: bytes 0-999999/1000000\r\nConnection: close\r\n"
    )
    #expect(refusal.hasPrefix("HTTP/1.1 507"))
    #expect(refusal.contains("The server's disk is full"))
    #expect(try server.status("GET", "news") == "200")
    #expect(try server.status("GET", "tokens") == "200")
    #expect(try server.toldOwner().contains("(ulimit -f)"))
    #expect(try server.plainAnswer("GET /health HTTP/1.1", token: "").hasPrefix("HTTP/1.1 507"))
    let process = "\(server.program.processIdentifier)"
    let raised = try ChildProgram.run(
      URL(filePath: "/usr/bin/env"),
      ["prlimit", "--pid", process, "--fsize=unlimited"]
    )
    try #require(raised.status == 0, "\(raised.errors)")
    #expect(try server.status("POST", "sync", Self.push(41).bytes) == "200")
    #expect(try server.plainAnswer("GET /health HTTP/1.1", token: "").hasPrefix("HTTP/1.1 200"))
  }

  @Test func `a server that may make no larger file said that its disk has an error`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "small-\(UUID().uuidString)"
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = try ChildProgram.run(
      URL(filePath: "/bin/bash"),
      [
        "-c", "ulimit -f 1; exec \"$0\" serve \"$1\" --port 0", try URL.built("coredata").path,
        folder.path,
      ]
    )
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("larger than the system lets files of this program be"))
    #expect(!outcome.errors.contains("I/O"))
  }

  @Test func `a server that could open no more files tried to take a connection without a pause`()
    throws
  {
    let server = try ServedProgram(limit: "ulimit -n 24")
    defer { server.end() }
    var lines = try (0..<60).map { _ in try RawLine(port: server.port) }
    Thread.sleep(forTimeInterval: 1)
    let before = try server.processorTime()
    Thread.sleep(forTimeInterval: 2)
    let spent = try server.processorTime() - before
    #expect(spent < 0.5, "\(spent) s of 2 s")
    // Those go first on whose lines nobody has shown a token.
    #expect(try server.status("GET", "news") == "200")
    #expect(try server.toldOwner().contains("may open no more files"))
    lines.removeAll()
    #expect(try server.status("GET", "news") == "200")
  }

  @Test func `a copy of the one file of a stopped server had nothing in it`() throws {
    let server = try ServedProgram()
    defer { server.end() }
    #expect(try server.status("POST", "sync", SyncRequest.pull(Self.all).bytes) == "200")
    #expect(try server.status("POST", "sync", Self.push(1).bytes) == "200")
    #expect(server.program.terminate() == .status(0))
    let copy = server.folder.appending(path: "copy.sqlite")
    try FileManager.default.copyItem(at: server.zones, to: copy)
    let connection = try Connection(path: copy.path, mode: .readOnly)
    let count = try connection.integer("SELECT COUNT(*) FROM cell")
    #expect(count == 10)
  }

  @Test func `each device that waited had a thread, and a server that ended waited for them`()
    throws
  {
    let server = try ServedProgram()
    defer { server.end() }
    var lines: [RawLine] = []
    for _ in 0..<4 {
      let token = try server.newToken()
      for _ in 0..<60 {
        let line = try RawLine(port: server.port)
        line.say(server.head("GET", "events", token: token))
        #expect(line.heard(until: "data: 0\n").hasPrefix("HTTP/1.1 200"))
        lines.append(line)
      }
    }
    let threads = try FileManager.default.contentsOfDirectory(
      atPath: "/proc/\(server.program.processIdentifier)/task"
    )
    #expect(threads.count < 30)
    // All of them are told.
    #expect(try server.status("POST", "sync", SyncRequest.pull(Self.all).bytes) == "200")
    #expect(try server.status("POST", "sync", Self.push(1).bytes) == "200")
    for line in lines { #expect(line.heard(until: "data: 10\n").contains("data: 10\n")) }
    #expect(server.program.terminate() == .status(0))
  }

  @Test func `a place with more connections was refused to somebody with an option for them`()
    throws
  {
    let server = try ServedProgram(options: "--connections 3")
    defer { server.end() }
    let lines = try (0..<8).map { _ in try RawLine(port: server.port) }
    #expect(try server.status("GET", "news") == "200")
    #expect(try server.toldOwner().contains("All 3 connections are in use"))
    withExtendedLifetime(lines) {}
  }

  @Test func `a zone was made with the command alone, and nobody saw figures of a server`() throws {
    let server = try ServedProgram()
    defer { server.end() }
    let made = try ChildProgram.run(
      .built("coredata"),
      ["serve", server.folder.appending(path: "server").path, "--new-token", "server"]
    )
    let token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(SyncAddress.isToken(token))
    func answer(_ line: String, _ token: String) throws -> String {
      try server.plainAnswer("\(line) HTTP/1.1", token: token)
    }
    let zone = try answer("PUT /v1/zones/Recipes?limit=1000000&label=shop", token)
    #expect(zone.hasPrefix("HTTP/1.1 201"))
    let admin = ServedProgram.body(of: zone)
    #expect(try answer("POST /v1/zones/Recipes/tokens?role=read", admin).hasPrefix("HTTP/1.1 200"))
    // A client whose answer was lost gets another token.
    #expect(try answer("PUT /v1/zones/Recipes", token).hasPrefix("HTTP/1.1 409"))
    #expect(try answer("POST /v1/zones/Recipes/tokens", token).hasPrefix("HTTP/1.1 200"))
    #expect(try answer("GET /v1/zones", token).contains("Recipes\t0\t1000000\n"))
    // It opens no zone, and a token of a zone opens nothing else; nor does it make a token of the server.
    #expect(try answer("GET /v1/zones/Recipes/news", token).hasPrefix("HTTP/1.1 401"))
    for path in ["PUT /v1/zones/Others", "GET /v1/zones", "GET /metrics"] {
      #expect(try answer(path, admin).hasPrefix("HTTP/1.1 401"))
    }
    #expect(
      try answer("POST /v1/zones/Recipes/tokens?role=server", admin).hasPrefix("HTTP/1.1 400")
    )
    #expect(try answer("PUT /v1/zones/..", token).hasPrefix("HTTP/1.1 400"))
    var figures = try answer("GET /metrics", token)
    #expect(figures.contains("coredata_sync_requests_total{place=\"zones\",status=\"201\"} 1.0\n"))
    // The connections of before may still be closing.
    let end = ContinuousClock.now + .seconds(60)
    while !figures.contains("\ncoredata_sync_connections 1.0\n"), .now < end {
      figures = try answer("GET /metrics", token)
    }
    #expect(figures.contains("\ncoredata_sync_connections 1.0\n"))
    #expect(figures.contains("\nprocess_resident_memory_bytes "))
  }

  @Test func `nobody could ask whether a server is well`() throws {
    let server = try ServedProgram()
    defer { server.end() }
    let answer = try server.plainAnswer("GET /health HTTP/1.1", token: "")
    #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("ok\n"))
    let head = try server.plainAnswer("HEAD /health HTTP/1.1", token: "")
    #expect(head.hasPrefix("HTTP/1.1 200") && head.hasSuffix("\r\n\r\n"))
  }

  private static let phone = SyncID(random: 1, 1)

  private static let all = SyncRequest.Pull(
    replica: phone,
    after: .start,
    seen: .start,
    acknowledged: .start,
    isSnapshot: true,
    limit: 1_000
  )

  /// Ten notes with long texts, which say something else each time.
  private static func push(_ time: UInt64) -> SyncRequest {
    let cells = (1...10 as ClosedRange<UInt64>).map { number in
      let text = CellValue.text(String(repeating: "soil \(time) ", count: 1_000))
      let stamp = Stamp(moment: time * 100 + number, writer: 9)
      return KeyedCell(
        CellKey(SyncID(random: 3, number), .value(PropertyID(number: 7))),
        Cell(epoch: 1, stamp: stamp, payload: text.payload)
      )
    }
    return .push(.init(replica: phone, cursor: .start, seen: .start, cells: cells))
  }
}

/// A server that a shell has started, with a limit of its own.
private struct ServedProgram {
  let program: ChildProgram
  let port: Int
  private let token: String
  let folder: URL
  var zones: URL { folder.appending(path: "server/zones.sqlite") }

  /// `limit` is a command of the shell.
  init(limit: String = ":", options: String = "") throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "served-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let errors = folder.appending(path: "errors")
    try Data().write(to: errors)
    program = try ChildProgram(
      URL(filePath: "/bin/bash"),
      [
        "-c", "\(limit); exec \"$0\" serve \"$1\" --port 0 \(options)",
        try URL.built("coredata").path,
        folder.appending(path: "server").path,
      ],
      output: .pipe,
      errors: .file(errors)
    )
    // The first lines have its address, and the token.
    var text = ""
    while !text.contains("#") || text.last != "\n" {
      let data = program.output.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    let line = text.split(separator: "\n").first { $0.contains("#") }
    let address = try SyncAddress(
      line?.trimmingCharacters(in: .whitespaces) ?? ""
    )
    token = address.token
    port = try #require(URLComponents(string: address.server)?.port)
  }

  func end() {
    program.kill()
    // It goes with the temporary files otherwise.
    try? FileManager.default.removeItem(at: folder)
  }

  func head(
    _ method: String,
    _ path: String,
    length: Int = 0,
    fields: String = "",
    token other: String? = nil
  ) -> String {
    "\(method) /v1/zones/Notes/\(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)"
      + "Authorization: Bearer \(other ?? token)\r\nContent-Length: \(length)\r\n\r\n"
  }

  /// All of an answer to a first line, on a connection of its own.
  func plainAnswer(_ first: String, token: String) throws -> String {
    let line = try RawLine(port: port)
    line.say(
      "\(first)\r\nHost: localhost\r\nConnection: close\r\n"
        + "Authorization: Bearer \(token)\r\nContent-Length: 0\r\n\r\n"
    )
    return line.heard()
  }

  /// The text of a new token of the zone.
  func newToken() throws -> String {
    let answer = try plainAnswer("POST /v1/zones/Notes/tokens?role=write HTTP/1.1", token: token)
    return Self.body(of: answer)
  }

  /// The body of an answer, without the line break at its end.
  static func body(of answer: String) -> String {
    let body = answer.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
    return body.trimmingCharacters(in: .newlines)
  }

  /// All of an answer whose request has the field that the connection ends with it.
  func answer(
    _ method: String,
    _ path: String,
    _ body: [UInt8],
    fields: String
  ) throws -> String {
    let line = try RawLine(port: port)
    line.say(head(method, path, length: body.count, fields: fields))
    line.say(body)
    return line.heard()
  }

  /// The status of an answer, on a line of its own.
  func status(_ method: String, _ path: String, _ body: [UInt8] = []) throws -> String {
    let line = try RawLine(port: port)
    line.say(head(method, path, length: body.count))
    if !body.isEmpty { line.say(body) }
    return String(line.heard(until: "\r\n").dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  /// The server's message to its owner; it comes within a second.
  func toldOwner() throws -> String {
    let errors = folder.appending(path: "errors")
    for _ in 0..<100 {
      let text = try String(contentsOf: errors, encoding: .utf8)
      if !text.isEmpty { return text }
      Thread.sleep(forTimeInterval: 0.1)
    }
    return ""
  }

  /// The seconds that processors have spent on the server.
  func processorTime() throws -> Double {
    let path = "/proc/\(program.processIdentifier)/stat"
    let fields = try String(contentsOf: URL(filePath: path), encoding: .utf8)
      .split(separator: " ")
    let ticks = try fields[13...14].map { try #require(Double($0)) }
    return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
