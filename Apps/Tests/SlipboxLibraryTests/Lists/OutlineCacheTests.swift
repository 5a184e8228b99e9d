import CoreData
import Dispatch
import Testing

@testable import SlipboxLibrary

/// Counts are good until something is written, and no longer.
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

  @Test("Folders that some make while others read the sidebar are all in it, in their order")
  func foldersOfManyThreads() async throws {
    let box = try Box()
    let library = box.library
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          for turn in 0..<5 {
            let name = "\(number)-\(turn)"
            _ = try await library.makeFolder(id: nil, name: name, parent: nil, by: "test")
            let names = try await library.overview().folders.map(\.name)
            let own = names.filter { $0.hasPrefix("\(number)-") }
            #expect(own == (0...turn).map { "\(number)-\($0)" })
          }
        }
      }
      try await group.waitForAll()
    }
    let names = Set(try await library.overview().folders.map(\.name))
    #expect(names == Set((0..<4).flatMap { number in (0..<5).map { "\(number)-\($0)" } }))
  }
}
