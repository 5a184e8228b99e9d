import ChildPrograms
import Foundation
import TestSupport
import Testing

/// The classes that `coredata model generate --swiftdata` writes from stores that Apple's framework has made.
@Suite(.enabled(if: PhoneStores.areThere))
struct SwiftDataStoreClassTests {
  private static let names = [
    "CartKit", "ChefTime", "Cocktails", "FreezeRay-V1", "FreezeRay-V2", "Pegase",
    "ResourcesManager", "SwiftRide", "WelcomeTo",
  ]

  private let folder = TemporaryFolder.file("StoreClasses-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A copy of a store.
  private func store(_ name: String) throws -> URL {
    let copy = folder.appending(component: "\(name).store")
    for ending in ["store", "store-wal"] {
      let file = PhoneStores.folder.appending(component: "\(name).\(ending)")
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      try Data(contentsOf: file).write(to: folder.appending(component: "\(name).\(ending)"))
    }
    return copy
  }

  private func generate(_ store: URL) throws -> Program.Outcome {
    try Program.run(
      "model",
      "generate",
      store.path,
      "-o",
      folder.appending(component: "Classes").path,
      "--swiftdata",
      "--single-file",
      "--json"
    )
  }

  private func classes(_ name: String) throws -> String {
    try String(
      contentsOf: folder.appending(path: "Classes/\(name)+SwiftData.swift"),
      encoding: .utf8
    )
  }

  @Test(arguments: names)
  func `a class lacks a part of the model, or has another version hash`(name: String) throws {
    let outcome = try generate(store(name))
    #expect(outcome.status == 0)
    #expect(try outcome.json["otherHashes"] as? [String] == [])
    // The colors of one app are values of a class that no model contains.
    let left = try #require(try outcome.json["notExpressed"] as? [String])
    #expect(left.allSatisfy { $0.contains("does not contain its type NSColor") })
    #expect(left.count == (name == "Pegase" ? 3 : 0))
  }

  @Test func `composites become the types that their elements tell of`() throws {
    _ = try generate(store("Cocktails"))
    let text = try classes("Cocktails")
    #expect(text.contains("  var id: UUID = UUID()\n"))
    #expect(text.contains("  enum HistoricSpec: Codable, CaseIterable {\n    case algonquin\n"))
    #expect(
      text.contains(
        "  struct GlasswareType: Codable, Hashable {\n    var glasswareType: String\n  }"
      )
    )
    #expect(text.contains("    var person: String?\n"))
    #expect(
      text.contains(
        #"#Index<Cocktail>([\.cocktailName], [\.collectionName], [\.cocktailName, \.collectionName])"#
      )
    )
    _ = try generate(store("ChefTime"))
    #expect(try classes("ChefTime").contains("  var imageData: [Data]\n"))
  }

  /// Compiles the classes of all stores, each in a namespace, into a program that compares the hashes.
  @Test(.enabled(if: BuiltModules.areThere))
  func `the classes do not compile, or SwiftData gives them another version hash`() throws {
    var sources: [URL] = []
    var lines: [String] = []
    for (number, name) in Self.names.enumerated() {
      let copy = try store(name)
      #expect(try generate(copy).status == 0)
      let text = try classes(name)
      let types = text.matches(of: /@Model (?:final )?class (\w+)/).map {
        "Store\(number).\($0.1).self"
      }
      let body = text.replacing("import Foundation\nimport SwiftData\n", with: "")
      let file = folder.appending(component: "Store\(number).swift")
      let whole = "import Foundation\nimport SwiftData\nenum Store\(number) {\n\(body)\n}\n"
      try Data(whole.utf8).write(to: file)
      sources.append(file)
      lines.append("try compare(\"\(name)\", \"\(copy.path)\", [\(types.joined(separator: ", "))])")
    }
    let main = folder.appending(component: "main.swift")
    try Data((Self.program + lines.joined(separator: "\n")).utf8).write(to: main)
    let program = folder.appending(component: "compare")
    let compiled = try ChildProgram.run(
      URL(filePath: "/usr/bin/env"),
      ["swiftc", "-o", program.path, main.path] + sources.map(\.path)
        + BuiltModules.flags()
        + [BuiltModules.objects(listedIn: folder)]
    )
    try #require(compiled.status == 0, "\(compiled.errors)")
    let outcome = try ChildProgram.run(program)
    #expect(outcome.output == Self.names.map { "\($0) true\n" }.joined(), "\(outcome.errors)")
  }

  private static let program = """
    import CoreData
    import Foundation
    import SwiftData

    func compare(_ name: String, _ path: String, _ types: [any PersistentModel.Type]) throws {
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType,
        at: URL(filePath: path)
      )
      let model = NSManagedObjectModel.makeManagedObjectModel(for: types)
      let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
      print(name, stored != nil && model?.entityVersionHashesByName == stored)
    }

    """
}

// MARK: - The stores

private enum PhoneStores {
  static let folder = BuiltModules.package.deletingLastPathComponent()
    .appending(path: "shared/fixtures/swiftdata")
  static var areThere: Bool { FileManager.default.fileExists(atPath: folder.path) }
}
