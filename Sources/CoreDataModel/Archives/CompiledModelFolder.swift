package import Foundation

/// The files of a compiled model, each version read when somebody asks for it.
///
///     Notes.momd/
///     ├── VersionInfo.plist    the current version, and each version's hashes
///     ├── Notes.mom
///     └── Notes 2.mom
package struct CompiledModelFolder: Sendable {
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
    guard url.pathExtension == "momd" else {
      return [url.deletingPathExtension().lastPathComponent]
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      let sentence = "the compiled model cannot be read: \(error.localizedDescription)"
      throw ModelError(ModelProblem(file: url.lastPathComponent, message: sentence))
    }
    let versions = names.filter { $0.hasSuffix(".mom") }.map { String($0.dropLast(4)) }
    guard !versions.isEmpty else {
      let sentence = "the compiled model has no version: no .mom in the folder"
      throw ModelError(ModelProblem(file: url.lastPathComponent, message: sentence))
    }
    return versions.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }
}

// MARK: - Versions

extension CompiledModelFolder {
  package func version(named name: String) throws(ModelError) -> CompiledModel.Version {
    let isFolder = url.pathExtension == "momd"
    let file = isFolder ? url.appendingPathComponent("\(name).mom") : url
    do {
      let schema = try ModelArchive.decode(Data(contentsOf: file))
      // Damaged bytes may still unfold into something.
      let wrong = (schema.problems + schema.formatProblems).first { $0.severity == .error }
      if let wrong { throw ArchiveError("\(wrong)") }
      return CompiledModel.Version(name: name, schema: schema)
    } catch {
      let reason = (error as? ArchiveError)?.description ?? error.localizedDescription
      throw ModelError(
        ModelProblem(
          file: isFolder ? "\(self.name).momd/\(name).mom" : url.lastPathComponent,
          message: "the compiled model cannot be read: \(reason)"
        )
      )
    }
  }

  /// Without `VersionInfo.plist`, or without the name in it, the last version is the current one.
  package func currentVersionName() throws(ModelError) -> String {
    guard case .text(let name)? = versionInfo?[VersionInfoKey.current] else {
      return versionNames[versionNames.count - 1]
    }
    guard versionNames.contains(name) else {
      throw ModelError(
        ModelProblem(
          file: "\(url.lastPathComponent)/VersionInfo.plist",
          message: "the current version is \"\(name)\", but there is no \(name).mom"
        )
      )
    }
    return name
  }

  /// The entities' version hashes of a version, where the folder tells them without its being read.
  package func hashes(ofVersion name: String) -> [String: Data]? {
    guard case .dictionary(let all)? = versionInfo?[VersionInfoKey.hashes],
      case .dictionary(let hashes)? = all[name]
    else { return nil }
    var found: [String: Data] = [:]
    for (entity, hash) in hashes {
      guard case .data(let bytes) = hash else { return nil }
      found[entity] = bytes
    }
    return found
  }

  /// `nil` for a single file, and if the list is missing or damaged: everything in it can be had from the versions.
  private var versionInfo: [String: PropertyListValue]? {
    guard url.pathExtension == "momd",
      let data = try? Data(contentsOf: url.appendingPathComponent("VersionInfo.plist")),
      case .dictionary(let info)? = try? PropertyListValue(propertyList: data)
    else { return nil }
    return info
  }
}
