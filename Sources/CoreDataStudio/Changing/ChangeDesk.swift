import CoreData
import CoreDataStoreCare
import CoreDataWebServer
import Foundation
import Synchronization

/// The session of changes, which begins when somebody allows them.
final class ChangeDesk: Sendable {
  private enum Stage {
    case forbidden, beginning
    case allowed(ChangeSession)
  }

  private let source: StudioSource
  private let stage = Mutex(Stage.forbidden)

  init(_ source: StudioSource) {
    self.source = source
  }

  /// The session.
  ///
  /// - Throws: A `Problem` with status 403 before somebody has allowed changes, and with 409 if another file has taken
  ///   the place of the store.
  var session: ChangeSession {
    get throws {
      guard let session = sessionIfAny else {
        throw Problem(403, "Allow changes first; Studio then makes a copy of the store.")
      }
      if session.identity != source.store.flatMap(FileIdentity.init) {
        throw Problem(
          409,
          "The file of the store was removed or replaced; these changes do not belong to it. Discard them."
        )
      }
      return session
    }
  }

  var sessionIfAny: ChangeSession? {
    stage.withLock { stage in
      if case .allowed(let session) = stage { session } else { nil }
    }
  }

  /// Begins a session: copies the store beside itself, and opens it for writing.
  ///
  /// - Parameter store: The store as it is open for reading.
  /// - Throws: A `Problem` if the source cannot be changed, and the error of a copy that cannot be made.
  func allow(_ store: OpenStore) async throws {
    guard let file = source.store, let open = source.openForChanges else {
      throw Problem(404, "Only stores in files are changed here.")
    }
    let isFirst = stage.withLock { stage in
      guard case .forbidden = stage else { return false }
      stage = .beginning
      return true
    }
    guard isFirst else { return }
    do {
      let identity = FileIdentity(file)
      let copy = try await Self.copy(file, store)
      let session = try ChangeSession(open(), copy: copy, identity: identity)
      stage.withLock { $0 = .allowed(session) }
    } catch {
      stage.withLock { $0 = .forbidden }
      throw error
    }
  }

  /// Ends the session; changes that are not saved are gone.
  func forbid() {
    stage.withLock { stage in
      if case .allowed = stage { stage = .forbidden }
    }
  }

  private static func copy(_ file: URL, _ store: OpenStore) async throws -> URL {
    let place = StoreBackup(of: file, at: Date(), before: "studio").freePlace
    let coordinator = try store.coordinator
    if let persistent = coordinator.persistentStores.first, persistent.type == NSSQLiteStoreType {
      try await coordinator.backUp(persistent, to: place)
    } else {
      try FileManager.default.copyItem(at: file, to: place)
    }
    return place
  }
}
