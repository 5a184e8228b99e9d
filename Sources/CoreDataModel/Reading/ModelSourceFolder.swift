package import Foundation

/// The files of a model in Xcode's form, each version read when somebody asks for it.
///
///     Notes.xcdatamodeld/
///     ├── .xccurrentversion             names the current version
///     ├── Notes.xcdatamodel/contents    the schema's XML
///     ├── Notes 2.xcdatamodel/contents
///     └── Old.xcdatamodel/elements      the archive that Xcode 3 had in its place
///
/// Apps that have been there for years have a hundred versions and more, of which a question needs one.
package struct ModelSourceFolder: ModelFolder, Sendable {
  static let ending = "xcdatamodeld"
  static let versionEnding = "xcdatamodel"
  static let words = "the model"

  package let url: URL
  package let name: String
  /// In the order in which a person counts: `Notes`, `Notes 2`, `Notes 10`.
  package let versionNames: [String]

  /// Throws if there is no model, or none of its versions.
  package init(at url: URL) throws(ModelError) {
    self.url = url
    name = url.deletingPathExtension().lastPathComponent
    versionNames = try Self.versionNames(in: url)
  }
}

// MARK: - Versions

extension ModelSourceFolder {
  /// Reads one version, with all its problems in one error, and its dubious parts as warnings.
  package func version(
    named name: String
  ) throws(ModelError) -> (version: ModelSource.Version, warnings: [ModelProblem]) {
    let file = contents(ofVersion: name)
    var reader = SchemaReader(file: path(of: file))
    let data = try read(file)
    let schema =
      isArchive(version: name) ? reader.schema(fromElements: data) : reader.schema(from: data)
    let errors = reader.problems.filter { $0.severity == .error }
    guard errors.isEmpty else { throw ModelError(problems: errors) }
    return (ModelSource.Version(name: name, schema: schema, url: file), reader.problems)
  }

  /// Whether Xcode 3 wrote a version: it has an archive of objects in the place of the XML.
  package func isArchive(version name: String) -> Bool {
    let folder = folder(ofVersion: name)
    let files = FileManager.default
    return files.fileExists(atPath: folder.appendingPathComponent("elements").path)
      && !files.fileExists(atPath: folder.appendingPathComponent("contents").path)
  }

  /// The file with the XML of a version, or with the archive that Xcode 3 wrote.
  package func file(ofVersion name: String) -> URL { contents(ofVersion: name) }

  private func folder(ofVersion name: String) -> URL {
    hasVersions ? url.appendingPathComponent("\(name).xcdatamodel") : url
  }

  private func contents(ofVersion name: String) -> URL {
    let version = folder(ofVersion: name)
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: version.path, isDirectory: &isFolder)
    guard exists, isFolder.boolValue else { return version }
    return version.appendingPathComponent(isArchive(version: name) ? "elements" : "contents")
  }
}

// MARK: - The current version

extension ModelSourceFolder {
  /// The version that `.xccurrentversion` names; if it names none, the last one, with a warning if
  /// there is a choice.
  package func currentVersion() throws(ModelError) -> (name: String, warning: ModelProblem?) {
    let last = versionNames[versionNames.count - 1]
    let file = url.appendingPathComponent(".xccurrentversion")
    guard hasVersions,
      FileManager.default.fileExists(atPath: file.path)
    else { return (last, nil) }
    let data = try read(file)
    // Any failure to read it means that the file does not name a version.
    guard case .dictionary(let fields)? = try? PropertyListValue(propertyList: data),
      case .text(let fileName)? = fields["_XCCurrentVersionName"]
    else {
      return (last, versionNames.count > 1 ? warning(about: file, taking: last) : nil)
    }
    let name = fileName.stem
    guard versionNames.contains(name) else {
      let sentence = """
        the current version is "\(fileName)", which is not in the model; choose one of \
        \(versionNames.map { "\"\($0).xcdatamodel\"" }.joined(separator: ", "))
        """
      throw ModelError(ModelProblem(file: path(of: file), message: sentence))
    }
    return (name, nil)
  }

  private func warning(about file: URL, taking name: String) -> ModelProblem {
    ModelProblem(
      .warning,
      file: path(of: file),
      message: """
        the file does not say which version is current; the last one, "\(name)", is taken; choose one \
        in Xcode
        """
    )
  }
}

// MARK: - Files

extension ModelSourceFolder {
  private func read(_ file: URL) throws(ModelError) -> Data {
    do {
      return try Data(contentsOf: file)
    } catch {
      let sentence = "the file cannot be read: \(error.localizedDescription)"
      throw ModelError(ModelProblem(file: path(of: file), message: sentence))
    }
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
