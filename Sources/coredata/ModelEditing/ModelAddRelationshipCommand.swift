import CoreDataModel
import Foundation

/// `coredata model add-relationship`: a relationship and its inverse.
struct ModelAddRelationshipCommand: Command {
  static let words = ["model", "add-relationship"]
  static let summary = "add a relationship with its inverse"
  static let help = """
    coredata model add-relationship MODEL ENTITY.NAME DESTINATION.INVERSE [--to-many] [--ordered]
                                    [--inverse-to-many] [--inverse-ordered] [--required]
                                    [--delete RULE] [--inverse-delete RULE]

    Adds a relationship to a model's current version, and the relationship that leads back.

      MODEL                 a .xcdatamodeld or .xcdatamodel
      ENTITY.NAME           the relationship, such as Folder.notes
      DESTINATION.INVERSE   where it leads, and how it is called from there, such as Note.folder
      --to-many             it leads to many objects; without it, to one
      --ordered             the objects have an order
      --inverse-to-many     the relationship back leads to many objects
      --inverse-ordered     and they have an order
      --required            it must lead to an object when it is saved
      --delete RULE         what happens to the objects when this one is deleted: nullify (the default),
                            cascade, deny or no-action
      --inverse-delete RULE the same for the relationship back

    Once a version is changed, the stores that were made with it do not open with it any more: after a
    release, begin with coredata model add-version.

      coredata model add-relationship Notes.xcdatamodeld Folder.notes Note.folder --to-many

    \(CoreDataCommand.exitStatuses)
    """

  private let model: String
  private let place: PropertyPlace
  private let inverse: PropertyPlace
  private let relationship: RelationshipSchema
  private let back: RelationshipSchema

  private static let rules = ["nullify", "cascade", "deny", "no-action"]

  init(_ arguments: inout CommandArguments) throws {
    let isToMany = arguments.flag("--to-many")
    let isOrdered = arguments.flag("--ordered")
    let leadsBackToMany = arguments.flag("--inverse-to-many")
    let isBackOrdered = arguments.flag("--inverse-ordered")
    let isRequired = arguments.flag("--required")
    let rule = try arguments.choice(ifGiven: "--delete", among: Self.rules)
    let backRule = try arguments.choice(ifGiven: "--inverse-delete", among: Self.rules)
    model = try arguments.operand("the path of a model")
    place = try PropertyPlace(try arguments.operand("the relationship, as Entity.name,"))
    inverse = try PropertyPlace(try arguments.operand("where it leads, as Entity.inverse,"))
    try arguments.finish()
    if isOrdered && !isToMany || isBackOrdered && !leadsBackToMany {
      throw Refusal(
        "only a relationship to many objects is ordered; add --to-many or --inverse-to-many"
      )
    }
    let contradicts =
      leadsBackToMany && !isToMany || isBackOrdered && !isOrdered || (backRule ?? rule) != rule
    if contradicts, (place.entity, place.property) == (inverse.entity, inverse.property) {
      throw arguments.mistake(
        "\(place.entity).\(place.property) is its own inverse; --to-many, --ordered and --delete hold both "
          + "ways, and --inverse options say something else"
      )
    }
    var relationship = Self.relationship(place, to: inverse, isToMany, isOrdered, rule)
    relationship.isOptional = !isRequired
    if isRequired { relationship.minCount = 1 }
    self.relationship = relationship
    back = Self.relationship(inverse, to: place, leadsBackToMany, isBackOrdered, backRule)
  }

  private static func relationship(
    _ place: PropertyPlace,
    to other: PropertyPlace,
    _ isToMany: Bool,
    _ isOrdered: Bool,
    _ rule: String?
  ) -> RelationshipSchema {
    var relationship = RelationshipSchema(
      name: place.property,
      destinationName: other.entity,
      inverseName: other.property
    )
    relationship.maxCount = isToMany ? 0 : 1
    relationship.isOrdered = isOrdered
    relationship.deleteRule =
      switch rule {
      case "cascade": .cascade
      case "deny": .deny
      case "no-action": .noAction
      default: .nullify
      }
    return relationship
  }

  func run() throws {
    var model = try EditedModel(at: self.model)
    for end in [place, inverse] {
      _ = try model.entity(end.entity)
      guard model.schema.property(end.property, of: end.entity) == nil else {
        throw Refusal("\(end.entity) already has a property '\(end.property)'")
      }
    }
    model.change(place.entity) { $0.relationships.append(relationship) }
    // A relationship may be its own inverse: friends of friends.
    if (place.entity, place.property) != (inverse.entity, inverse.property) {
      model.change(inverse.entity) { $0.relationships.append(back) }
    }
    try model.write()
  }
}
