import Foundation
import Testing

@testable import CoreDataSQLite

struct DatabaseLockTests {
  @Test("two servers kept the zones of one folder")
  func twoServers() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-lock")
      .path
    // An empty file is left in the folder for such.
    defer { try? FileManager.default.removeItem(atPath: path) }
    var first = try DatabaseLock(at: path)
    #expect(first != nil)
    #expect(try DatabaseLock(at: path) == nil)
    // The next one begins where the first has ended.
    first = nil
    #expect(try DatabaseLock(at: path) != nil)
  }

  @Test("a folder that is not there is told by its path")
  func missingFolder() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "no-\(UUID().uuidString)")
    let path = folder.appending(path: "zones.lock").path
    let refusal = #expect(throws: DatabaseLock.Unusable.self) { try DatabaseLock(at: path) }
    #expect(refusal?.path == path)
    #expect(refusal?.reason == "No such file or directory")
  }
}
