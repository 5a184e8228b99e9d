import ChildPrograms
import CoreDataWebServer
import Foundation
import Synchronization
import Testing

@testable import Slipbox

/// The lock of the slip box.
struct LockTests {
  /// A clock that a test sets.
  private final class Clock: Sendable {
    private let time = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock { $0 } }

    func wait(_ duration: Duration) { time.withLock { $0 += duration } }
  }

  private static let host = "127.0.0.1:8080"

  private func page(_ clock: Clock = Clock()) throws -> Page {
    try Page(now: { clock.now })
  }

  /// The fields of a browser with a cookie.
  private func browser(_ cookie: String?) -> Headers {
    var headers: Headers = ["Host": Self.host]
    if let cookie { headers.add("Cookie", cookie) }
    return headers
  }

  private func cookie(of answer: Page.Answer) throws -> String {
    let field = try #require(answer.headers["Set-Cookie"])
    return String(field.prefix { $0 != ";" })
  }

  /// Sets a lock, and returns the cookie of the browser that did.
  private func set(
    _ page: Page,
    _ passphrase: String = "open sesame",
    minutes: Int = 5
  ) async throws -> String {
    let answer = try await page.ask(
      .put,
      "/api/lock",
      ["passphrase": passphrase, "minutes": minutes],
      headers: browser(nil)
    )
    #expect(answer.status == 200)
    return try cookie(of: answer)
  }

  private func unlock(_ page: Page, _ passphrase: String) async throws -> Page.Answer {
    let target = "/api/lock/browser"
    return try await page.ask(
      .post,
      target,
      ["passphrase": passphrase],
      headers: browser(nil)
    )
  }

  private func status(
    _ page: Page,
    _ cookie: String?,
    _ target: String = "/api/notes"
  ) async throws
    -> Int
  {
    try await page.ask(.get, target, headers: browser(cookie)).status
  }

  // MARK: - Routes

  @Test func `every address under api but those of the lock is refused while it is locked`()
    async throws
  {
    let page = try page()
    _ = try await set(page)
    let open = ["GET /api/lock", "POST /api/lock/browser", "DELETE /api/lock/browser"]
    var refused = 0
    for (method, pattern) in page.router.patterns {
      let target = pattern.split(separator: "/")
        .map { $0.hasPrefix(":") ? UUID().uuidString.lowercased() : String($0) }
      let answer = try await page.ask(
        method,
        "/" + target.joined(separator: "/"),
        headers: browser("slipbox-lock-8080=" + String(repeating: "a", count: 64))
      )
      let name = "\(method.rawValue) \(pattern)"
      if pattern.hasPrefix("/api/"), !open.contains(name) {
        #expect(answer.status == 423, "\(name)")
        #expect(answer.text("error")?.hasPrefix("The slip box is locked in this browser.") == true)
        refused += 1
      } else {
        #expect(answer.status != 423, "\(name)")
      }
    }
    #expect(refused > 60)
    #expect(page.router.patterns.contains { $0.pattern == "/p/:secret" })
  }

  @Test func `a slip box without a lock gives no cookie and refuses nobody`() async throws {
    let page = try page()
    let condition = try await page.ask(.get, "/api/lock", headers: browser(nil))
    #expect(condition["isSet"] as? Bool == false && condition["isLocked"] as? Bool == false)
    let list = try await page.ask(.get, "/api/notes", headers: browser(nil))
    #expect(list.status == 200)
    #expect(condition.headers["Set-Cookie"] == nil && list.headers["Set-Cookie"] == nil)
    #expect(!FileManager.default.fileExists(atPath: page.folder.path + "/lock"))
  }

  @Test func `the browser that sets a lock stays unlocked, and others bring the passphrase`()
    async throws
  {
    let page = try page()
    let mine = try await set(page)
    #expect(mine.hasPrefix("slipbox-lock-8080="))
    #expect(try await status(page, mine) == 200)
    #expect(try await status(page, nil) == 423)
    let condition = try await page.ask(.get, "/api/lock", headers: browser(nil))
    #expect(
      Set((condition.json as? [String: Any] ?? [:]).keys) == ["isSet", "isLocked", "minutes"]
    )
    #expect(condition["isLocked"] as? Bool == true && condition.number("minutes") == 5)
    let wrong = try await unlock(page, "open barley")
    #expect(wrong.status == 403 && wrong.headers["Set-Cookie"] == nil)
    let right = try await unlock(page, "open sesame")
    let field = try #require(right.headers["Set-Cookie"])
    #expect(field.hasSuffix("; Path=/api; HttpOnly; SameSite=Strict"))
    let theirs = try cookie(of: right)
    #expect(theirs != mine)
    #expect(try await status(page, theirs) == 200)
    // Only one of them is locked.
    let locked = try await page.ask(.delete, "/api/lock/browser", headers: browser(theirs))
    #expect(locked.status == 204)
    #expect(try await status(page, theirs) == 423)
    #expect(try await status(page, mine) == 200)
  }

  @Test func `a passphrase is the same however its letters are composed`() async throws {
    let page = try page()
    _ = try await set(page, "caf\u{e9} 🔑")
    #expect(try await unlock(page, "cafe\u{301} 🔑").status == 200)
  }

  @Test func `behind TLS the cookie is for encrypted connections`() async throws {
    let page = try page()
    _ = try await set(page)
    let headers: Headers = ["Host": "slipbox.example", "X-Forwarded-Proto": "https"]
    let answer = try await page.ask(
      .post,
      "/api/lock/browser",
      ["passphrase": "open sesame"],
      headers: headers
    )
    let field = try #require(answer.headers["Set-Cookie"])
    #expect(field.hasPrefix("slipbox-lock=") && field.hasSuffix("; Secure"))
  }

  // MARK: - Changing it

  @Test func `the present passphrase is needed for a new one and for taking the lock off`()
    async throws
  {
    let page = try page()
    let mine = try await set(page)
    let theirs = try cookie(of: try await unlock(page, "open sesame"))
    func change(_ body: [String: Any], _ cookie: String) async throws -> Page.Answer {
      try await page.ask(.put, "/api/lock", body, headers: browser(cookie))
    }
    #expect(try await change(["passphrase": "barley", "minutes": 1], mine).status == 403)
    // Another idle time leaves other browsers alone.
    let longer = try await change(["minutes": 60, "present": "open sesame"], mine)
    #expect(longer.status == 200 && longer.number("minutes") == 60)
    let changed = try cookie(of: longer)
    #expect(try await status(page, mine) == 423)
    #expect(try await status(page, changed) == 200)
    #expect(try await status(page, theirs) == 200)
    let other = try await change(
      ["passphrase": "barley", "minutes": 60, "present": "open sesame"],
      changed
    )
    let last = try cookie(of: other)
    #expect(try await status(page, last) == 200)
    #expect(try await status(page, theirs) == 423)
    #expect(try await unlock(page, "open sesame").status == 403)
    func takeOff(_ passphrase: String) async throws -> Int {
      let body = ["passphrase": passphrase]
      return try await page.ask(.delete, "/api/lock", body, headers: browser(last)).status
    }
    #expect(try await takeOff("open sesame") == 403)
    #expect(try await takeOff("barley") == 204)
    #expect(try await status(page, nil) == 200)
    #expect(!FileManager.default.fileExists(atPath: page.folder.path + "/lock"))
  }

  @Test(arguments: [
    ("abc", 5, "A passphrase has at least 4 characters."),
    (String(repeating: "a", count: 1_001), 5, "A passphrase has at most 1,000 characters."),
    ("open sesame", 4, "The idle time is 1, 5, 15, 30 or 60 minutes."),
    ("open sesame", -1, "The idle time is 1, 5, 15, 30 or 60 minutes."),
  ])
  func `unsuitable choices are refused`(
    passphrase: String,
    minutes: Int,
    sentence: String
  )
    async throws
  {
    let page = try page()
    let body: [String: Any] = ["passphrase": passphrase, "minutes": minutes]
    let answer = try await page.ask(.put, "/api/lock", body, headers: browser(nil))
    #expect(answer.status == 400 && answer.text("error") == sentence)
    #expect(try await status(page, nil) == 200)
  }

  // MARK: - Time

  @Test func `a browser without activity is locked, and reading is none`() async throws {
    let clock = Clock()
    let page = try page(clock)
    let mine = try await set(page, minutes: 1)
    clock.wait(.seconds(50))
    #expect(try await status(page, mine) == 200)
    #expect(
      try await page.ask(.put, "/api/lock/browser", headers: browser(mine)).number("minutes") == 1
    )
    clock.wait(.seconds(50))
    #expect(try await status(page, mine) == 200)
    clock.wait(.seconds(11))
    #expect(try await status(page, mine) == 423)
    // Activity comes too late.
    #expect(try await page.ask(.put, "/api/lock/browser", headers: browser(mine)).status == 423)
    #expect(try await status(page, mine) == 423)
  }

  @Test func `writing a note is activity, and a refused edit is none`() async throws {
    let clock = Clock()
    let page = try page(clock)
    let note = try await page.note("Moss")
    let mine = try await set(page, minutes: 1)
    func edit(_ body: [String: Any]) async throws -> Int {
      try await page.ask(.patch, "/api/notes/\(note)", body, headers: browser(mine)).status
    }
    clock.wait(.seconds(50))
    #expect(try await edit(["favourite": true]) == 200)
    clock.wait(.seconds(50))
    #expect(try await edit(["favourite": 1]) == 400)
    clock.wait(.seconds(11))
    #expect(try await edit(["favourite": false]) == 423)
    let again = try cookie(of: try await unlock(page, "open sesame"))
    let kept = try await page.ask(.get, "/api/notes/\(note)", headers: browser(again))
    #expect(kept["favourite"] as? Bool == true)
  }

  @Test func `ten wrong passphrases in a minute are the most for all browsers`() async throws {
    let clock = Clock()
    let page = try page(clock)
    _ = try await set(page)
    // Those that are right do not count.
    for _ in 0..<3 { #expect(try await unlock(page, "open sesame").status == 200) }
    for _ in 0..<10 { #expect(try await unlock(page, "wrong").status == 403) }
    clock.wait(.seconds(18))
    let refused = try await unlock(page, "open sesame")
    #expect(refused.status == 429 && refused.headers["Retry-After"] == "43")
    #expect(
      refused.text("error") == "Too many wrong passphrases. Try again in 43 seconds."
    )
    clock.wait(.seconds(42))
    #expect(try await unlock(page, "open sesame").status == 200)
  }

  @Test func `passphrases that come at once are counted before they are checked`() async throws {
    let page = try page()
    _ = try await set(page)
    let statuses = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<20 { group.addTask { try? await unlock(page, "wrong").status } }
      return await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(statuses.count { $0 == 403 } == 10 && statuses.count { $0 == 429 } == 10)
  }

  @Test func `of more browsers than are remembered, the idlest is locked`() {
    let start = ContinuousClock.now
    var browsers = UnlockedBrowsers()
    let first = browsers.add(at: start)
    let second = browsers.add(at: start + .seconds(1))
    browsers.touch(first, at: start + .seconds(2))
    for _ in 2..<UnlockedBrowsers.capacity { _ = browsers.add(at: start + .seconds(3)) }
    let last = browsers.add(at: start + .seconds(4))
    let now = start + .seconds(5)
    let areUnlocked = [first, second, last].map { token in
      browsers.has(token, idleFor: .seconds(60), at: now)
    }
    #expect(areUnlocked == [true, false, true])
  }

  // MARK: - Answers that take long

  @Test func `a stream of events ends when its browser is locked`() async throws {
    let clock = Clock()
    let page = try page(clock)
    let mine = try await set(page, minutes: 1)
    let request = try Request(.get, "/api/events", headers: browser(mine))
    let answer = await page.router.respond(to: request)
    guard case .events(let events) = answer.body else {
      Issue.record("it is not a stream")
      return
    }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next()?.name == "hello")
    clock.wait(.seconds(61))
    var last: ServerSentEvent?
    while let event = await iterator.next() { last = event }
    #expect(last?.name == "locked")
  }

  @Test func `an answer from a file is allowed until its browser is locked`() async throws {
    let clock = Clock()
    let page = try page(clock)
    let note = try await page.note("Moss")
    let file = try await page.ask(
      .put,
      "/api/notes/\(note)/files",
      headers: ["X-File-Name": "long.txt"],
      upload: Data(repeating: 0x61, count: 2 << 20)
    )
    let mine = try await set(page, minutes: 1)
    let target = "/api/files/\(try #require(file.text("id")))"
    let answer = await page.router.respond(
      to: try Request(.get, target, headers: browser(mine))
    )
    let isAllowed = try #require(answer.isAllowed)
    #expect(isAllowed())
    clock.wait(.seconds(61))
    #expect(!isAllowed())
  }

  // MARK: - The file

  @Test func `the file has a hash, and is for its owner alone`() async throws {
    let page = try page()
    _ = try await set(page, minutes: 15)
    let path = page.folder.path + "/lock"
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains(#""version":1"#) && text.contains(#""minutes":15"#))
    #expect(text.contains("$argon2id$v=19$m=65536,t=2,p=1$") && !text.contains("sesame"))
    // The same lock in a new run of the program, in which all browsers are locked.
    let again = SlipboxLock(in: page.folder)
    #expect(!again.isOpen(to: nil))
    #expect(again.condition(for: nil).minutes == 15)
    #expect(again.isOpen(to: try await again.open(with: "open sesame", instead: nil)))
  }

  private static let hash =
    "$argon2id$v=19$m=65536,t=2,p=1$\(String(repeating: "A", count: 22))$\(String(repeating: "A", count: 43))"

  @Test(arguments: [
    "", "{}", "open", "{\"version\":1,\"passphrase\":\"\(hash)\"}",
    "{\"version\":2,\"passphrase\":\"\(hash)\",\"minutes\":5}",
    "{\"version\":1,\"passphrase\":\"\(hash)\",\"minutes\":0}",
    "{\"version\":1,\"passphrase\":\"\(hash)\",\"minutes\":9223372036854775808}",
    "{\"version\":1,\"passphrase\":\"open sesame\",\"minutes\":5}",
    "{\"version\":1,\"passphrase\":\"\(hash.replacing("65536", with: "999999999"))\",\"minutes\":5}",
    "{\"version\":1,\"passphrase\":\"\(hash.replacing("t=2", with: "t=9999"))\",\"minutes\":5}",
    "{\"version\":1,\"passphrase\":\"\(hash)\",\"minutes\":5} \(String(repeating: " ", count: 1_000))x",
  ])
  func `a damaged file locks everything and says what to do`(text: String) async throws {
    let page = try page()
    let file = page.folder.appendingPathComponent("lock")
    try Data(text.utf8).write(to: file)
    chmod(file.path, 0o600)
    let answer = try await page.ask(.get, "/api/notes", headers: browser(nil))
    #expect(answer.status == 423)
    let sentence = try #require(answer.text("error"))
    #expect(sentence.contains(file.path) && sentence.contains("Delete it on the machine"))
    let condition = try await page.ask(.get, "/api/lock", headers: browser(nil))
    #expect(condition["isLocked"] as? Bool == true && condition.text("message") == sentence)
    #expect(try await unlock(page, "open sesame").status == 423)
    let set = ["passphrase": "mine", "minutes": 5] as [String: Any]
    #expect(try await page.ask(.put, "/api/lock", set, headers: browser(nil)).status == 423)
    // The remedy works while the program runs.
    try FileManager.default.removeItem(at: file)
    #expect(try await status(page, nil) == 200)
  }

  @Test func `a file that others may read or that is a link is damaged`() async throws {
    let page = try page()
    _ = try await set(page)
    let file = page.folder.appendingPathComponent("lock")
    chmod(file.path, 0o644)
    // The change of the mode alone leaves the time of the file.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)],
      ofItemAtPath: file.path
    )
    let answer = try await unlock(page, "open sesame")
    #expect(answer.status == 423 && answer.text("error")?.contains(file.path) == true)
    // The mode is mended while the program runs, which leaves the time of the file, too.
    chmod(file.path, 0o600)
    #expect(try await unlock(page, "open sesame").status == 200)
    try FileManager.default.removeItem(at: file)
    symlink("/dev/null", file.path)
    #expect(try await status(page, nil) == 423)
  }
}

