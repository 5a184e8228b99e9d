import CoreDataSyncCore
import Foundation

/// What a model has that an earlier one had not, whose fingerprint is still known.
struct ModelNews {
  /// The new properties of entities that were there already.
  private(set) var properties: [String: Set<PropertyID>] = [:]
  private var hasEntities = false

  /// Nothing is new.
  init() {}

  init(_ model: SyncModel, since fingerprint: String) {
    let lines = ";\(fingerprint)"
    for entity in model.entities.values {
      guard let name = lines.range(of: ";\(entity.name):") else {
        hasEntities = true
        continue
      }
      let numbers = lines[name.upperBound...].prefix { $0 != ";" }.split(separator: ",")
      let known = Set(numbers.compactMap { UInt64($0, radix: 36) })
      let all = entity.attributes.map(\.property) + entity.roles.map(\.property)
      let new = all.filter { !known.contains($0.number) }
      if !new.isEmpty { properties[entity.name] = Set(new) }
    }
  }

  var isEmpty: Bool { properties.isEmpty && !hasEntities }
}
