import CoreDataModel
import Foundation

/// `coredata model add-entity`.
struct ModelAddEntityCommand: Command {
  static let words = ["model", "add-entity"]
  static let summary = "add an entity to a model"
  static let help = """
    coredata model add-entity MODEL NAME [--parent ENTITY] [--abstract] [--class NAME]
                              [--codegen class|category|none] [--unique NAME[:TYPE],…]
                              [--renamed-from NAME]

    Adds an entity to the current version of a model.

      MODEL                a .xcdatamodeld or .xcdatamodel
      NAME                 the entity's name, with a capital first letter
      --parent ENTITY      the entity that it inherits from
      --abstract           it has no objects of its own
      --class NAME         the class of its objects; without it, a class with the entity's name
      --codegen KIND       what the plugin CoreDataModels writes: the class (the default), the
                           properties of a class that you write (category), or nothing (none)
      --unique NAME,…      attributes by which objects differ: no two objects have the same value in all
                           of them. Those that the entity does not inherit are added to it, as String or
                           as the type behind a colon, as in isbn,edition:int16
      --renamed-from NAME  its name in the version before, for migration

    Once a version is changed, the stores that were made with it do not open with it any more: after a
    release, begin with coredata model add-version.

      coredata model add-entity Notes.xcdatamodeld Note
      coredata model add-entity Notes.xcdatamodeld Tag --unique name

    \(CoreDataCommand.exitStatuses)
    """

  private let model: String
  private let entity: EntitySchema
  private let unique: [UniqueName]

  init(_ arguments: inout CommandArguments) throws {
    let parent = try arguments.value(ifGiven: "--parent")
    let isAbstract = arguments.flag("--abstract")
    let className = try arguments.value(ifGiven: "--class")
    let kinds = ["class", "category", "none"]
    let kind = try arguments.choice(ifGiven: "--codegen", among: kinds) ?? "class"
    let names = try arguments.value(ifGiven: "--unique")
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
    unique = try UniqueName.all(in: names, of: name)
  }

  func run() throws {
    var model = try EditedModel(at: self.model)
    guard model.schema.entity(named: entity.name) == nil else {
      throw Refusal("\(model.url.lastPathComponent) already has an entity '\(entity.name)'")
    }
    if let parent = entity.superentityName { _ = try model.entity(parent) }
    model.add(try constrained(model))
    try model.write()
  }

  /// The entity with its uniqueness constraints.
  private func constrained(_ model: EditedModel) throws -> EntitySchema {
    guard !unique.isEmpty else { return entity }
    var entity = entity
    for name in unique {
      let inherited = entity.superentityName.flatMap {
        model.schema.property(name.place.property, of: $0)
      }
      if inherited == nil {
        let type = name.type ?? .string
        entity.attributes.append(AttributeSchema(typed: name.place.property, type))
      } else if name.type != nil {
        throw Refusal(
          "\(entity.name) inherits '\(name.place.property)', which has its type already; leave it out"
        )
      }
    }
    entity.uniquenessConstraints = [unique.map(\.place.property)]
    return entity
  }
}

/// `isbn` or `edition:int16`: an attribute that is unique.
private struct UniqueName {
  let place: PropertyPlace
  let type: AttributeType?

  private init(_ text: String, of entity: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    place = try PropertyPlace("\(entity).\(parts[0])")
    type = parts.count > 1 ? try AttributeType(typed: String(parts[1])) : nil
  }

  /// The attributes that are named, each once.
  static func all(in list: String?, of entity: String) throws -> [UniqueName] {
    guard let list else { return [] }
    let all = try list.split(separator: ",", omittingEmptySubsequences: false).map {
      try UniqueName(String($0), of: entity)
    }
    let names = all.map(\.place.property)
    if let twice = names.first(where: { name in names.filter { $0 == name }.count > 1 }) {
      throw Refusal("--unique names '\(twice)' twice")
    }
    return all
  }
}
