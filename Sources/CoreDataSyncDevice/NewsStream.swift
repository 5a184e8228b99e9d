import CoreData
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An answer of a server that does not end, and tells the number of a zone's last change whenever it is another.
///
/// The first number comes at once. Where it does not, something between holds the answer back until it is
/// complete, which it never is.
///
/// Safety: everything is behind the condition.
final class NewsStream: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  enum Told: Equatable {
    case head(UInt64)
    /// Nothing has come for so long.
    case nothing
  }

  private let condition = NSCondition()
  private var line: [UInt8] = []
  private var head: UInt64?
  private var hasSpoken = false
  private var failure: (any Error)?
  private var status: Int?
  private var words = Data()
  private var hasEnded = false

  /// The first number, or nothing after so many seconds.
  func first(within seconds: Double) throws -> Told { try wait(seconds) { head != nil } }

  /// What is told next, of several numbers the latest.
  func next(within seconds: Double) throws -> Told { try wait(seconds) { hasSpoken } }

  private func wait(_ seconds: Double, _ isThere: () -> Bool) throws -> Told {
    let end = Date() + seconds
    condition.lock()
    defer { condition.unlock() }
    while !hasEnded, !isThere() {
      if !condition.wait(until: end) { return .nothing }
    }
    if isThere(), let head {
      hasSpoken = false
      return .head(head)
    }
    throw failure ?? Ended(status: status ?? 0, words: words)
  }

  /// The server has ended it, or has refused it.
  struct Ended: Error {
    let status: Int
    let words: Data
  }

  /// Lets go whoever waits.
  func end(_ error: (any Error)?) {
    change {
      hasEnded = true
      failure = failure ?? error
    }
  }

  private func change(_ body: () -> Void) {
    condition.lock()
    body()
    condition.broadcast()
    condition.unlock()
  }
}

// MARK: - Called by the session

extension NewsStream {
  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    change { status = (response as? HTTPURLResponse)?.statusCode }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    change {
      guard status == 200 else {
        if words.count < Self.longestLine { words.append(data.prefix(Self.longestLine)) }
        return
      }
      for byte in data { take(byte) }
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    end(error)
  }

  private static let longestLine = 500

  private func take(_ byte: UInt8) {
    guard byte == UInt8(ascii: "\n") else {
      // Whoever sends such lines is no server of ours; what is too long says nothing.
      if line.count < Self.longestLine { line.append(byte) }
      return
    }
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    line = []
    if text.hasPrefix("data:") {
      head = UInt64(text.dropFirst(5).trimmingCharacters(in: .whitespaces)) ?? head
      hasSpoken = true
    } else if text.hasPrefix(":") {
      hasSpoken = true
    }
  }
}
