import CoreDataModel
import Foundation

/// A model as a file, compiled or not, with all its versions.
///
/// ```
/// Notes.momd           what a program carries      CompiledModel
/// Notes.mom            one version of it           CompiledModel
/// Notes.xcdatamodeld   what Xcode edits            ModelSource, compiled
/// Notes.xcdatamodel    one version of it           ModelSource, compiled
/// ```
struct ModelFile {
  let current: ModelSchema
  let versions: [ModelSchema]

  init(contentsOf url: URL) throws(ModelError) {
    let model = try Self.compiled(url)
    current = model.current
    versions = model.versions.map(\.schema)
  }

  /// The current version alone: of a compiled model no other is read, however many there are.
  static func current(in url: URL) throws(ModelError) -> ModelSchema {
    guard ["momd", "mom"].contains(url.pathExtension) else {
      return try ModelFile(contentsOf: url).current
    }
    let folder = try CompiledModelFolder(at: url)
    return try folder.version(named: folder.currentVersionName()).schema
  }

  /// The versions with their names.
  static func versions(in url: URL) throws(ModelError) -> [CompiledModel.Version] {
    try compiled(url).versions
  }

  private static func compiled(_ url: URL) throws(ModelError) -> CompiledModel {
    let isSource = ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension)
    return isSource
      ? try CompiledModel(ModelSource(contentsOf: url)) : try CompiledModel(contentsOf: url)
  }

  /// The compiled models in the bundles; of the main bundle also those in the resource bundles
  /// that SwiftPM puts beside the program.
  static func compiled(in bundles: [Bundle]) -> [URL] {
    files(in: bundles, kinds: ["mom", "momd"])
  }

  /// The files of some kinds in the same places.
  static func files(in bundles: [Bundle], kinds: Set<String>) -> [URL] {
    let folders = bundles.flatMap(folders)
    var seen: Set<String> = []
    return folders.flatMap { children(of: $0, kinds: kinds) }
      .filter { seen.insert($0.standardizedFileURL.path).inserted }
  }

  private static func folders(of bundle: Bundle) -> [URL] {
    let own = [bundle.resourceURL ?? bundle.bundleURL]
    guard bundle == .main, let program = bundle.executableURL else { return own }
    return own + children(of: program.deletingLastPathComponent(), kinds: ["resources"])
  }

  private static func children(of folder: URL, kinds: Set<String>) -> [URL] {
    // A missing folder does not have models.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appending(path: $0) }
      .filter { kinds.contains($0.pathExtension) }
  }
}
