import CoreData
import Foundation

/// A store that a user might write: a file with a line of JSON for each object.
///
/// ```
/// {"uuid": "…", "note": "…"}
/// {"entity": "Note", "id": "…", "values": {"title": "First"}, "links": {"folder": ["Folder …"]}}
/// ```
final class JSONLinesStore: NSAtomicStore, @unchecked Sendable {
  static let storeType = NSPersistentStore.StoreType(rawValue: "JSONLines")
  /// Thrown by the next saves, as long as it is set.
  var refusal: (any Error)?
  /// The requests of the framework.
  private(set) var log: [String] = []

  override var type: String { Self.storeType.rawValue }

  // MARK: Metadata

  override func loadMetadata() throws {
    guard let line = try lines().first else { return }
    metadata = Self.metadata(in: try Self.object(line))
  }

  override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    let text = try String(contentsOf: url, encoding: .utf8)
    return metadata(in: try object(text.components(separatedBy: "\n").first ?? "{}"))
  }

  private static func metadata(in object: [String: Any]) -> [String: Any] {
    let hashes = object["hashes"] as? [String: String] ?? [:]
    return [
      NSStoreUUIDKey: object["uuid"] as? String ?? "",
      NSStoreTypeKey: storeType.rawValue,
      NSStoreModelVersionHashesKey: hashes.compactMapValues { Data(base64Encoded: $0) },
      "author": object["author"] as? String ?? "",
    ]
  }

  private var metadataLine: [String: Any] {
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    return [
      "uuid": identifier ?? "", "author": metadata["author"] as? String ?? "",
      "hashes": hashes.mapValues { $0.base64EncodedString() },
    ]
  }

  // MARK: Reading

  override func load() throws {
    log.append("load")
    guard let model = persistentStoreCoordinator?.managedObjectModel else { return }
    let objects = try lines().dropFirst().map(Self.object)
    var nodes: [String: NSAtomicStoreCacheNode] = [:]
    for object in objects {
      guard let name = object["entity"] as? String, let id = object["id"] as? String,
        let entity = model.entitiesByName[name]
      else { throw CocoaError(.fileReadCorruptFile) }
      let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: id))
      for (key, value) in object["values"] as? [String: Any] ?? [:] {
        guard let attribute = entity.attributesByName[key] else { continue }
        node.setValue(JSONValue.decoded(value, as: attribute.attributeType), forKey: key)
      }
      nodes[id] = node
    }
    for object in objects {
      guard let node = nodes[object["id"] as? String ?? ""] else { continue }
      for (key, ids) in object["links"] as? [String: [String]] ?? [:] {
        let members = ids.compactMap { nodes[$0] }
        let relationship = node.objectID.entity.relationshipsByName[key]
        if relationship?.isToMany == false {
          node.setValue(members.first, forKey: key)
        } else if relationship?.isOrdered == true {
          node.setValue(NSOrderedSet(array: members), forKey: key)
        } else {
          node.setValue(NSSet(array: members), forKey: key)
        }
      }
    }
    addCacheNodes(Set(nodes.values))
  }

  private func lines() throws -> [String] {
    guard let url, FileManager.default.fileExists(atPath: url.path) else { return [] }
    return try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
      .filter { !$0.isEmpty }
  }

  private static func object(_ line: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    guard let object = object as? [String: Any] else { throw CocoaError(.fileReadCorruptFile) }
    return object
  }

  // MARK: Writing

  override func save() throws {
    log.append("save")
    if let refusal { throw refusal }
    guard let url else { return }
    let objects = [metadataLine] + cacheNodes().map(line)
    let lines = try objects.map { object in
      String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }
    try lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
  }

  private func line(of node: NSAtomicStoreCacheNode) -> [String: Any] {
    let entity = node.objectID.entity
    var values: [String: Any] = [:]
    for key in entity.attributesByName.keys {
      if let value = node.value(forKey: key) { values[key] = JSONValue.encoded(value) }
    }
    var links: [String: [String]] = [:]
    for key in entity.relationshipsByName.keys {
      let nodes: [Any] =
        switch node.value(forKey: key) {
        case let set as NSSet: set.allObjects
        case let set as NSOrderedSet: set.array
        case let node?: [node]
        case nil: []
        }
      links[key] = nodes.compactMap { $0 as? NSAtomicStoreCacheNode }
        .compactMap { referenceObject(for: $0.objectID) as? String }
    }
    return [
      "entity": entity.name ?? "", "id": referenceObject(for: node.objectID), "values": values,
      "links": links,
    ]
  }

  override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    UUID().uuidString
  }

  override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    log.append("remove \(cacheNodes.count)")
  }

  override func didAdd(to coordinator: NSPersistentStoreCoordinator) {
    log.append("didAdd")
  }

  override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
    log.append("willRemove")
  }
}

/// Attribute values as JSON has them.
enum JSONValue {
  static func encoded(_ value: Any) -> Any {
    switch value {
    case let date as Date: date.timeIntervalSinceReferenceDate
    case let data as Data: data.base64EncodedString()
    case let uuid as UUID: uuid.uuidString
    case let url as URL: url.absoluteString
    case let decimal as NSDecimalNumber: decimal.stringValue
    case let number as NSNumber: number
    case let list as [Any]: list
    case let other: other
    }
  }

  static func decoded(_ value: Any, as type: NSAttributeType) -> Any? {
    let text = value as? String ?? ""
    return switch type {
    case .dateAttributeType: (value as? Double).map(Date.init(timeIntervalSinceReferenceDate:))
    case .binaryDataAttributeType: Data(base64Encoded: text)
    case .UUIDAttributeType: UUID(uuidString: text)
    case .URIAttributeType: URL(string: text)
    case .decimalAttributeType: NSDecimalNumber(string: text)
    case .transformableAttributeType: value as? NSArray ?? (value as? [Any]).map { $0 as NSArray }
    case _: value
    }
  }
}
