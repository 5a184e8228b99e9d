package import CoreDataModel

/// Writes the Swift classes of a model's entities, shaped and named as Xcode's.
///
/// An entity `Note` with Class Definition becomes two files:
///
/// ```
/// Note+CoreDataClass.swift         public class Note: NSManagedObject {}
/// Note+CoreDataProperties.swift    extension Note: fetchRequest(), title, addToTags(_:) …
/// ```
///
/// With Category/Extension only the second is written, the class is the developer's; with
/// Manual/None, or if the entity does not have its own class, nothing is.
package struct ClassGenerator {
  private let model: ModuleModel

  /// - Parameters:
  ///   - schema: the model in its current version.
  ///   - module: the module that the files will be compiled into.
  package init(_ schema: ModelSchema, module: String) {
    model = ModuleModel(schema: schema, module: module)
  }

  /// The files, in the order of the entities.
  package func files() throws(GenerationError) -> [SwiftFile] {
    var files: [SwiftFile] = []
    for entity in try generatedEntities() {
      if entity.schema.codeGeneration == .classDefinition {
        files.append(.classDefinition(of: entity))
      }
      files.append(try .properties(of: entity, in: model))
    }
    return files
  }
}

// MARK: - Which entities

extension ClassGenerator {
  /// The entities that something is written for, no two with the same class.
  private func generatedEntities() throws(GenerationError) -> [EntityClass] {
    var owners: [String: String] = [:]
    var entities: [EntityClass] = []
    for schema in model.schema.entities where schema.codeGeneration != .manual {
      guard let entity = try EntityClass(of: schema, in: model) else { continue }
      if let owner = owners.updateValue(schema.name, forKey: entity.name.path) {
        throw .classWrittenTwice(entity.name.path, by: owner, and: schema.name)
      }
      entities.append(entity)
    }
    return entities
  }
}

// MARK: - Classes of other modules

/// A class that an entity asks for and that belongs to another module than the files.
package struct ForeignClass: Hashable, Sendable {
  package let entity: String
  /// With its module, as in `Sharing.Note`.
  package let name: String
  package let module: String
}

extension ClassGenerator {
  /// The classes that cannot be among the files; ``files()`` throws for the first of them.
  package var foreignClasses: [ForeignClass] {
    model.schema.entities.filter { $0.codeGeneration != .manual }
      .compactMap { entity in
        let name = model.className(of: entity)
        return name.module.map {
          ForeignClass(entity: entity.name, name: name.spelling, module: $0)
        }
      }
  }
}
