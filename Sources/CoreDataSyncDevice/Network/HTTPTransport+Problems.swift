import CoreData
import CoreDataSyncCore
import Foundation

// MARK: - What goes wrong, in sentences

extension HTTPTransport {
  typealias SyncProblem = NSPersistentCloudKitContainer.SyncProblem

  var ended: SyncProblem { SyncProblem("The exchange has ended.", isTemporary: false) }

  func unreachable(_ words: String) -> SyncProblem {
    SyncProblem(
      "\(address.server) cannot be reached (\(words)). Changes are kept and sent when it can be.",
      isTemporary: true
    )
  }

  /// The advice about an answer that cannot be read, or that is of another protocol.
  func unreadable(_ error: WireError) -> SyncProblem {
    if error.isDamage { return damaged }
    let sentence =
      switch error.sender {
      case .newer:
        """
        \(address.server) is newer than this program, which speaks protocol \(SyncRequest.version) only. Update this \
        program; changes wait until then.
        """
      case .older:
        """
        \(address.server) is older than this program, which speaks protocol \(SyncRequest.version) only. Let its owner \
        update coredata and start coredata serve again; changes wait until then.
        """
      case .contemporary:
        """
        \(address.server) answers, but not as coredata serve does: \(error). Look whether the address leads to it, and \
        whether something between changes what it sends.
        """
      }
    return SyncProblem(sentence, isTemporary: true)
  }
}

extension HTTPTransport {
  /// The advice about an answer that does not have its checksum.
  private var damaged: SyncProblem {
    SyncProblem(
      """
      An answer of \(address.server) does not have its checksum: something has changed it on its way. Nothing of it was \
      taken, and it is asked for again. If this comes back, look at what is between here and there, and at the memory of \
      both machines.
      """,
      isTemporary: true
    )
  }
}

// MARK: - Refusals

extension HTTPTransport {
  /// The server's refusal, in its own words if it has some.
  func refusal(_ answer: HTTPAnswer, _ bytes: [UInt8]) -> SyncProblem {
    if let moved = answer.moved {
      let place = moved.components(separatedBy: "/v1/zones/")[0].prefix(Self.longestSentence)
      return SyncProblem(
        """
        \(address.server) sends on to \(place). Where that is the server's new address, use that one; in a network \
        that wants you to sign in, do that first.
        """,
        isTemporary: true
      )
    }
    let words = String(decoding: bytes.prefix(Self.longestSentence), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !answer.isForeign, !words.isEmpty, !words.hasPrefix("<") else {
      return SyncProblem(sentence(ofOthers: answer.status), isTemporary: true)
    }
    let isFinal = [400, 401, 403, 404, 409].contains(answer.status)
    return SyncProblem(words, isTemporary: !isFinal)
  }

  /// The advice if a proxy has answered, which knows nothing of zones.
  private func sentence(ofOthers status: Int) -> String {
    switch status {
    case 413:
      """
      A proxy before \(address.server) lets a message through only where it is smaller (status 413). Let it take 16 MB: \
      client_max_body_size 16m in nginx, max_size 16MB of request_body in Caddy. Changes wait until then.
      """
    case 502...504:
      """
      \(address.server) answers with status \(status), as a proxy does that does not reach coredata serve. See whether \
      that runs, what the proxy says, and whether it takes messages of 16 MB; changes wait until then.
      """
    case 511: page.description
    case _:
      """
      \(address.server) answers with status \(status), and not as coredata serve does. Look whether the address leads to \
      it, and whether a proxy before it passes on all that begins with /v1/.
      """
    }
  }

  /// The advice if something else comes in the place of an answer.
  func stranger(_ answer: HTTPAnswer) -> SyncProblem {
    answer.isPage ? page : SyncProblem(sentence(ofOthers: answer.status), isTemporary: true)
  }

  /// The advice if a page for people comes in the place of an answer.
  var page: SyncProblem {
    SyncProblem(
      """
      \(address.server) answers with a page for people. In a network that wants you to sign in, do that first; \
      otherwise the address leads to another server than coredata serve.
      """,
      isTemporary: true
    )
  }
}
