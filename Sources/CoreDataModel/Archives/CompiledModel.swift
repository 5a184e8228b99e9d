package import Foundation

/// A data model as a program carries it: a folder of compiled versions.
///
///     Notes.momd/
///     ├── VersionInfo.plist    the current version, and each version's hashes
///     ├── Notes.mom
///     └── Notes 2.mom
///
/// A single `.mom` file is a model of one version.
package struct CompiledModel: Hashable, Sendable {
  package var name: String
  /// Sorted as a person counts: `Notes`, `Notes 2`, `Notes 10`.
  package var versions: [Version]
  package var currentVersionName: String

  package struct Version: Hashable, Sendable {
    package var name: String
    package var schema: ModelSchema

    package init(name: String, schema: ModelSchema) {
      self.name = name
      self.schema = schema
    }
  }

  package init(name: String, versions: [Version], currentVersionName: String) {
    self.name = name
    self.versions = versions
    self.currentVersionName = currentVersionName
  }

  /// What a source becomes when it is compiled.
  package init(_ source: ModelSource) {
    self.init(
      name: source.name,
      versions: source.versions.map {
        Version(
          name: $0.name,
          schema: $0.schema.compiled().withPlainIndexes.withoutValueClasses
        )
      },
      currentVersionName: source.currentVersionName
    )
  }

  /// The schema of the current version.
  package var current: ModelSchema {
    versions.first { $0.name == currentVersionName }?.schema ?? ModelSchema()
  }
}

extension ModelSchema {
  /// The same model without the classes of transformable attributes' values.
  ///
  /// In a source such a class is a Swift type for the code generator; Xcode's compiler leaves it
  /// out, because at run time it would have to be the name of an Objective-C class.
  fileprivate var withoutValueClasses: ModelSchema {
    var schema = self
    for entity in entities.indices {
      for attribute in entities[entity].attributes.indices {
        schema.entities[entity].attributes[attribute].customClassName = nil
      }
    }
    return schema
  }
}

// MARK: - Reading

extension CompiledModel {
  /// Reads a `.momd` folder or a `.mom` file, with all its problems in one error.
  package init(contentsOf url: URL) throws(ModelError) {
    let name = url.deletingPathExtension().lastPathComponent
    let files = try Self.versionFiles(of: url)
    var problems: [ModelProblem] = []
    var versions: [Version] = []
    for file in files {
      do {
        let schema = try ModelArchive.decode(Data(contentsOf: file))
        // Damaged bytes may still unfold into something.
        let wrong = (schema.problems + schema.formatProblems).first { $0.severity == .error }
        if let wrong { throw ArchiveError("\(wrong)") }
        versions.append(
          Version(name: file.deletingPathExtension().lastPathComponent, schema: schema)
        )
      } catch {
        let reason = (error as? ArchiveError)?.description ?? error.localizedDescription
        problems.append(
          ModelProblem(
            file: file == url ? url.lastPathComponent : "\(name).momd/\(file.lastPathComponent)",
            message: "the compiled model cannot be read: \(reason)"
          )
        )
      }
    }
    guard problems.isEmpty else { throw ModelError(problems: problems) }
    let current = try Self.currentVersionName(of: url, among: versions.map(\.name))
    self.init(name: name, versions: versions, currentVersionName: current)
  }

  private static func versionFiles(of url: URL) throws(ModelError) -> [URL] {
    guard url.pathExtension == "momd" else { return [url] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw ModelError(
        ModelProblem(
          file: url.lastPathComponent,
          message: "the compiled model cannot be read: \(error.localizedDescription)"
        )
      )
    }
    return
      names
      .filter { $0.hasSuffix(".mom") }
      .sorted { $0.dropLast(4).compare($1.dropLast(4), options: .numeric) == .orderedAscending }
      .map { url.appendingPathComponent($0) }
  }

  private static func currentVersionName(
    of url: URL,
    among names: [String]
  ) throws(ModelError) -> String {
    guard let last = names.last else {
      throw ModelError(
        ModelProblem(
          file: url.lastPathComponent,
          message: "the compiled model has no version: no .mom in the folder"
        )
      )
    }
    let file = url.appendingPathComponent("VersionInfo.plist")
    // Without the file, or without the name in it, the last version is the current one.
    guard let data = try? Data(contentsOf: file),
      let plist = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let info = plist as? [String: Any],
      let name = info[VersionInfoKey.current] as? String
    else { return last }
    guard names.contains(name) else {
      throw ModelError(
        ModelProblem(
          file: "\(url.lastPathComponent)/VersionInfo.plist",
          message: "the current version is \"\(name)\", but there is no \(name).mom"
        )
      )
    }
    return name
  }
}

// MARK: - Writing

extension CompiledModel {
  /// Writes the `.momd` folder, replacing one that is there.
  package func write(to url: URL) throws {
    var files = ["VersionInfo.plist": versionInfo.binary]
    for version in versions {
      files["\(version.name).mom"] = try ModelArchive.encode(version.schema)
    }
    // Everything is encoded before anything on disk changes.
    if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, data) in files { try data.write(to: url.appendingPathComponent(name)) }
  }

  private var versionInfo: PropertyListValue {
    var hashes: [String: PropertyListValue] = [:]
    var checksums: [String: PropertyListValue] = [:]
    for version in versions {
      let own = version.schema.entityVersionHashes
      hashes[version.name] = .dictionary(own.mapValues(PropertyListValue.data))
      checksums[version.name] = .text(ModelDigest.checksum(of: own))
    }
    var info: [String: PropertyListValue] = [
      VersionInfoKey.hashes: .dictionary(hashes),
      VersionInfoKey.checksums: .dictionary(checksums),
    ]
    if versions.count > 1 { info[VersionInfoKey.current] = .text(currentVersionName) }
    return .dictionary(info)
  }
}

private enum VersionInfoKey {
  static let current = "NSManagedObjectModel_CurrentVersionName"
  static let hashes = "NSManagedObjectModel_VersionHashes"
  static let checksums = "NSManagedObjectModel_VersionChecksums"
}
