import CoreData
import Dispatch
import Testing

@testable import SlipboxLibrary

/// What was counted is good until something is written, and no longer.
struct OutlineCacheTests {
  /// Counts the sidebar in a block that comes in before the next save, and runs when it is let go.
  private func countLater(_ library: Library, token: String) -> DispatchSemaphore {
    let gate = DispatchSemaphore(value: 0)
    library.reading.perform { gate.wait() }
    library.reading.perform {
      _ = try? library.outlines.overview {
        try Overview(
          library.folders.folders,
          now: library.now(),
          token: token,
          in: library.reading
        )
      }
    }
    return gate
  }

  @Test("A sidebar that was counted between a save and its merge stayed for good")
  func sidebarBetweenSaveAndMerge() async throws {
    let box = try Box()
    let folder = try await box.library.makeFolder(id: nil, name: "Before", parent: nil, by: "test")
    let gate = countLater(box.library, token: try await box.library.overview().token)
    var renaming = FolderEdit()
    renaming.name = "After"
    let id = try #require(UUID(uuidString: folder.id))
    let edit = try await box.library.edit(folder: id, renaming, by: "test")
    gate.signal()
    #expect(try await box.library.overview().folders.map(\.name) == ["After"])
    let other = countLater(box.library, token: "")
    _ = try await box.library.undo(edit.undo, by: "test")
    other.signal()
    #expect(try await box.library.overview().folders.map(\.name) == ["Before"])
  }
}
