import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of this process' locks on a file that it has open.
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

  @Test func `a backup of a store without a log dropped its writer's locks`() throws {
    let url = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let stack = try NotesStack(
      file: url,
      options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    )
    try stack.saved { $0.note("first") }
    let writer = try #require(stack.store.backend as? SQLiteStore).pool
    let copy = url.deletingLastPathComponent().appending(path: "Copy.sqlite")
    let connection = try writer.takeWriter()
    defer { writer.returnWriter() }
    try connection.run("BEGIN IMMEDIATE")
    let before = try locks(on: url)
    #expect(!before.isEmpty)
    #expect(
      try FileCopy(of: SQLiteFile(at: url, options: nil), to: copy, isCompact: false)
        .perform { _, _, _ in true }
    )
    #expect(try locks(on: url) == before)
    try connection.run("ROLLBACK")
    #expect(try NotesStack(reopening: copy).work { try $0.titles() } == ["first"])
  }

  /// The system's list of this process' locks on the file itself, which is not its log.
  ///
  /// Handle by handle: the list of all locks is read in parts, and loses lines while others are
  /// released.
  private func locks(on url: URL) throws -> Set<String> {
    let files = FileManager.default
    let path = url.resolvingSymlinksInPath().path
    let handles = try files.contentsOfDirectory(atPath: "/proc/self/fd").filter {
      (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
    let facts = try handles.map {
      try String(contentsOfFile: "/proc/self/fdinfo/\($0)", encoding: .utf8)
    }
    return Set(
      facts.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("lock:") }
        .map { $0.split(whereSeparator: \.isWhitespace).dropFirst(2).joined(separator: " ") }
    )
  }
}
