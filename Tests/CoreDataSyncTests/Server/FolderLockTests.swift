import Foundation
import Testing

@testable import CoreDataSyncServer

struct FolderLockTests {
  @Test("two servers kept the zones of one folder")
  func twoServers() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "lock-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var first = try FolderLock(of: folder)
    #expect(first != nil)
    #expect(try FolderLock(of: folder) == nil)
    // The next one begins where the first has ended.
    first = nil
    #expect(try FolderLock(of: folder) != nil)
  }

  @Test("a folder that is not there is told with a sentence")
  func missingFolder() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "no-\(UUID().uuidString)")
    #expect(throws: ServiceRefusal.self) { try FolderLock(of: folder) }
  }
}
