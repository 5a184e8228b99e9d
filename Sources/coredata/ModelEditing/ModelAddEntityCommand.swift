import CoreDataModel
import Foundation

/// `coredata model add-entity`.
struct ModelAddEntityCommand: Command {
  static let words = ["model", "add-entity"]
  static let summary = "add an entity to a model"
  static let help = """
    coredata model add-entity MODEL NAME [--parent ENTITY] [--abstract] [--class NAME]
                              [--codegen class|category|none] [--renamed-from NAME]

    Adds an entity to the current version of a model.

      MODEL                a .xcdatamodeld or .xcdatamodel
      NAME                 the entity's name, with a capital first letter
      --parent ENTITY      the entity that it inherits from
      --abstract           it has no objects of its own
      --class NAME         the class of its objects; without it, a class with the entity's name
      --codegen KIND       what the plugin CoreDataModels writes: the class (the default), the properties
                           of a class that you write (category), or nothing (none)
      --renamed-from NAME  its name in the version before, for migration

    Stores that were made with a version do not open with it once it is changed: after a release, begin with
    coredata model add-version.

    \(CoreDataCommand.exitStatuses)
    """

  private let model: String
  private let entity: EntitySchema

  init(_ arguments: inout CommandArguments) throws {
    let parent = try arguments.value(ifGiven: "--parent")
    let isAbstract = arguments.flag("--abstract")
    let className = try arguments.value(ifGiven: "--class")
    let kinds = ["class", "category", "none"]
    let kind = try arguments.choice(ifGiven: "--codegen", among: kinds) ?? "class"
    let oldName = try arguments.value(ifGiven: "--renamed-from")
    model = try arguments.operand("the path of a model")
    let name = try arguments.operand("the name of the entity")
    try arguments.finish()
    try ModelName.check(name, "an entity", startsWithCapital: true)
    var entity = EntitySchema(name: name, className: className ?? name)
    entity.superentityName = parent
    entity.isAbstract = isAbstract
    entity.codeGeneration = EntitySchema.CodeGeneration(rawValue: kind) ?? .manual
    entity.renamingIdentifier = oldName
    self.entity = entity
  }

  func run() throws {
    var model = try EditedModel(at: self.model)
    guard model.schema.entity(named: entity.name) == nil else {
      throw Refusal("\(model.url.lastPathComponent) already has an entity '\(entity.name)'")
    }
    if let parent = entity.superentityName { _ = try model.entity(parent) }
    model.add(entity)
    try model.write()
  }
}
