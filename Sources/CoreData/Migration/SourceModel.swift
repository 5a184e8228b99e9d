import CoreDataModel
import CoreDataModelChanges
import Foundation

/// The model that a store was made with: one of the program's, or the one in the file.
struct SourceModel {
  let schema: ModelSchema
  /// The versions between it and the destination, if one model file has all of them.
  let versionsBetween: [ModelSchema]
  /// Whether it is a version of the very model with which the program opens the store: then the author of the new
  /// version knows what it leaves out.
  ///
  /// A model that is in the file alone may be newer than the program's, and any other model that is found may belong
  /// to another program, whose file this is.
  let isVersion: Bool

  /// Searches the models in all bundles, then the store; `nil` if neither contains the model.
  ///
  /// `hashes` are those that the store's metadata has.
  init?(
    hashes: [String: Data],
    configuration: String?,
    destination: ModelSchema,
    stored: () -> ModelSchema?
  ) {
    let isIt = { (schema: ModelSchema) in
      // Most models that lie about have other entities, and need not be hashed.
      let names = Set(schema.entities.map(\.name))
      guard hashes.keys.allSatisfy(names.contains) else { return false }
      let own = schema.entityVersionHashes
      return own == hashes
        || StoreMetadata.versionHashes(own, of: schema, in: configuration) == hashes
    }
    let end = destination.entityVersionHashes
    let placeOfDestination = { (model: [ModelSchema]) in
      model.firstIndex { $0.entityVersionHashes == end }
    }
    let candidates = Self.models(of: hashes.keys).filter { $0.contains(where: isIt) }
    // Beside the model that the program opens the store with, if it is there.
    for model in candidates.filter({ placeOfDestination($0) != nil }) + candidates {
      guard let place = model.firstIndex(where: isIt) else { continue }
      let end = placeOfDestination(model)
      schema = model[place]
      isVersion = end != nil
      // They are sorted as a person counts, so that later ones come later.
      versionsBetween = end.map { $0 > place + 1 ? Array(model[(place + 1)..<$0]) : [] } ?? []
      return
    }
    guard let stored = stored(), isIt(stored) else { return nil }
    schema = stored
    versionsBetween = []
    isVersion = false
  }

  init(_ schema: ModelSchema, versionsBetween: [ModelSchema] = []) {
    self.schema = schema
    isVersion = true
    self.versionsBetween = versionsBetween
  }

  /// Everywhere that a program may have models.
  static var bundles: [Bundle] { ProgramBundles.all }

  /// The versions of every compiled model that the program has and that may have entities of these names: first of
  /// those files that it has read models from, wherever they are.
  private static func models(of entities: some Collection<String>) -> [[ModelSchema]] {
    let files = LoadedModelFiles.all + ModelFile.compiled(in: bundles)
    var seen: Set<String> = []
    return files.filter { seen.insert($0.standardizedFileURL.path).inserted }
      .filter { mayHave(entities, in: $0) }
      // A model that cannot be read is not the one.
      .compactMap { try? ModelFile(contentsOf: $0).versions }
  }

  /// Whether a version of a compiled model may have entities of these names: for most models the folder is enough to
  /// rule it out.
  private static func mayHave(_ entities: some Collection<String>, in file: URL) -> Bool {
    guard let folder = try? CompiledModelFolder(at: file) else { return true }
    return folder.versionNames.contains { version in
      guard let hashes = folder.hashes(ofVersion: version) else { return true }
      return entities.allSatisfy { hashes[$0] != nil }
    }
  }

  /// The comparisons to go through: one, if all can be inferred at once; otherwise one for each version, as for a
  /// user who had installed them all.
  ///
  /// Apple's framework does not go step by step by itself; it only refuses.
  func route(to destination: ModelSchema) throws(MigrationFailure) -> [ModelComparison] {
    let direct = ModelComparison(from: schema, to: destination)
    if direct.obstacles.isEmpty { return [direct] }
    var route: [ModelComparison] = []
    var last = schema
    for version in versionsBetween + [destination] where !versionsBetween.isEmpty {
      let comparison = ModelComparison(from: last, to: version)
      guard comparison.obstacles.isEmpty else {
        throw MigrationFailure(obstacles: direct.obstacles)
      }
      if comparison.needsMigration || version == destination { route.append(comparison) }
      last = version
    }
    guard !route.isEmpty else { throw MigrationFailure(obstacles: direct.obstacles) }
    return route
  }
}
