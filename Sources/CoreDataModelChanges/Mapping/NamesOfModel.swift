import CoreDataModel
import Foundation

/// The names of entities and properties in the copy of a model that a mapping model has of it.
///
/// The copy is an archive of Xcode's editor: packages of classes with owned attributes, and a class
/// that is more special than another. Names are all that a mapping needs of it.
struct NamesOfModel: Sendable {
  private var entities: [String: Entity] = [:]

  private struct Entity: Equatable {
    var superentityName: String?
    var attributes: Set<String> = []
    var relationships: Set<String> = []
  }

  init() {}

  init(_ data: Data) throws(ArchiveError) {
    let root = try KeyedArchive(data).root
    guard root.className == "XDPMModel" else {
      throw ArchiveError("the model in it is \(root.className ?? "a plain value")")
    }
    for (name, node) in root["_xd_rootPackage"]["XDBucketForClassesstorage"].entries {
      entities[name] = Self.entity(node)
    }
    try root.archive.requireWhole()
  }

  /// The names in a model, as a mapping model would have them.
  init(_ schema: ModelSchema) {
    for entity in schema.entities {
      entities[entity.name] = Entity(
        superentityName: entity.superentityName,
        attributes: Set(entity.attributes.map(\.name)),
        relationships: Set(entity.relationships.map(\.name))
      )
    }
  }

  /// Whether these are the names of a model's entities, attributes and relationships, each where it is declared.
  func areThose(of schema: ModelSchema) -> Bool {
    entities == NamesOfModel(schema).entities
  }

  private static func entity(_ node: ArchivedNode) -> Entity {
    var entity = Entity()
    entity.superentityName =
      node["XDBucketForGeneralizationsstorage"].elements.first?["_general"]["_name"].text
    for (name, property) in node["XDBucketForOwnedAttributesstorage"].entries {
      switch property.className {
      case "XDPMAttribute": entity.attributes.insert(name)
      case "XDPMRelationship": entity.relationships.insert(name)
      default: continue
      }
    }
    return entity
  }

  /// Whether an entity has an attribute of its own or inherited.
  func hasAttribute(_ name: String, in entityName: String) -> Bool {
    chain(of: entityName).contains { $0.attributes.contains(name) }
  }

  func hasRelationship(_ name: String, in entityName: String) -> Bool {
    chain(of: entityName).contains { $0.relationships.contains(name) }
  }

  /// An entity and those it inherits from; a circle ends where it closes.
  private func chain(of entityName: String) -> [Entity] {
    var chain: [Entity] = []
    var met: Set<String> = []
    var next: String? = entityName
    while let name = next, met.insert(name).inserted, let entity = entities[name] {
      chain.append(entity)
      next = entity.superentityName
    }
    return chain
  }
}
