import CoreDataModel

/// A model together with the module that its classes belong to.
struct ModuleModel {
  let schema: ModelSchema
  let module: String

  func className(of entity: EntitySchema) -> ClassName {
    ClassName(entity.className, in: module)
  }

  /// The superentity, its superentity, and so on up.
  func ancestors(of entity: EntitySchema) -> [EntitySchema] {
    Array(schema.entityChain(of: entity.name).dropFirst())
  }
}
