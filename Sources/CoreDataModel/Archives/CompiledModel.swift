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

  /// Compiles a source.
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
  /// Versions with the name of the current one.
  package typealias Versions = (versions: [Version], current: String)
}

extension CompiledModel {
  /// Reads a `.momd` folder or a `.mom` file, with all its problems in one error.
  package init(contentsOf url: URL) throws(ModelError) {
    let folder = try CompiledModelFolder(at: url)
    var problems: [ModelProblem] = []
    var versions: [Version] = []
    for name in folder.versionNames {
      do {
        versions.append(try folder.version(named: name))
      } catch {
        problems += error.problems
      }
    }
    guard problems.isEmpty else { throw ModelError(problems: problems) }
    let current = try folder.currentVersionName()
    self.init(name: folder.name, versions: versions, currentVersionName: current)
  }
}

// MARK: - Writing

extension CompiledModel {
  /// Writes the `.momd` folder, replacing one that is there; throws if that holds anything else.
  package func write(to url: URL) throws {
    var files = ["VersionInfo.plist": versionInfo.binary]
    for version in versions {
      files["\(version.name).mom"] = try ModelArchive.encode(version.schema)
    }
    try ModelReplacement.compiled.write(to: url) { place in
      for (name, data) in files { try data.write(to: place.appendingPathComponent(name)) }
    }
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

enum VersionInfoKey {
  static let current = "NSManagedObjectModel_CurrentVersionName"
  static let hashes = "NSManagedObjectModel_VersionHashes"
  static let checksums = "NSManagedObjectModel_VersionChecksums"
}
