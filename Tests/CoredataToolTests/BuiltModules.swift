import ChildPrograms
import Foundation
import Testing

/// The modules and objects of the package, for programs that a test compiles.
enum BuiltModules {
  static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of what was built.
  private static var built: URL? {
    try? URL.built("SwiftDataMacros-tool").deletingLastPathComponent()
  }

  private static var objectList: URL? {
    built?.appending(path: "coredata.product/Objects.LinkFileList")
  }

  /// Whether the tests are beside the module, its macros and the objects of a debug build.
  static var areThere: Bool {
    guard let built, let objectList else { return false }
    return [
      built.appending(path: "Modules/SwiftData.swiftmodule"),
      built.appending(component: "SwiftDataMacros-tool"), objectList,
    ].allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// The options by which a compilation outside the package finds the modules.
  static func flags() throws -> [String] {
    let built = try #require(self.built)
    let maps =
      try FileManager.default.contentsOfDirectory(atPath: package.appending(path: "Sources").path)
      .map { package.appending(path: "Sources/\($0)/module.modulemap").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
      + [built.appending(path: "CoreDataCRuntime.build/module.modulemap").path]
    return [
      "-swift-version", "6", "-I", built.appending(component: "Modules").path,
      "-load-plugin-executable",
      built.appending(component: "SwiftDataMacros-tool").path + "#SwiftDataMacros",
    ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }

  /// Lists the objects of the modules in a file of a folder, and returns the argument that links them.
  static func objects(listedIn folder: URL) throws -> String {
    let built = try #require(self.built)
    let list = try String(contentsOf: #require(objectList), encoding: .utf8)
    let shared = list.split(separator: "\n").map(String.init).filter { object in
      !["/coredata.build/", "/SwiftData.build/"].contains { object.contains($0) }
    }
    let objects = try shared + ownObjects(in: built.appending(component: "SwiftData.build"))
    let response = folder.appending(component: "objects")
    try Data(objects.joined(separator: "\n").utf8).write(to: response)
    return "@\(response.path)"
  }

  /// The objects of the module's sources, without those of former ones.
  private static func ownObjects(in folder: URL) throws -> [String] {
    let sources = package.appending(path: "Sources/SwiftData").path
    return try FileManager.default.subpathsOfDirectory(atPath: sources)
      .filter { $0.hasSuffix(".swift") }
      .map { folder.appending(component: "\(URL(filePath: $0).lastPathComponent).o").path }
  }
}
