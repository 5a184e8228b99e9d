import CoreData
import Foundation
import Synchronization
import Testing

@testable import SwiftData

struct RemoteMailTests {
  private func title(_ title: String, in container: ModelContainer) throws {
    let context = ModelContext(container)
    context.insert(Note(title: title))
    try context.save()
  }

  /// The token of a write, once it is announced.
  private func token(
    of coordinator: NSPersistentStoreCoordinator,
    after write: () throws -> Void
  ) async throws -> NSPersistentHistoryToken {
    let found = Mutex<NSPersistentHistoryToken?>(nil)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange,
      object: coordinator,
      queue: nil
    ) { notification in
      let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
      found.withLock { $0 = token }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try write()
    for _ in 0..<200 where found.withLock({ $0 == nil }) {
      try await Task.sleep(for: .milliseconds(20))
    }
    return try #require(found.withLock { $0 })
  }

  @Test func theHistoryOfAnOwnSaveIsReadOnlyIfAnotherWriteCameBefore() async throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    let (container, other) = (try notesContainer(at: file), try notesContainer(at: file))
    let coordinator = container.coordinator
    let remote = RemoteMail(coordinator)

    let first = try await token(of: coordinator) { try title("own", in: container) }
    #expect(first.isOfOwnSave)
    #expect(remote.changes(in: coordinator, first).isEmpty)

    let second = try await token(of: coordinator) { try title("foreign", in: other) }
    #expect(!second.isOfOwnSave)
    #expect(remote.changes(in: coordinator, second).count == 1)

    _ = try await token(of: coordinator) { try title("foreign", in: other) }
    let fourth = try await token(of: coordinator) { try title("own", in: container) }
    #expect(fourth.isOfOwnSave)
    #expect(remote.changes(in: coordinator, fourth).count == 2)
    #expect(remote.changes(in: coordinator, nil).isEmpty)
  }

  @Test func aBatchDeletionOfTheSameContainerReachesOtherContexts() async throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    let container = try notesContainer(at: file)
    // The next write that is announced is the deletion.
    _ = try await token(of: container.coordinator) { try title("gone", in: container) }
    let reader = ModelContext(container)
    let note = try #require(try reader.fetch(FetchDescriptor<Note>()).first)
    let deletion = try await token(of: container.coordinator) {
      try ModelContext(container).delete(model: Note.self)
    }
    #expect(!deletion.isOfOwnSave)
    for _ in 0..<200 where note.modelContext != nil {
      try await Task.sleep(for: .milliseconds(20))
      reader.processPendingChanges()
    }
    #expect(note.modelContext == nil)
  }
}
