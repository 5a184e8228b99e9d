import ChildPrograms
import Foundation
import Testing

/// The program itself, as a user runs it, with a folder that is removed afterwards.
final class Program {
  let folder: URL

  init() throws {
    folder = URL.temporaryDirectory.appending(component: "bookstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // The folder is temporary: where it stays, nothing is lost.
    try? FileManager.default.removeItem(at: folder)
  }

  var store: URL { folder.appending(component: "BookStore.sqlite") }

  /// Runs `bookstore`, which is beside the tests.
  func run(_ arguments: String...) throws -> ChildProgram.Outcome {
    try run(arguments)
  }

  func run(_ arguments: [String]) throws -> ChildProgram.Outcome {
    try run(.built("bookstore"), arguments)
  }

  /// The output of `sqlite3` about the store.
  func sql(_ statement: String) throws -> String {
    let outcome = try run(URL(filePath: "/usr/bin/sqlite3"), [store.path, statement])
    #expect(outcome.errors.isEmpty)
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  private func run(_ program: URL, _ arguments: [String]) throws -> ChildProgram.Outcome {
    try ChildProgram.run(program, arguments, environment: ["XDG_DATA_HOME": folder.path])
  }
}
