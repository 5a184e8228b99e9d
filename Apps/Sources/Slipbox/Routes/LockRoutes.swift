import CoreDataWebServer
import Foundation

extension SlipboxRouter {
  /// The lock of the slip box, and the browser's place in front of it or behind it.
  ///
  /// ```
  /// GET    /api/lock            whether there is a lock, whether this browser is locked, the idle time
  /// PUT    /api/lock            a new lock, or a new passphrase or idle time
  /// DELETE /api/lock            takes the lock off
  /// POST   /api/lock/browser    the passphrase unlocks this browser
  /// PUT    /api/lock/browser    somebody uses this browser
  /// DELETE /api/lock/browser    this browser is locked now
  /// ```
  mutating func addLock() {
    let lock = lock
    addForLocked(.get, "/api/lock") { request in
      try .json(lock.condition(for: request.lockToken)).with("Cache-Control", "no-store")
    }
    add(.put, "/api/lock") { request in
      let wanted: NewLock = try request.json()
      let token = try await lock.set(
        wanted.passphrase,
        minutes: wanted.minutes,
        present: wanted.present,
        instead: request.lockToken
      )
      return try .json(lock.condition(for: token)).with("Set-Cookie", request.cookie(token))
    }
    add(.delete, "/api/lock") { request in
      let given: GivenPassphrase = try request.json()
      try await lock.remove(present: given.passphrase)
      return .empty.with("Set-Cookie", request.endOfCookie)
    }
    addBrowser()
  }

  private mutating func addBrowser() {
    let lock = lock
    addForLocked(.post, "/api/lock/browser") { request in
      let given: GivenPassphrase = try request.json()
      let token = try await lock.open(with: given.passphrase, instead: request.lockToken)
      return try .json(lock.condition(for: token)).with("Set-Cookie", request.cookie(token))
    }
    add(.put, "/api/lock/browser") { request in
      lock.touch(request.lockToken)
      return try .json(lock.condition(for: request.lockToken)).with("Cache-Control", "no-store")
    }
    addForLocked(.delete, "/api/lock/browser") { request in
      if let token = request.lockToken { lock.close(to: token) }
      return .empty.with("Set-Cookie", request.endOfCookie)
    }
  }
}

private struct NewLock: Decodable {
  /// `nil` keeps the present one.
  let passphrase: String?
  let minutes: Int
  /// The present passphrase, if there is a lock.
  let present: String?
}

private struct GivenPassphrase: Decodable {
  let passphrase: String
}
