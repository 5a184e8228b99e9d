import CoreDataWebServer
import Foundation
import SlipboxLibrary

extension SlipboxRouter {
  /// The stream of changes: `hello` with the token to begin with, then an event for each transaction, `sync` with the
  /// state of synchronization, whenever that changes, `follow` with the progress of the texts that follow a new
  /// title, and `published` when links of published notes were made or ended.
  ///
  /// `Last-Event-ID`, which browsers send when they come back, or `since`, names the beginning.
  mutating func addEvents() {
    let library = library
    add(.get, "/api/events") { request in
      let since = request.headers["Last-Event-ID"] ?? request.query["since"]
      let changes = try await library.changes.events(after: since.flatMap { $0.isEmpty ? nil : $0 })
      let token = try await library.changes.lastToken()
      let hello = try ServerSentEvent(id: since ?? token, name: "hello", json: ["token": token])
      return .events(Self.events(of: changes, library, after: hello))
    }
  }

  /// The same stream as browsers read it; cancelling one cancels the other.
  private static func events(
    of changes: AsyncStream<ChangeEvent>,
    _ library: Library,
    after hello: ServerSentEvent
  ) -> AsyncStream<ServerSentEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
    continuation.yield(hello)
    // Without an id: a client that comes back asks for the changes since the last one.
    let steps = Task {
      var isTold = false
      for await state in library.syncStates() where state.isJoined || isTold {
        isTold = state.isJoined
        if let event = ServerSentEvent(name: "sync", orReport: state) { continuation.yield(event) }
      }
    }
    let follows = Task {
      for await state in library.followStates() {
        if let event = ServerSentEvent(name: "follow", orReport: state) {
          continuation.yield(event)
        }
      }
    }
    let publications = Task {
      for await _ in library.publishedChanges() {
        continuation.yield(ServerSentEvent(name: "published", data: "{}"))
      }
    }
    let others = [steps, follows, publications]
    let pump = Task {
      for await change in changes {
        continuation.yield(Self.event(change))
      }
      for other in others { other.cancel() }
      continuation.finish()
    }
    continuation.onTermination = { _ in
      for task in [pump] + others { task.cancel() }
    }
    return stream
  }

  /// If changes cannot be reported one by one, everything is read again: no change is ever passed over.
  private static func event(_ change: ChangeEvent) -> ServerSentEvent {
    switch change {
    case .changed(let changed):
      ServerSentEvent(id: changed.token, name: "changed", orReport: changed)
        ?? reload(changed.token)
    case .reload(let token): reload(token)
    }
  }

  private static func reload(_ token: String) -> ServerSentEvent {
    ServerSentEvent(id: token, name: "reload", data: "{}")
  }
}
