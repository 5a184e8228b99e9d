import CoreData
import CoreDataModel
import Foundation

/// The versions of a model, from whatever file has one.
///
///     Notes.xcdatamodeld   Notes.xcdatamodel    Xcode's source, one version or several
///     Notes.momd           Notes.mom            compiled
///     Notes.sqlite                              a store, which carries the model it was made for
struct ModelFile {
  let url: URL
  let name: String
  /// As a person counts: `Notes`, `Notes 2`, `Notes 10`.
  let versions: [CompiledModel.Version]
  let currentVersionName: String
  let form: Form

  enum Form {
    case source
    case compiled
    case store
  }

  init(contentsOf url: URL) throws(ModelError) {
    self.url = url
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw ModelError(ModelProblem(file: url.path, message: "there is no such file"))
    }
    switch try Form(of: url) {
    case .source:
      let source = try ModelSource(contentsOf: url)
      name = source.name
      versions = source.versions.map { .init(name: $0.name, schema: $0.schema) }
      currentVersionName = source.currentVersionName
      form = .source
    case .compiled:
      let model = try CompiledModel(contentsOf: url)
      name = model.name
      versions = model.versions
      currentVersionName = model.currentVersionName
      form = .compiled
    case .store:
      name = url.deletingPathExtension().lastPathComponent
      versions = [.init(name: name, schema: try Self.model(inStoreAt: url))]
      currentVersionName = name
      form = .store
    }
  }

  private static func model(inStoreAt url: URL) throws(ModelError) -> ModelSchema {
    do {
      let stored = try refusing { try StoredModel(inStoreAt: url, from: .best) }
      if stored.source == .tables {
        CoreDataCommand.complain(
          "\(url.relativePath) has no model that can be read; this one is put together from its tables"
        )
      }
      return stored.schema
    } catch {
      throw ModelError(ModelProblem(file: url.lastPathComponent, message: "\(error)"))
    }
  }
}

extension ModelFile.Form {
  /// What a file is, by its name; a name that says nothing is a store's if the file begins like one.
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
              "the file is no model; give a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a "
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
  /// A version by its name; the current one when none is asked for.
  func version(_ name: String? = nil) throws(ModelError) -> CompiledModel.Version {
    let wanted = name ?? currentVersionName
    if let version = versions.first(where: { $0.name == wanted }) { return version }
    throw ModelError(
      ModelProblem(
        file: url.lastPathComponent,
        message: "the model has no version '\(wanted)'; its versions are "
          + versions.map(\.name).joined(separator: ", ")
      )
    )
  }
}
