import CoreData
import CoreDataModel
import Foundation

/// Which model a store is read by.
///
/// ```
/// (nothing)                  the one inside the store
/// --model Notes.momd         the version of it that the store was made with
/// --model Other.sqlite       the one inside another store
/// --without-model            what the tables of the store tell by themselves, or the objects of an XML store
/// ```
enum ModelChoice {
  /// Whether the command could do with the tables alone.
  case inStore(orTables: Bool)
  case file(URL)
  case tables

  init(_ arguments: inout CommandArguments) throws(Mistake) {
    let readsTables = arguments.flag("--without-model")
    try self.init(given: &arguments)
    if case .inStore = self { self = .inStore(orTables: true) }
    if readsTables {
      if case .file = self {
        throw arguments.mistake("--model and --without-model cannot be used together")
      }
      self = .tables
    }
  }

  /// For a command that needs facts that tables lack, such as required properties.
  init(given arguments: inout CommandArguments) throws(Mistake) {
    let path = try arguments.value(ifGiven: "--model")
    self = path.map { .file(URL(filePath: $0)) } ?? .inStore(orTables: false)
  }

  var isFile: Bool { if case .file = self { true } else { false } }

  init(_ url: URL?) {
    self = url.map { .file($0) } ?? .inStore(orTables: false)
  }
}

/// A model that was chosen, and its origin.
struct ChosenModel {
  let schema: ModelSchema
  /// As in "the model is in the store".
  let place: String
  /// Whether names and types may be others than those of the program that has made the store.
  var isGuessed = false
}

extension ModelChoice {
  /// The model that was chosen; nil for the one inside the store.
  func given(forStoreAt store: URL) throws -> ModelSchema? {
    if case .inStore = self { nil } else { try model(forStoreAt: store).schema }
  }

  func model(forStoreAt store: URL) throws -> ChosenModel {
    switch self {
    case .inStore:
      ChosenModel(schema: try StoredModel(inStoreAt: store).schema, place: "in the store")
    case .tables:
      try Self.modelFromTables(ofStoreAt: store)
    case .file(let url):
      try Self.model(in: url, forStoreAt: store)
    }
  }

  private static func modelFromTables(ofStoreAt store: URL) throws -> ChosenModel {
    if StoreFileType(of: store) == .xml {
      let told = try StoredModel(inXMLStoreAt: store)
      return ChosenModel(schema: told.schema, place: "derived from the objects", isGuessed: true)
    }
    let told = try StoredModel(inStoreAt: store, from: .tables)
    let all = told.schema.entities.count
    let confirmed = told.confirmedEntities.count
    return ChosenModel(
      schema: told.schema,
      place: "derived from the tables; the version hashes confirm "
        + (confirmed == all ? "it" : "\(confirmed) of \(all.of("entity", "entities"))"),
      isGuessed: confirmed < all
    )
  }

  /// Of several versions, the one that fits the store; the current one where none does.
  private static func model(in url: URL, forStoreAt store: URL) throws -> ChosenModel {
    let file = try ModelFile(contentsOf: url)
    let hashes = StoreHashes(ofStoreAt: store)
    let fitting = file.version(fitting: hashes)
    let place =
      switch file.form {
      case .store: "in the store \(url.relativePath)"
      case .source where fitting != nil && file.versionNames.count > 1,
        .compiled where fitting != nil && file.versionNames.count > 1:
        "\(url.relativePath), version “\(fitting?.name ?? "")”"
      case .source, .compiled: url.relativePath
      }
    return ChosenModel(schema: try fitting?.schema ?? file.version().schema, place: place)
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

  /// Empty for a file without metadata; opening it says why.
  init(ofStoreAt url: URL) {
    let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: StoreFileType(of: url).type,
      at: url
    )
    hashes = metadata?[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
  }

  func fit(_ schema: ModelSchema) -> Bool {
    configurations(of: schema).contains { difference(from: schema, $0) == nil }
  }

  /// The difference in a sentence; `nil` if the model is the store's.
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
