import CoreDataWebServer
import Foundation
import SlipboxLibrary

extension SlipboxRouter {
  /// Keeping the slip box in step with those on other devices: joining, leaving, how far it is, what has lost.
  mutating func addSync() {
    let library = library
    add(.get, "/api/sync") { _ in
      try .json(try library.syncState).with("Cache-Control", "no-store")
    }
    add(.post, "/api/sync") { request in
      let wanted: Joining = try request.json()
      return try .json(try await library.join(wanted.address, passphrase: wanted.passphrase ?? ""))
    }
    add(.delete, "/api/sync") { request in
      let notes: LeavingNotes = try request.choice("notes", otherwise: .keep)
      return try .json(
        try await library.leave(keepsNotes: notes == .keep, by: request.client)
      )
    }
    add(.post, "/api/sync/now") { _ in
      try .json(try await library.syncNow())
    }
    add(.get, "/api/sync/address") { _ in
      try .json(["address": try library.syncAddress, "code": try library.pairingCode])
        .with("Cache-Control", "no-store")
    }
    add(.get, "/api/sync/conflicts") { _ in
      try .json(try await library.syncConflicts()).with("Cache-Control", "no-store")
    }
    add(.post, "/api/sync/conflicts/:id") { request in
      let (about, undo) = try await library.takeBack(
        conflict: try Self.conflict(request),
        by: request.client
      )
      return try .json(TakenBack(about: about, undo: undo))
    }
    add(.delete, "/api/sync/conflicts/:id") { request in
      try await library.dismiss(conflict: try Self.conflict(request))
      return try .json([String: String]())
    }
  }

  /// Words of a note that two devices have changed in different ways.
  mutating func addWordings() {
    let library = library
    add(.post, "/api/notes/:id/wordings/:wording") { request in
      try .json(
        try await library.take(
          wording: try request.id("wording"),
          of: try request.id(),
          by: request.client
        )
      )
    }
    add(.delete, "/api/notes/:id/wordings/:wording") { request in
      try .json(
        try await library.dismiss(
          wording: try request.id("wording"),
          of: try request.id(),
          by: request.client
        )
      )
    }
  }

  private static func conflict(_ request: Request) throws -> Int64 {
    guard let number = Int64(try request.parameter("id")), number > 0 else {
      throw Problem(404, "A conflict has a number.")
    }
    return number
  }
}

private struct Joining: Decodable {
  let address: String
  let passphrase: String?
}

private struct TakenBack: Encodable {
  @OrNull var about: String?
  let undo: String
}

/// The fate of the notes here when the slip box is no longer synchronized.
private enum LeavingNotes: String, CaseIterable {
  case keep
  case delete
}
