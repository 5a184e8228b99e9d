import CoreDataSyncCore
import Foundation

/// The additions of a model to an earlier one whose fingerprint is still known.
struct ModelNews {
  /// The new properties of entities that were there already, and composite attributes that have new elements.
  private(set) var properties: [String: Set<PropertyID>] = [:]
  private var known: [String: Set<PropertyID>] = [:]
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
      let known = Set(
        numbers.compactMap { UInt64($0, radix: 36) }.map { PropertyID(number: $0) }
      )
      self.known[entity.name] = known
      let new =
        entity.attributes.filter { !known.isSuperset(of: $0.numbers) }.map(\.property)
        + entity.roles.map(\.property).filter { !known.contains($0) }
      if !new.isEmpty { properties[entity.name] = Set(new) }
    }
  }

  /// Whether the earlier model had a property, or an element of a composite attribute by the number of its path.
  func wasKnown(_ number: PropertyID, of entity: String) -> Bool {
    known[entity]?.contains(number) == true
  }

  var isEmpty: Bool { properties.isEmpty && !hasEntities }
}
