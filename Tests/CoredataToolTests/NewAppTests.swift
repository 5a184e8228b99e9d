import ChildPrograms
import Foundation
import TestSupport
import Testing

/// `coredata new app`, run as a process.
struct NewAppTests {
  private let folder = TemporaryFolder.file("NewApp-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Runs the tool in the folder, where it makes programs.
  private func run(_ words: String...) throws -> (status: Int32, errors: String) {
    let outcome = try ChildProgram.run(.built("coredata"), ["new", "app"] + words, in: folder)
    return (outcome.status, outcome.errors)
  }

  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .standardizedFileURL.path

  private func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  @Test(arguments: [false, true])
  func `a program has a package, a model, a test and a page of words`(isWeb: Bool) throws {
    let outcome =
      try isWeb
      ? run("Diary", "--web", "--package", Self.package) : run("Diary", "--package", Self.package)
    #expect(outcome == (0, ""))
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: folder.appending(component: "Diary").path
    )
    let expected: Set = [
      ".gitignore", "Package.swift", "README.md", "Sources/Diary/main.swift",
      "Sources/DiaryKit/Notebook.swift",
      "Sources/DiaryKit/Diary.xcdatamodeld/.xccurrentversion",
      "Sources/DiaryKit/Diary.xcdatamodeld/Diary.xcdatamodel/contents",
      "Tests/DiaryTests/NotebookTests.swift",
    ]
    #expect(expected.isSubset(of: names))
    #expect(names.contains("Sources/Diary/Web/index.html") == isWeb)
    let manifest = try text("Diary/Package.swift")
    #expect(manifest.contains(#".package(name: "open-core-data", path: "\#(Self.package)")"#))
    #expect(manifest.contains("WebServer") == isWeb)
    let model = folder.appending(path: "Diary/Sources/DiaryKit/Diary.xcdatamodeld").path
    let printed = try Program.run("model", "print", model)
    #expect(printed.status == 0)
    #expect(printed.errors == "")
  }

  @Test func `what cannot be made is refused with a remedy`() throws {
    #expect(try run("diary").errors.contains("use letters and digits, a capital letter first"))
    #expect(
      try run("CoreData").errors.contains(
        "the name of a module that the program needs; choose another"
      )
    )
    #expect(
      try run("Diary", "--package", folder.path).errors.contains(
        "is not the package open-core-data"
      )
    )
    try FileManager.default.createDirectory(
      at: folder.appending(component: "Diary"),
      withIntermediateDirectories: true
    )
    #expect(try run("Diary", "--package", Self.package).errors.contains("Diary already exists"))
  }
}
