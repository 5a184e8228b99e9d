import CoreData
import CoreDataModel
import Foundation

/// Which model a store is read by.
///
/// ```
/// (nothing)                  the one inside the store
/// --model Notes.momd         the version of it that the store was made with
/// --model Other.sqlite       the one inside another store
/// ```
enum ModelChoice {
  case inStore
  case file(URL)

  init(_ arguments: inout CommandArguments) throws(Mistake) {
    let path = try arguments.value(ifGiven: "--model")
    self = path.map { .file(URL(filePath: $0)) } ?? .inStore
  }

  init(_ url: URL?) {
    self = url.map { .file($0) } ?? .inStore
  }
}

/// A model that was chosen, and where it came from.
struct ChosenModel {
  let schema: ModelSchema
  /// As in "the model is in the store".
  let place: String
}

extension ModelChoice {
  func model(forStoreAt store: URL) throws -> ChosenModel {
    switch self {
    case .inStore:
      ChosenModel(schema: try StoredModel(inStoreAt: store).schema, place: "in the store")
    case .file(let url) where Self.isStore(url):
      ChosenModel(
        schema: try StoredModel(inStoreAt: url).schema,
        place: "in the store \(url.relativePath)"
      )
    case .file(let url):
      try Self.model(in: url, forStoreAt: store)
    }
  }

  /// Of several versions the one that fits the store; the current one where none does.
  private static func model(in url: URL, forStoreAt store: URL) throws -> ChosenModel {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw Refusal("\(url.relativePath): there is no such model")
    }
    let versions = try versions(in: url)
    let hashes = StoreHashes(ofStoreAt: store)
    let fitting = versions.all.first { hashes.fit($0.schema) }
    if let fitting, versions.all.count > 1 {
      let place = "\(url.relativePath), version “\(fitting.name)”"
      return ChosenModel(schema: fitting.schema, place: place)
    }
    return ChosenModel(schema: versions.current, place: url.relativePath)
  }

  private static func versions(
    in url: URL
  ) throws -> (all: [(name: String, schema: ModelSchema)], current: ModelSchema) {
    if ["momd", "mom"].contains(url.pathExtension) {
      let model = try CompiledModel(contentsOf: url)
      return (model.versions.map { ($0.name, $0.schema) }, model.current)
    }
    let source = try ModelSource(contentsOf: url)
    return (source.versions.map { ($0.name, $0.schema) }, source.current)
  }

  private static func isStore(_ url: URL) -> Bool {
    guard let file = FileHandle(forReadingAtPath: url.path) else { return false }
    // A folder cannot be read; it is no store.
    return (try? file.read(upToCount: 15)) == Data("SQLite format 3".utf8)
  }
}

extension ModelSchema {
  /// The same without defaults that are objects of other programs' classes, which only new objects have.
  var withoutArchivedDefaults: ModelSchema {
    var schema = self
    for entity in entities.indices {
      for attribute in entities[entity].attributes.indices {
        guard case .archived = entities[entity].attributes[attribute].defaultValue else { continue }
        schema.entities[entity].attributes[attribute].defaultValue = nil
      }
    }
    return schema
  }
}

// MARK: - Whether they fit

/// The version hashes in a store's metadata.
struct StoreHashes {
  let hashes: [String: Data]

  /// No hashes for a file that has no metadata; opening it says why.
  init(ofStoreAt url: URL) {
    let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: url
    )
    hashes = metadata?[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
  }

  func fit(_ schema: ModelSchema) -> Bool {
    configurations(of: schema).contains { difference(from: schema, $0) == nil }
  }

  /// What is different, in a sentence; nil where the model is the store's.
  func difference(from schema: ModelSchema) -> String? {
    fit(schema) || hashes.isEmpty ? nil : difference(from: schema, nil)?.sentence
  }

  /// A store may hold a part of the model only.
  private func configurations(of schema: ModelSchema) -> [String?] {
    [nil] + schema.configurations.keys.sorted()
  }

  private func difference(
    from schema: ModelSchema,
    _ configuration: String?
  ) -> ModelDifference? {
    let names = configuration.flatMap { schema.configurations[$0] }
    let own = schema.entityVersionHashes.filter { names?.contains($0.key) ?? true }
    return ModelDifference(storeHashes: hashes, modelHashes: own)
  }
}