/// The lock of the program itself.
@Suite(.serialized) struct LockProcessTests {
  @Test(.timeLimit(.minutes(60)))
  func `all browsers are locked after the server was killed`() throws {
    let store = URL.temporaryDirectory.appending(component: "slipbox-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: store) }
    let first = try ServerProcess(store: store)
    let set = try Line(first)
    try set.send("PUT", "/api/lock", #"{"passphrase": "open sesame", "minutes": 60}"#)
    let cookie = try token(in: set)
    // The server's name for itself is 127.0.0.1, without a port.
    let mine = try Line(port: first.port, cookie: "\(first.cookie); \(cookie)")
    #expect(try mine.ask("GET", "/api/notes").status == 200)
    #expect(try Line(first).ask("GET", "/api/notes").status == 423)
    first.kill()
    let second = try ServerProcess(store: store)
    let stale = try Line(port: second.port, cookie: "\(second.cookie); \(cookie)")
    #expect(try stale.ask("GET", "/api/notes").status == 423)
    let unlocking = try Line(second)
    try unlocking.send("POST", "/api/lock/browser", #"{"passphrase": "open sesame"}"#)
    let new = try token(in: unlocking)
    let open = try Line(port: second.port, cookie: "\(second.cookie); \(new)")
    #expect(try open.ask("GET", "/api/notes").status == 200)
    #expect(second.end() == .status(0))
  }

  @Test(.timeLimit(.minutes(60)))
  func `a file that is being sent is broken off when its browser is locked`() throws {
    let store = URL.temporaryDirectory.appending(component: "slipbox-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: store) }
    let server = try ServerProcess(store: store)
    let note = UUID().uuidString.lowercased()
    let words = String(repeating: "moss ", count: 8 << 20)
    #expect(try Line(server).ask("POST", "/api/notes", #"{"id": "\#(note)"}"#).status == 201)
    let kept = try Line(server).ask("PUT", "/api/notes/\(note)/files", words)
    let id = try #require(kept.body.firstMatch(of: /"id":"([^"]*)"/)).1
    let set = try Line(server)
    try set.send("PUT", "/api/lock", #"{"passphrase": "open sesame", "minutes": 60}"#)
    let cookie = "\(server.cookie); \(try token(in: set))"
    let reader = try Line(port: server.port, cookie: cookie)
    try reader.send("GET", "/api/files/\(id)")
    #expect(reader.line()?.contains("200") == true)
    let locking = try Line(port: server.port, cookie: cookie)
    #expect(try locking.ask("DELETE", "/api/lock/browser").status == 204)
    // Much of the file waits until it is read, and the server looks several times a second.
    sleep(2)
    #expect(reader.rest() < words.utf8.count)
    #expect(server.end() == .status(0))
  }

  /// The cookie that an answer gives.
  private func token(in line: Line) throws -> String {
    while let field = line.line(), !field.isEmpty {
      if let found = field.firstMatch(of: /^Set-Cookie: ([^;]+)/.ignoresCase()) {
        return String(found.1)
      }
    }
    throw POSIXError(.ENOENT)
  }
}
