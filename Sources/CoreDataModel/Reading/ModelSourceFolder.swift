package import Foundation

/// The files of a model in Xcode's form, each version read when somebody asks for it.
///
///     Notes.xcdatamodeld/
///     ├── .xccurrentversion             names the current version
///     ├── Notes.xcdatamodel/contents    the schema's XML
///     └── Notes 2.xcdatamodel/contents
///
/// Apps that have been there for years have a hundred versions and more, of which a question needs one.
package struct ModelSourceFolder: Sendable {
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

  private static func versionNames(in url: URL) throws(ModelError) -> [String] {
    let file = url.lastPathComponent
    guard url.pathExtension == "xcdatamodeld" else {
      return [url.deletingPathExtension().lastPathComponent]
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      let sentence = "the model cannot be read: \(error.localizedDescription)"
      throw ModelError(ModelProblem(file: file, message: sentence))
    }
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }.map(\.stem)
    guard !versions.isEmpty else {
      let sentence = "the model has no version: no .xcdatamodel in the folder"
      throw ModelError(ModelProblem(file: file, message: sentence))
    }
    return versions.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }
}

// MARK: - Versions

extension ModelSourceFolder {
  /// Reads one version, with all its problems in one error, and its dubious parts as warnings.
  package func version(
    named name: String
  ) throws(ModelError) -> (version: ModelSource.Version, warnings: [ModelProblem]) {
    if var old = oldFormat(ofVersion: name) {
      old.severity = .error
      throw ModelError(old)
    }
    let file = contents(ofVersion: name)
    var reader = SchemaReader(file: path(of: file))
    let schema = reader.schema(from: try read(file))
    let errors = reader.problems.filter { $0.severity == .error }
    guard errors.isEmpty else { throw ModelError(problems: errors) }
    return (ModelSource.Version(name: name, schema: schema, url: file), reader.problems)
  }

  /// The problem of a version that Xcode 3 wrote; `nil` for others.
  ///
  /// Such a version has an archive of objects in the place of the XML.
  package func oldFormat(ofVersion name: String) -> ModelProblem? {
    let folder = folder(ofVersion: name)
    let files = FileManager.default
    let elements = folder.appendingPathComponent("elements")
    guard files.fileExists(atPath: elements.path),
      !files.fileExists(atPath: folder.appendingPathComponent("contents").path)
    else { return nil }
    return ModelProblem(
      .warning,
      file: path(of: elements),
      message: """
        the version is in the format of Xcode 3, which cannot be read here; open the model in a later \
        Xcode and save it, or use the compiled model (.momd or .mom) from inside the application
        """
    )
  }

  private func folder(ofVersion name: String) -> URL {
    url.pathExtension == "xcdatamodeld" ? url.appendingPathComponent("\(name).xcdatamodel") : url
  }

  private func contents(ofVersion name: String) -> URL {
    let version = folder(ofVersion: name)
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: version.path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? version.appendingPathComponent("contents") : version
  }
}

// MARK: - The current version

extension ModelSourceFolder {
  /// The version that `.xccurrentversion` names; if it names none, the last one, with a warning if
  /// there is a choice.
  package func currentVersion() throws(ModelError) -> (name: String, warning: ModelProblem?) {
    let last = lastReadable
    let file = url.appendingPathComponent(".xccurrentversion")
    guard url.pathExtension == "xcdatamodeld",
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

  /// The last version, but not one that cannot be read here if there are others.
  private var lastReadable: String {
    versionNames.last { oldFormat(ofVersion: $0) == nil } ?? versionNames[versionNames.count - 1]
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
