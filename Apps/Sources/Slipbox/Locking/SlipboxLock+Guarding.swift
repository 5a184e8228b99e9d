import CoreDataStrictJSON
import CoreDataWebServer
import Foundation

extension SlipboxLock {
  /// Returns a handler that locked browsers do not get to.
  ///
  /// An answer that is made or sent when its browser is locked is not sent, or not to its end. A note that was written counts as
  /// activity.
  func guarding(_ handler: @escaping Handler) -> Handler {
    { [self] request in
      let token = request.lockToken
      guard isOpen(to: token) else { throw refusal }
      var response = try await handler(request)
      guard request.method.writes || isOpen(to: token) else { throw refusal }
      if request.writesNote, response.status < 400 { touch(token) }
      switch response.body {
      case .events(let events): response.body = .events(ending(events, for: token))
      // The answer to a new passphrase is for a browser that has another token then.
      case .empty, .data: break
      case .file, .held: response.isAllowed = { self.isOpen(to: token) }
      }
      return response
    }
  }

  /// The same events until the browser is locked; then the event `locked` ends the stream.
  private func ending(
    _ events: AsyncStream<ServerSentEvent>,
    for token: Token?
  ) -> AsyncStream<ServerSentEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
    let end: @Sendable () -> Void = {
      continuation.yield(ServerSentEvent(name: "locked", data: "{}"))
      continuation.finish()
    }
    let pump = Task {
      for await event in events {
        guard isOpen(to: token) else { return end() }
        continuation.yield(event)
      }
      continuation.finish()
    }
    let watch = Task {
      while isOpen(to: token) {
        // Short, because a machine that slept has not counted the time.
        try await Task.sleep(for: .seconds(1))
      }
      end()
    }
    continuation.onTermination = { _ in
      pump.cancel()
      watch.cancel()
    }
    return stream
  }
}

extension Request {
  /// The name of the cookie with the token.
  ///
  /// Cookies do not know ports, so the name says which server it is for.
  private var lockCookie: String {
    let port = headers["Host"]?.split(separator: ":").last
      .flatMap { WholeNumber.read($0, within: 1...65_535) }
    return "slipbox-lock" + (port.map { "-\($0)" } ?? "")
  }

  /// The token of the browser, if it has been unlocked before.
  var lockToken: SlipboxLock.Token? {
    headers.cookies(named: lockCookie).first { $0.utf8.count == 64 }
  }

  /// The field that gives a browser its token, until it is closed.
  func cookie(_ token: SlipboxLock.Token) -> String {
    let secure = headers.areOfEncryptedConnection ? "; Secure" : ""
    return "\(lockCookie)=\(token); Path=/api; HttpOnly; SameSite=Strict\(secure)"
  }

  /// The field that takes the token from a browser.
  var endOfCookie: String { "\(lockCookie)=; Path=/api; Max-Age=0; HttpOnly; SameSite=Strict" }

  /// Whether a note is made or edited, which a page does for a person only.
  fileprivate var writesNote: Bool {
    (method == .patch && path.hasPrefix("/api/notes/")) || (method == .post && path == "/api/notes")
  }
}
