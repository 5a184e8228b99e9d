import CoreData
import CoreDataModel
import Foundation

/// The versions of a model, from whatever file has one, each read when it is needed.
///
///     Notes.xcdatamodeld   Notes.xcdatamodel    Xcode's source, one version or several
///     Notes.momd           Notes.mom            compiled
///     Notes.sqlite                              a store, which carries the model it was made for
struct ModelFile {
  let url: URL
  let name: String
  /// As a person counts: `Notes`, `Notes 2`, `Notes 10`.
  let versionNames: [String]
  private let content: Content

  enum Form {
    case source
    case compiled
    case store
  }

  private enum Content {
    case source(ModelSourceFolder)
    case compiled(CompiledModelFolder)
    case store(ModelSchema)
  }

  init(contentsOf url: URL) throws(ModelError) {
    self.url = url
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw ModelError(ModelProblem(file: url.path, message: MissingFile.words(url.path)))
    }
    switch try Form(of: url) {
    case .source:
      let folder = try ModelSourceFolder(at: url)
      (name, versionNames, content) = (folder.name, folder.versionNames, .source(folder))
    case .compiled:
      let folder = try CompiledModelFolder(at: url)
      (name, versionNames, content) = (folder.name, folder.versionNames, .compiled(folder))
    case .store:
      name = url.deletingPathExtension().lastPathComponent
      versionNames = [name]
      content = .store(try Self.model(inStoreAt: url))
    }
  }

  var form: Form {
    switch content {
    case .source: .source
    case .compiled: .compiled
    case .store: .store
    }
  }

  private static func model(inStoreAt url: URL) throws(ModelError) -> ModelSchema {
    do {
      let stored = try refusing { try StoredModel(inStoreAt: url, from: .best) }
      if stored.source == .tables {
        CoreDataCommand.complain(
          "\(url.relativePath) has no model that can be read; this one was derived from its tables"
        )
      }
      return stored.schema
    } catch {
      throw ModelError(ModelProblem(file: url.lastPathComponent, message: "\(error)"))
    }
  }
}

extension ModelFile.Form {
  /// The kind of a file, by its name; if the name does not show it, the file is a store if it
  /// begins like one.
  fileprivate init(of url: URL) throws(ModelError) {
    switch url.pathExtension {
    case "xcdatamodeld", "xcdatamodel": self = .source
    case "momd", "mom": self = .compiled
    case _:
      // A folder, or a file that cannot be read, does not begin like a store.
      let beginning = try? FileHandle(forReadingFrom: url).read(upToCount: 15)
      guard beginning == Data("SQLite format 3".utf8) else {
        throw ModelError(
          ModelProblem(
            file: url.lastPathComponent,
            message:
              "the file is not a model; give a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a "
              + "SQLite store"
          )
        )
      }
      self = .store
    }
  }
}

// MARK: - Versions

extension ModelFile {
  /// The name of the current version; doubts about it are printed, unless nobody asked for it.
  func currentVersionName(saysDoubts: Bool = true) throws(ModelError) -> String {
    switch content {
    case .source(let folder):
      let (name, warning) = try folder.currentVersion()
      if let warning, saysDoubts { CoreDataCommand.complain(warning.description) }
      return name
    case .compiled(let folder): return try folder.currentVersionName()
    case .store: return name
    }
  }

  /// A version by its name; the current one when none is asked for.
  func version(_ name: String? = nil) throws(ModelError) -> CompiledModel.Version {
    let wanted = if let name { name } else { try currentVersionName() }
    guard versionNames.contains(wanted) else {
      throw ModelError(
        ModelProblem(
          file: url.lastPathComponent,
          message: "the model has no version '\(wanted)'; its versions are "
            + versionNames.joined(separator: ", ")
        )
      )
    }
    switch content {
    case .source(let folder):
      let version = try folder.version(named: wanted).version
      return CompiledModel.Version(name: version.name, schema: version.schema)
    case .compiled(let folder): return try folder.version(named: wanted)
    case .store(let schema): return CompiledModel.Version(name: wanted, schema: schema)
    }
  }

  /// All versions; those of Xcode 3 that cannot be read are left out, which is said.
  func versions() throws(ModelError) -> [CompiledModel.Version] {
    var versions: [CompiledModel.Version] = []
    for name in versionNames {
      do {
        versions.append(try version(name))
      } catch {
        guard case .source(let folder) = content, versionNames.count > 1,
          folder.isArchive(version: name)
        else { throw error }
        for problem in error.problems { CoreDataCommand.complain(problem.asWarning.description) }
      }
    }
    return versions
  }

  /// The version that a store was made with; `nil` if it is none of them.
  ///
  /// If the file says which one it is, no other is read; otherwise the newest come first.
  func version(fitting hashes: StoreHashes) -> CompiledModel.Version? {
    for name in versionNames.reversed().sorted(by: { isLikely($0, hashes) && !isLikely($1, hashes) }
    ) {
      // A version that cannot be read is not the one, unless none is; then that is told.
      if let version = try? version(name), hashes.fit(version.schema) { return version }
    }
    return nil
  }

  private func isLikely(_ name: String, _ store: StoreHashes) -> Bool {
    guard case .compiled(let folder) = content, let told = folder.hashes(ofVersion: name) else {
      return false
    }
    return store.hashes.allSatisfy { told[$0.key] == $0.value }
  }
}
