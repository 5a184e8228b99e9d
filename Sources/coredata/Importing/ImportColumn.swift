import CoreData
import CoreDataModel
import Foundation

/// A column of a file, and the kind of its cells.
final class ImportColumn {
  let name: String
  /// Nil for a column that is left out.
  let property: String?
  let kind: Kind
  /// The model's demands on its values; `nil` if there are none.
  let demand: ImportDemand?
  /// The objects that were looked for, by their names in the cells, found or not.
  var targets: [String: Result<NSManagedObjectID, Refusal>] = [:]

  enum Kind {
    case omitted
    case attribute(AttributeType, slot: Int)
    case element(ImportedElement)
    case relationship(NSEntityDescription, slot: Int)
  }

  init(_ name: String, _ property: String?, _ kind: Kind, _ demand: ImportDemand?) {
    (self.name, self.property, self.kind, self.demand) = (name, property, kind, demand)
  }
}

extension ImportColumn.Kind {
  /// The kind of the cells in a column that becomes a property; throws if the property cannot be
  /// imported.
  init(
    _ column: String,
    _ property: String,
    of entity: NSEntityDescription,
    _ layout: EntityLayout
  ) throws {
    if let element = ImportedElement(property, of: layout) {
      _ = try Self.settable(column, layout.slots[element.slot].name, of: layout)
      self = .element(element)
    } else if let relationship = entity.relationshipsByName[property], !relationship.isToMany,
      let target = relationship.destinationEntity
    {
      self = .relationship(target, slot: try Self.settable(column, property, of: layout))
    } else if let entry = layout.slot(named: property).map({ layout.slots[$0] }),
      let attribute = entry.attribute, !entry.isDerived, !attribute.isTransient
    {
      self = .attribute(attribute.type, slot: try Self.settable(column, property, of: layout))
    } else {
      throw Refusal(
        "\(layout.name).\(property) \(Self.obstacle(to: property, of: entity)), and cannot be imported\n"
          + "Leave the column out, with --map '\(column)='."
      )
    }
  }

  /// The reason why a file cannot have values for a property.
  private static func obstacle(to property: String, of entity: NSEntityDescription) -> String {
    if entity.relationshipsByName[property] != nil { return "leads to several objects" }
    guard let attribute = entity.attributesByName[property] else { return "is a fetched property" }
    return attribute.isTransient ? "is transient" : "is derived from other values"
  }

  private static func settable(
    _ column: String,
    _ property: String,
    of layout: EntityLayout
  ) throws -> Int {
    do {
      return try layout.slotForBatch(property, place: "the file")
    } catch let error as NSError {
      throw Refusal(
        "\(error.localizedFailureReason ?? error.localizedDescription)\nLeave the column out, with "
          + "--map '\(column)=', and set the property afterwards, with coredata set."
      )
    }
  }
}
