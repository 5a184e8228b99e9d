import ChildPrograms
import Foundation
import Testing

/// README.md shows an example; this is the example, so that it compiles and does what it says.
struct ReadmeTests {
  @Test(arguments: [
    "Sources/FirstNotes/main.swift",
    "Sources/FirstNotes/Notes.xcdatamodeld/Notes.xcdatamodel/contents",
  ])
  func `the page shows the example's files, word by word`(path: String) throws {
    let file = try String(contentsOf: Self.apps.appending(path: path), encoding: .utf8)
    #expect(try Self.readme.contains("\n\(file)```\n"))
  }

  @Test func `the example prints what the page says`() throws {
    let (output, status) = try run()
    #expect(status == 0)
    #expect(try Self.readme.contains("```\n$ swift run\n\(output)```\n"))
    #expect(!output.isEmpty)
  }

  private static let apps = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static var readme: String {
    get throws { try String(contentsOf: apps.appending(path: "../README.md"), encoding: .utf8) }
  }

  /// Runs the example, which is beside the tests, with a data folder of its own.
  private func run() throws -> (output: String, status: Int32) {
    let folder = URL.temporaryDirectory.appending(component: "readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = try ChildProgram.run(
      .built("first-notes"),
      environment: ["XDG_DATA_HOME": folder.path]
    )
    return (outcome.output, outcome.status)
  }
}
