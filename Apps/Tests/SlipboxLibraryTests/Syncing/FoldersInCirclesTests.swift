import CoreData
import Foundation
import Testing

@testable import SlipboxLibrary

/// Two devices that do not know of each other put folders into each other.
@Suite(.serialized) struct FoldersInCirclesTests {
  private static let first = UUID(uuidString: "11111111-0000-4000-8000-000000000000") ?? UUID()
  private static let second = UUID(uuidString: "22222222-0000-4000-8000-000000000000") ?? UUID()

  private func put(_ folder: UUID, into parent: UUID, in box: Box) async throws {
    var edit = FolderEdit()
    edit.parent = .folder(parent)
    _ = try await box.library.edit(folder: folder, edit, by: nil)
  }

  /// The identifier of a folder's parent in the store.
  private func parent(of folder: UUID, in box: Box) async throws -> UUID? {
    try await box.library.read { context in
      context.refreshAllObjects()
      return try Folder.find(folder, in: context)?.parent?.uuid
    }
  }

  @Test func `folders that two devices had put into each other were out of reach`()
    async throws
  {
    let (server, phone, desk) = try await SyncingTests.joined()
    for (id, name) in [(Self.first, "Garden"), (Self.second, "House")] {
      _ = try await desk.library.makeFolder(id: id, name: name, parent: nil, by: nil)
    }
    let note = try await desk.note("Seeds", "Sow them.", in: Self.first).id.uuid
    try await SyncingTests.settle(desk, phone)
    server.stop()
    try await put(Self.first, into: Self.second, in: phone)
    try await put(Self.second, into: Self.first, in: desk)
    try server.start()
    for _ in 0..<200 {
      try await SyncingTests.settle(desk, phone)
      let tops = [
        try await parent(of: Self.first, in: phone), try await parent(of: Self.first, in: desk),
      ]
      if tops == [nil, nil] { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    try await SyncingTests.settle(phone, desk)
    for box in [phone, desk] {
      // The folder with the least identifier is at the top, on both, and the other one is in it.
      #expect(try await parent(of: Self.first, in: box) == nil)
      #expect(try await parent(of: Self.second, in: box) == Self.first)
      #expect(try await box.library.note(note).folder?.name == "Garden")
    }
  }

  @Test func `circles of any length, with ways to them or in the trash, are opened`()
    async throws
  {
    let box = try Box()
    let count = 6
    try await box.library.write(by: nil) { context in
      let folders = (0..<count).map { Folder(name: "F\($0)", context: context) }
      for (index, folder) in folders.enumerated() {
        folder.uuid_ = UUID(uuidString: "00000000-0000-4000-8000-00000000000\(count - index)")
      }
      // 0 → 1 → 2 → 0, 3 → 0, and 4 ⇄ 5 in the trash.
      for (from, to) in [(0, 1), (1, 2), (2, 0), (3, 0), (4, 5), (5, 4)] {
        folders[from].parent = folders[to]
      }
      for folder in folders[4...] { folder.trashedDate_ = Date() }
      try context.save()
      try Library.settle(context)
      #expect(folders.map { $0.parent?.name } == ["F1", "F2", nil, "F0", "F5", nil])
      try context.save()
    }
  }
}
