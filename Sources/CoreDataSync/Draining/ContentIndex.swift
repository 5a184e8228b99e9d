import CoreData
import CoreDataModel
import CoreDataSyncCore

/// Finds the objects of known cells whose object in the store is unknown, by their content.
///
/// So a store that is read for the first time, and whose objects are known from elsewhere, does not get
/// each of them twice.
struct ContentIndex {
  /// By digests of the contents, so that a store's texts are not in memory.
  private var ids: [SyncID: [SyncID]] = [:]

  init(_ sidecar: Sidecar, _ model: SyncModel) throws {
    let projector = Projector(sidecar, model.schema)
    for id in try sidecar.identities(in: .cell).sorted(by: >)
    where try sidecar.address(of: id) == nil {
      guard let object = try projector.object(id), let rules = model.schema[object.entity] else {
        continue
      }
      var values = rules.attributes.merging(object.attributes) { $1 }
      for attribute in model.entities[object.entity]?.attributes ?? [] {
        values[attribute.property] = values[attribute.property].map(attribute.shown)
      }
      ids[Self.key(object.entity, values), default: []].append(id)
    }
  }

  /// An object with this content, which is not found a second time.
  mutating func take(_ object: NSManagedObject, _ entity: SyncEntity) throws -> SyncID? {
    if ids.isEmpty { return nil }
    var values: [PropertyID: CellValue] = [:]
    for attribute in entity.attributes {
      values[attribute.property] = try attribute.cellValue(of: object.value(forKey: attribute.name))
    }
    return ids[Self.key(entity.name, values)]?.popLast()
  }

  private static func key(_ entity: String, _ values: [PropertyID: CellValue]) -> SyncID {
    var writer = ByteWriter()
    writer.write(entity)
    for (property, value) in values.sorted(by: { $0.key < $1.key }) where value != .null {
      writer.write(property.number)
      writer.write(counted: value.payload)
    }
    return SyncID(natural: Array(SHA256.digest(of: writer.bytes)))
  }
}
