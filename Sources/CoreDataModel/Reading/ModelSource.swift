package import Foundation

/// A data model as Xcode keeps it in a project: a folder of versions, each an XML file.
///
///     Notes.xcdatamodeld/
///     ├── .xccurrentversion             names the current version
///     ├── Notes.xcdatamodel/contents    the schema's XML
///     └── Notes 2.xcdatamodel/contents
///
/// A single `.xcdatamodel`, as a folder or as a bare XML file, is a model of one version.
package struct ModelSource: Sendable {
  package var name: String
  /// The versions, in the order in which a person counts: `Notes`, `Notes 2`, `Notes 10`.
  package var versions: [Version]
  package var currentVersionName: String
  /// What is dubious but usable.
  package var warnings: [ModelProblem]

  package struct Version: Hashable, Sendable {
    package var name: String
    package var schema: ModelSchema
    /// The XML file.
    package var url: URL
  }

  /// Reads a model, with all problems of all versions in one error.
  package init(contentsOf url: URL) throws(ModelError) {
    var folder = ModelFolder(url: url)
    let versions = folder.readVersions()
    let current = folder.currentVersionName(among: versions.map(\.name))
    let errors = folder.problems.filter { $0.severity == .error }
    guard errors.isEmpty, let current else { throw ModelError(problems: errors) }
    name = url.deletingPathExtension().lastPathComponent
    self.versions = versions
    currentVersionName = current
    warnings = folder.problems
  }

  /// The schema of the current version.
  package var current: ModelSchema {
    versions.first { $0.name == currentVersionName }?.schema ?? ModelSchema()
  }
}

/// The files of one model, and the problems met on the way through them.
private struct ModelFolder {
  let url: URL
  var problems: [ModelProblem] = []

  init(url: URL) {
    self.url = url
  }

  mutating func readVersions() -> [ModelSource.Version] {
    versionURLs().compactMap { version in
      let file = contents(of: version)
      guard let data = read(file) else { return nil }
      var reader = SchemaReader(file: path(of: file))
      let schema = reader.schema(from: data)
      problems += reader.problems
      return ModelSource.Version(
        name: version.deletingPathExtension().lastPathComponent,
        schema: schema,
        url: file
      )
    }
  }

  /// The version that `.xccurrentversion` names; without that file the last one.
  mutating func currentVersionName(among names: [String]) -> String? {
    let file = url.appendingPathComponent(".xccurrentversion")
    guard url.pathExtension == "xcdatamodeld",
      FileManager.default.fileExists(atPath: file.path)
    else { return names.last }
    guard let data = read(file) else { return nil }
    let plist = try? PropertyListSerialization.propertyList(from: data, format: nil)
    // Any failure to read it is the one problem below: the file does not name a version.
    guard let fileName = (plist as? [String: Any])?["_XCCurrentVersionName"] as? String else {
      report(file, "the file does not say which version is current; choose one in Xcode")
      return nil
    }
    let name = (fileName as NSString).deletingPathExtension
    let folder = url.appendingPathComponent(fileName)
    if !names.contains(name), !FileManager.default.fileExists(atPath: folder.path) {
      report(
        file,
        """
        the current version is "\(fileName)", which is not in the model; choose one of \
        \(names.map { "\"\($0).xcdatamodel\"" }.joined(separator: ", "))
        """
      )
    }
    return name
  }

  private mutating func versionURLs() -> [URL] {
    guard url.pathExtension == "xcdatamodeld" else { return [url] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      report(url, "the model cannot be read: \(error.localizedDescription)")
      return []
    }
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }
    if versions.isEmpty {
      report(url, "the model has no version: no .xcdatamodel in the folder")
    }
    return
      versions
      .sorted { $0.stem.compare($1.stem, options: .numeric) == .orderedAscending }
      .map { url.appendingPathComponent($0) }
  }

  private func contents(of version: URL) -> URL {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: version.path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? version.appendingPathComponent("contents") : version
  }

  private mutating func read(_ file: URL) -> Data? {
    do {
      return try Data(contentsOf: file)
    } catch {
      report(file, "the file cannot be read: \(error.localizedDescription)")
      return nil
    }
  }

  private mutating func report(_ file: URL, _ message: String) {
    problems.append(ModelProblem(file: path(of: file), message: message))
  }

  /// A file's path from the model's own name on.
  private func path(of file: URL) -> String {
    let inside = file.standardizedFileURL.pathComponents
      .dropFirst(url.standardizedFileURL.pathComponents.count)
    return ([url.lastPathComponent] + inside).joined(separator: "/")
  }
}

extension String {
  fileprivate var stem: String { (self as NSString).deletingPathExtension }
}
