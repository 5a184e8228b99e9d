import ChildPrograms
import Foundation
import Synchronization
import Testing

/// The program under load, and after its end.
@Suite(.serialized) struct EnduranceTests {
  private func temporaryFolder() -> URL {
    URL.temporaryDirectory.appending(component: "slipbox-\(UUID().uuidString)")
  }

  /// Runs a block on so many threads, and waits for all.
  private func threads(_ count: Int, _ block: @escaping @Sendable (Int) -> Void) -> () -> Void {
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      let thread = Thread {
        block(index)
        group.leave()
      }
      thread.stackSize = 256 << 10
      thread.start()
    }
    return { group.wait() }
  }

  @Test(.timeLimit(.minutes(60)))
  func `two hundred streams hear of everything that fifty writers write`() throws {
    let store = temporaryFolder()
    defer { try? FileManager.default.removeItem(at: store) }
    let server = try ServerProcess(store: store)
    let (port, cookie) = (server.port, server.cookie)
    let (streams, writers, length) = (200, 50, 12.0)
    let begun = Mutex<Set<String>>([])
    let written = Mutex<Set<String>>([])
    let heard = Mutex<[Int: Set<String>]>([:])
    let listening = Mutex(0)

    let listeners = threads(streams) { index in
      guard let line = try? Line(port: port, cookie: cookie),
        (try? line.send("GET", "/api/events")) != nil
      else {
        return
      }
      var mine: Set<String> = []
      while let text = line.line() {
        if text.hasPrefix("event: hello") { listening.withLock { $0 += 1 } }
        guard text.hasPrefix("data: {"), let data = text.dropFirst(6).data(using: .utf8),
          let event = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
          let notes = event["notes"] as? [String]
        else { continue }
        mine.formUnion(notes)
        // The last note is made when all writers have ended.
        if notes.contains("00000000-0000-0000-0000-00000000ffff") { break }
      }
      heard.withLock { $0[index] = mine }
    }
    let patience = Date() + 120
    while listening.withLock({ $0 }) < streams, Date() < patience { usleep(10_000) }
    try #require(listening.withLock { $0 } == streams)

    let end = Date() + length
    let writing = threads(writers) { index in
      guard let line = try? Line(port: port, cookie: cookie) else { return }
      var number = 0
      while Date() < end || written.withLock({ $0.count }) <= writers {
        let id = UUID().uuidString.lowercased()
        let body = #"{"id":"\#(id)","title":"note \#(index)-\#(number)"}"#
        begun.withLock { _ = $0.insert(id) }
        guard let answer = try? line.ask("POST", "/api/notes", body), answer.status == 201 else {
          return
        }
        written.withLock { _ = $0.insert(id) }
        number += 1
      }
    }
    writing()
    let last = try Line(port: port, cookie: cookie)
      .ask("POST", "/api/notes", #"{"id":"00000000-0000-0000-0000-00000000ffff"}"#)
    #expect(last.status == 201)
    listeners()
    let all = written.withLock { $0 }.union(["00000000-0000-0000-0000-00000000ffff"])
    let sets = heard.withLock { $0 }
    #expect(all.count > writers)
    #expect(sets.count == streams)
    // One may have been written whose answer did not come in time; none is made up.
    let most = begun.withLock { $0 }.union(all)
    for (index, set) in sets where !set.isSuperset(of: all) || !set.isSubset(of: most) {
      Issue.record("stream \(index) missed \(all.subtracting(set).count) of \(all.count) notes")
    }
    print("load: \(all.count) notes by \(writers) writers, \(server.megabytes) MB")
    #expect(server.end() == .status(0))
  }

  @Test(.timeLimit(.minutes(60)))
  func `what was answered is there after ten sudden ends`() throws {
    let store = temporaryFolder()
    defer { try? FileManager.default.removeItem(at: store) }
    /// The titles that were acknowledged, by note, and those that may have been written.
    let known = Mutex<[String: String]>([:])
    let sent = Mutex<[String: Set<String>]>([:])
    for round in 0..<10 {
      let server = try ServerProcess(store: store)
      let (port, cookie) = (server.port, server.cookie)
      try check(server, known.withLock { $0 }, sent.withLock { $0 })
      let before = known.withLock { $0.count }
      let writing = threads(8) { index in
        guard let line = try? Line(port: port, cookie: cookie) else { return }
        var number = 0
        while true {
          let id = UUID().uuidString.lowercased()
          let title = "\(round)-\(index)-\(number)"
          sent.withLock { $0[id] = [title, title + " edited"] }
          guard
            (try? line.ask("POST", "/api/notes", #"{"id":"\#(id)","title":"\#(title)"}"#))?
              .status == 201
          else { return }
          known.withLock { $0[id] = title }
          let edit = #"{"base":1,"title":"\#(title) edited"}"#
          guard (try? line.ask("PATCH", "/api/notes/\(id)", edit))?.status == 200 else { return }
          known.withLock { $0[id] = title + " edited" }
          number += 1
        }
      }
      let patience = Date() + 60
      while known.withLock({ $0.count }) < before + 3, Date() < patience { usleep(10_000) }
      usleep(UInt32.random(in: 150_000...500_000))
      server.kill()
      writing()
    }
    let server = try ServerProcess(store: store)
    let acknowledged = known.withLock { $0 }
    #expect(acknowledged.count > 20)
    try check(server, acknowledged, sent.withLock { $0 })
    #expect(server.end() == .status(0))
  }

  /// Every acknowledged note is there, with the acknowledged text or one sent after it.
  private func check(
    _ server: ServerProcess,
    _ known: [String: String],
    _ sent: [String: Set<String>]
  ) throws {
    let line = try Line(server)
    let answer = try line.ask("GET", "/api/notes?limit=1")
    let list = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
    let total = try #require((list?["total"] as? NSNumber)?.intValue)
    #expect(total >= known.count)
    #expect(total <= sent.count)
    for (id, title) in known {
      let answer = try line.ask("GET", "/api/notes/\(id)")
      let note = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
      let found = note?["title"] as? String ?? "nothing"
      #expect(
        found == title || (title.hasSuffix("edited") ? false : sent[id]?.contains(found) == true)
      )
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `the program says where it is, and ends when it is asked to`() throws {
    let store = temporaryFolder()
    defer { try? FileManager.default.removeItem(at: store) }
    let server = try ServerProcess(store: store)
    let line = try Line(server)
    #expect(try line.ask("GET", "/api/overview").status == 200)
    let stream = try Line(server)
    try stream.send("GET", "/api/events")
    #expect(stream.line() == "HTTP/1.1 200 OK")
    #expect(server.end() == .status(0))
  }
}
