import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// What this process holds on a file that it has open.
///
/// The system's locks belong to a process: closing any handle of a file drops them all.
struct FileLockTests {
  @Test func `looking at a store that is open dropped its locks`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.saved { $0.note("first") }
    let url = try #require(stack.coordinator.persistentStores.first?.url)
    let before = try locks(on: url)
    #expect(!before.isEmpty)
    _ = try StoreFacts(at: url, counting: .zero)
    #expect(try locks(on: url) == before)
    #expect(!SQLiteFile(at: url, options: nil).isAtRest)
    #expect(SQLiteFile.isLogged(url.path))
    #expect(try locks(on: url) == before)
    let copy = url.deletingLastPathComponent().appending(path: "Copy.sqlite")
    #expect(try FileCopy(of: url, to: copy).perform { _, _, _ in true })
    #expect(try locks(on: url) == before)
    try stack.saved { $0.note("second") }
  }

  /// What `/proc` says of this process and the file itself, which is not its log.
  private func locks(on url: URL) throws -> Set<String> {
    let facts = try FileManager.default.attributesOfItem(atPath: url.path)
    let number = try #require(facts[.systemFileNumber] as? NSNumber)
    let all = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
    let process = String(ProcessInfo.processInfo.processIdentifier)
    return Set(
      all.split(separator: "\n").map { $0.split(separator: " ").dropFirst() }
        .filter { $0.contains(Substring(process)) && $0.contains { $0.hasSuffix(":\(number)") } }
        .map { $0.joined(separator: " ") }
    )
  }
}
