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
      "Sources/DiaryModel/Notebook.swift",
      "Sources/DiaryModel/Diary.xcdatamodeld/.xccurrentversion",
      "Sources/DiaryModel/Diary.xcdatamodeld/Diary.xcdatamodel/contents",
      "Tests/DiaryTests/NotebookTests.swift",
    ]
    #expect(expected.isSubset(of: names))
    #expect(names.contains("Sources/Diary/Web/index.html") == isWeb)
    let manifest = try text("Diary/Package.swift")
    #expect(manifest.contains(#".package(name: "open-core-data", path: "\#(Self.package)")"#))
    #expect(manifest.contains("CoreDataWebServer") == isWeb)
    #expect(!names.contains(".github/workflows/test.yml"))
    let image = try text("Diary/Dockerfile")
    #expect(image.contains(#"COPY --from=open-core-data [".", "\#(Self.package)/"]"#))
    #expect(image.contains("libmicrohttpd-dev") == isWeb)
    let model = folder.appending(path: "Diary/Sources/DiaryModel/Diary.xcdatamodeld").path
    let printed = try Program.run("model", "print", model)
    #expect(printed.status == 0)
    #expect(printed.errors == "")
  }

  @Test(arguments: [false, true])
  func `a program of SwiftData has a class as its model, and no model file`(isWeb: Bool) throws {
    let words = ["Diary", "--swiftdata", "--package", Self.package] + (isWeb ? ["--web"] : [])
    let outcome = try ChildProgram.run(.built("coredata"), ["new", "app"] + words, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: folder.appending(component: "Diary").path
    )
    let expected: Set = [
      "Package.swift", "README.md", "Sources/Diary/main.swift", "Sources/DiaryModel/Note.swift",
      "Sources/DiaryModel/Notebook.swift", "Tests/DiaryTests/NotebookTests.swift",
    ]
    #expect(expected.isSubset(of: names))
    #expect(!names.contains { $0.contains("xcdatamodel") })
    #expect(names.contains("Sources/Diary/Web/index.html") == isWeb)
    let manifest = try text("Diary/Package.swift")
    #expect(manifest.contains(#".product(name: "SwiftData", package: "open-core-data")"#))
    #expect(!manifest.contains("CoreData\""))
    #expect(try text("Diary/Sources/DiaryModel/Note.swift").contains("@Model final class Note {"))
    #expect(
      try text("Diary/Sources/DiaryModel/Notebook.swift").contains("#Predicate { $0.id == id }")
    )
    #expect(!(try text("Diary/README.md").contains("model file")))
  }

  @Test func `the folder of the package is named from the folder of the new program`() throws {
    let link = folder.appending(component: "framework")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: Self.package)
    let outcome = try run("Web", "--package", "framework")
    #expect(outcome == (0, ""))
    let manifest = try text("Web/Package.swift")
    #expect(manifest.contains(#".package(name: "open-core-data", path: "../framework")"#))
    // A target "WebKit" would have the name of Apple's module.
    #expect(manifest.contains(#"name: "WebModel""#))
    #expect(!manifest.contains("WebKit"))
    #expect(
      try text("Web/Dockerfile").contains(#"COPY --from=open-core-data [".", "/src/framework/"]"#)
    )
  }

  @Test(arguments: [
    (["--branch", "main"], #"branch: "main""#),
    (["--from", "0.3.1"], #".upToNextMinor(from: "0.3.1")"#),
    ([], #".upToNextMinor(from: "0.1.0")"#),
  ])
  func `a program gets the package from a repository`(words: [String], requirement: String) throws {
    let place = "https://example.com/my/cdata.git"
    let outcome = try ChildProgram.run(
      .built("coredata"),
      ["new", "app", "Diary", "--web", "--package", place] + words,
      in: folder
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    let manifest = try text("Diary/Package.swift")
    #expect(manifest.contains(#".package(url: "\#(place)", \#(requirement))"#))
    #expect(manifest.contains(#".product(name: "CoreDataWebServer", package: "cdata")"#))
    #expect(manifest.contains(#".plugin(name: "CoreDataModels", package: "cdata")"#))
    #expect(!manifest.contains("open-core-data"))
    #expect(try text("Diary/.github/workflows/test.yml").contains("swift test"))
    #expect(!(try text("Diary/Dockerfile").contains("COPY --from=open-core-data")))
  }

  /// Compiles the library and the program beside the modules of a debug build, and runs it.
  @Test(.enabled(if: BuiltModules.areThere))
  func `a program of SwiftData does not compile, or forgets its notes`() throws {
    let made = try run("Diary", "--swiftdata", "--package", Self.package)
    try #require(made.status == 0, "\(made.errors)")
    let place = folder.appending(component: "Diary")
    let kit = ["Note", "Notebook"].map { "Sources/DiaryModel/\($0).swift" }
    let flags = try BuiltModules.flags()
    let compilations = [
      [
        "-parse-as-library", "-module-name", "DiaryModel", "-wmo", "-emit-module", "-c", "-o",
        "kit.o",
      ]
        + kit,
      [
        "-module-name", "Diary", "-I", ".", "-o", "diary", "Sources/Diary/main.swift", "kit.o",
        try BuiltModules.objects(listedIn: folder),
      ],
    ]
    for words in compilations {
      let outcome = try ChildProgram.run(
        URL(filePath: "/usr/bin/env"),
        ["swiftc"] + words + flags,
        in: place
      )
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    let program = place.appending(component: "diary")
    for words in [["add", "First"], ["add", "Second"], ["done", "1"]] {
      _ = try ChildProgram.run(program, words, in: place)
    }
    let listed = try ChildProgram.run(program, in: place)
    #expect(listed.output == "1  ✓  First\n2  ·  Second\n", "\(listed.errors)")
    let checked = try Program.run("check", place.appending(component: "Diary.sqlite").path)
    #expect(checked.status == 0, "\(checked.output)")
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
    let place = "https://example.com/cdata"
    #expect(try run("Diary", "--branch", "x").errors.contains("give its URL with --package"))
    #expect(
      try run("Diary", "--package", place, "--branch", "x", "--from", "1.0.0").errors
        .contains("give one of them")
    )
    #expect(
      try run("Diary", "--package", place, "--from", "1").errors
        .contains("'1' is not a version; write it as in 0.1.0")
    )
    #expect(
      try run("Diary", "--package", place, "--branch", "a\"b").errors
        .contains("--branch has a quotation mark")
    )
    try FileManager.default.createDirectory(
      at: folder.appending(component: "Diary"),
      withIntermediateDirectories: true
    )
    #expect(try run("Diary", "--package", Self.package).errors.contains("Diary already exists"))
  }
}
