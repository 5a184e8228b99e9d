import CoreDataModel
import Foundation

/// The models that a store had before its present one, as digests of their version hashes, oldest first.
///
/// Each migration notes the model that it replaces in the store's metadata. If a program finds its own model among
/// them, the program is older than the store, and must not migrate the store back.
package enum FormerModels {
  private static let key = "CoreDataFormerModels"
  /// The oldest ones are forgotten.
  private static let most = 100

  private static func list(in metadata: [String: Any]) -> [String] {
    metadata[key] as? [String] ?? []
  }

  /// Returns whether a store had a model with these version hashes.
  static func contain(_ hashes: [String: Data], in metadata: [String: Any]) -> Bool {
    let former = list(in: metadata)
    return !former.isEmpty && former.contains(ModelDigest.digest(of: hashes))
  }

  /// Notes a migration in the metadata of the migrated store.
  ///
  /// If the store returns to a model that it had before, later models are removed from the list, so that their programs
  /// migrate it again.
  ///
  /// - Parameters:
  ///   - old: The metadata before the migration.
  ///   - metadata: The metadata after it, with the version hashes of the new model.
  package static func note(migrationFrom old: [String: Any], in metadata: inout [String: Any]) {
    var former = list(in: old)
    let before = old[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let after = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    if before != after { former.append(ModelDigest.digest(of: before)) }
    if let place = former.firstIndex(of: ModelDigest.digest(of: after)) {
      former.removeSubrange(place...)
    }
    metadata[key] = former.isEmpty ? nil : Array(former.suffix(most))
  }

  /// Takes over what a store's metadata say of its model, if the store has been migrated since others were read.
  static func keepModel(of found: [String: Any], in metadata: inout [String: Any]) {
    if list(in: found) == list(in: metadata) { return }
    let names = metadata.keys.filter(isOfModel) + found.keys.filter(isOfModel)
    for name in names { metadata[name] = found[name] }
  }

  private static func isOfModel(_ name: String) -> Bool {
    // The metadata of the program stay, whatever they are called.
    name == key
      || ["NSStoreModelVersion", "CoreDataDeferred", "NSPersistentStoreDeferred"]
        .contains(where: name.hasPrefix)
  }
}
