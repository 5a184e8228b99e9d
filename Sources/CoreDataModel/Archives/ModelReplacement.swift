package import Foundation

/// Puts a folder in the place of an older one, if that is a model and nothing else.
///
/// ```
/// .Notes.momd.unfinished-4711  ─▶  Notes.momd
/// ```
///
/// The old folder goes when the new one is complete, so that there is always one of them.
package enum ModelReplacement {
  case source
  case compiled

  /// Writes a folder; the body is given the place where it is made.
  package func write(to url: URL, _ body: (URL) throws -> Void) throws {
    try require(url)
    let files = FileManager.default
    let parent = url.deletingLastPathComponent()
    try files.createDirectory(at: parent, withIntermediateDirectories: true)
    let number = ProcessInfo.processInfo.processIdentifier
    let new = parent.appending(component: ".\(url.lastPathComponent).unfinished-\(number)")
    // The leftover of a program that was ended is in the way, and has this process' own name.
    try? files.removeItem(at: new)
    do {
      try files.createDirectory(at: new, withIntermediateDirectories: false)
      try body(new)
      if files.fileExists(atPath: url.path) { try files.removeItem(at: url) }
      try files.moveItem(at: new, to: url)
    } catch {
      // The reason why it could not be written counts, not what is left of it.
      try? files.removeItem(at: new)
      throw error
    }
  }

  /// Throws if something is in the place that is not a model, or that holds other files too.
  package func require(_ url: URL) throws(ModelObstacle) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return }
    guard isFolder.boolValue else {
      throw refusal(url, "it is a file, and the model is a folder")
    }
    let names: [String]
    do {
      names = try FileManager.default.subpathsOfDirectory(atPath: url.path)
    } catch {
      throw refusal(url, "it cannot be looked into: \(error.localizedDescription)")
    }
    guard let stranger = names.sorted().first(where: { !isOfModel($0) }) else { return }
    throw refusal(url, "it holds \(stranger), which is not of a model")
  }

  private func refusal(_ url: URL, _ reason: String) -> ModelObstacle {
    ModelObstacle(
      "\(url.path): what is there was not replaced: \(reason); name another place"
    )
  }

  /// Whether a path inside the folder is one that a model has.
  private func isOfModel(_ path: String) -> Bool {
    let parts = path.split(separator: "/").map(String.init)
    guard let first = parts.first, parts.last != ".DS_Store" else { return true }
    switch (self, parts.count) {
    case (.source, 1): return first == ".xccurrentversion" || first.hasSuffix(".xcdatamodel")
    case (.source, 2): return ["contents", "elements", "layout"].contains(parts[1])
    case (.compiled, 1):
      let kinds = [".mom", ".omo", ".cdm", ".plist"]
      return kinds.contains { first.hasSuffix($0) }
    case (.source, _), (.compiled, _): return false
    }
  }
}

/// A thing in the place of a model that is not deleted.
package struct ModelObstacle: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
