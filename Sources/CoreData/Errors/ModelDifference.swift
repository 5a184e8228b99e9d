import Foundation

/// How a store's entities differ from a model's, by their version hashes.
///
/// ```
/// Note and Tag differ; Folder is only in the model; Bin is only in the store.
/// ```
package struct ModelDifference: Hashable, Sendable {
  package let storeHashes: [String: Data]
  package let modelHashes: [String: Data]

  /// `nil` if there is no difference.
  package init?(storeHashes: [String: Data], modelHashes: [String: Data]) {
    guard storeHashes != modelHashes else { return nil }
    self.storeHashes = storeHashes
    self.modelHashes = modelHashes
  }

  package var changed: [String] {
    modelHashes.filter { name, hash in
      storeHashes[name].map { $0 != hash } ?? false
    }.keys.sorted()
  }

  package var onlyInModel: [String] {
    modelHashes.keys.filter { storeHashes[$0] == nil }.sorted()
  }

  package var onlyInStore: [String] {
    storeHashes.keys.filter { modelHashes[$0] == nil }.sorted()
  }

  /// The difference as a sentence.
  package var sentence: String { words + "." }

  /// The same as a part of a sentence.
  package var words: String {
    let parts = [
      clause(changed, "differs", "differ"),
      clause(onlyInModel, "is only in the model", "are only in the model"),
      clause(onlyInStore, "is only in the store", "are only in the store"),
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  private func clause(_ names: [String], _ one: String, _ several: String) -> String? {
    guard let last = names.last else { return nil }
    let others = names.dropLast().joined(separator: ", ")
    return others.isEmpty ? "\(last) \(one)" : "\(others) and \(last) \(several)"
  }
}
