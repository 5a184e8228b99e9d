import CoreData
import CoreDataPredicates
import Foundation

/// Whether a model allows the values of a row: mandatory values, bounds, patterns.
struct ImportCheck {
  private let entity: NSEntityDescription
  private let scratch: NSManagedObject
  private let attributes: [Attribute]
  /// The relationships that must lead to an object.
  private let mandatory: [String]

  /// An attribute of which the model demands more than its type.
  private struct Attribute {
    let name: String
    let hasConditions: Bool
    /// The conditions, where they are no more than bounds.
    let bounds: [ValueBounds]?
    /// What the model has against the default value, and against none.
    let obstacleOfDefault: String?
    let obstacleOfNothing: String?

    /// Whether the bounds say that a value is allowed; otherwise the model is asked, which has the words.
    func admits(_ value: PlainValue) -> Bool {
      guard let bounds else { return false }
      return bounds.allSatisfy { bounds in
        switch value {
        case .text(let text): bounds.admits(text) == true
        case .whole(let number): bounds.admits(number) == true
        case .real(let number): bounds.admits(number) == true
        case .single(let number): bounds.admits(Double(number)) == true
        case .nothing, .flag, .date, .decimal, .uuid, .url, .object: false
        }
      }
    }
  }

  init(_ entity: NSEntityDescription) {
    self.entity = entity
    let scratch = NSManagedObject(entity: entity, insertInto: nil)
    self.scratch = scratch
    attributes = entity.attributesByName.sorted { $0.key < $1.key }.compactMap { name, attribute in
      if attribute.isTransient || attribute is NSDerivedAttributeDescription { return nil }
      let known = Attribute(
        name: name,
        hasConditions: !attribute.validationPredicates.isEmpty,
        bounds: Self.bounds(of: attribute),
        obstacleOfDefault: Self.obstacle(in: attribute.defaultValue, of: name, scratch),
        obstacleOfNothing: Self.obstacle(in: nil, of: name, scratch)
      )
      let isFree = known.obstacleOfDefault == nil && known.obstacleOfNothing == nil
      return isFree && !known.hasConditions ? nil : known
    }
    mandatory = entity.relationshipsByName.sorted { $0.key < $1.key }.compactMap {
      name,
      relationship in
      relationship.isOptional || relationship.isToMany || relationship.isTransient ? nil : name
    }
  }

  /// Why the values, which have the types of their properties, cannot be imported; nil if they can.
  func obstacle(in row: ImportedRow) -> String? {
    for attribute in attributes {
      if let obstacle = obstacle(in: row[attribute.name], of: attribute) { return obstacle }
    }
    for name in mandatory {
      switch row[name] {
      case .nothing, nil: return "\(entity.name ?? "").\(name) must lead to an object."
      case .text, .whole, .real, .single, .flag, .date, .decimal, .uuid, .url, .object: continue
      }
    }
    return nil
  }

  private func obstacle(in value: PlainValue?, of attribute: Attribute) -> String? {
    switch value {
    case nil: attribute.obstacleOfDefault
    case .nothing?: attribute.obstacleOfNothing
    case let value?:
      if !attribute.hasConditions || attribute.admits(value) {
        nil
      } else {
        Self.obstacle(in: value.boxed, of: attribute.name, scratch)
      }
    }
  }

  /// Nil where a value has to be shown to a predicate.
  private static func bounds(of attribute: NSAttributeDescription) -> [ValueBounds]? {
    let bounds = attribute.validationPredicates.compactMap { ValueBounds($0) }
    return bounds.count == attribute.validationPredicates.count ? bounds : nil
  }

  private static func obstacle(
    in value: Any?,
    of name: String,
    _ scratch: NSManagedObject
  ) -> String? {
    var value = value.map { $0 as AnyObject }
    do {
      try scratch.validateValue(&value, forKey: name)
      return nil
    } catch {
      let error = error as NSError
      return error.localizedFailureReason ?? error.localizedDescription
    }
  }
}
