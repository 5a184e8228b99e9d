package import Foundation

/// A data model as Xcode keeps it in a project, read whole.
///
/// A single `.xcdatamodel`, as a folder or as a bare XML file, is a model of one version.
package struct ModelSource: Sendable {
  package var name: String
  /// The versions, in the order in which a person counts: `Notes`, `Notes 2`, `Notes 10`.
  package var versions: [Version]
  package var currentVersionName: String
  /// Things that are dubious but usable.
  package var warnings: [ModelProblem]

  package struct Version: Hashable, Sendable {
    package var name: String
    package var schema: ModelSchema
    /// The XML file, or the archive that Xcode 3 wrote.
    package var url: URL
  }

  /// Reads a model, with all problems of all versions in one error.
  ///
  /// A version of Xcode 3 that cannot be read is left out with a warning, unless it is the current one.
  package init(contentsOf url: URL) throws(ModelError) {
    let folder = try ModelSourceFolder(at: url)
    var problems: [ModelProblem] = []
    var current: String?
    do {
      let (name, warning) = try folder.currentVersion()
      current = name
      problems += [warning].compactMap(\.self)
    } catch {
      problems += error.problems
    }
    var versions: [Version] = []
    for name in folder.versionNames {
      do {
        let (version, warnings) = try folder.version(named: name)
        versions.append(version)
        problems += warnings
      } catch {
        let mayBeMissing = name != current && folder.isArchive(version: name)
        problems += error.problems.map { mayBeMissing ? $0.asWarning : $0 }
      }
    }
    let errors = problems.filter { $0.severity == .error }
    guard errors.isEmpty, let current else { throw ModelError(problems: errors) }
    self.name = folder.name
    self.versions = versions
    currentVersionName = current
    warnings = problems
  }

  /// The schema of the current version.
  package var current: ModelSchema {
    versions.first { $0.name == currentVersionName }?.schema ?? ModelSchema()
  }
}
