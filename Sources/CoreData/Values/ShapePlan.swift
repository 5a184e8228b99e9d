import CoreDataModel
import Foundation

/// A shape as the objects of one entity have it: slots instead of names.
///
/// ```
/// ObjectShape("title", "folder.name")  ─▶  title: slot 3   folder.name: slot 1, then slot 0
/// ```
struct ShapePlan {
  private let steps: [Step]
  /// The key paths of all relationships that are read, for prefetching.
  let relationshipKeyPaths: [String]

  private enum Step {
    case identity(name: String)
    /// The attribute at the end of to-one relationships, or one of its elements.
    case single(name: String, along: [Int], attribute: Int, element: Int?)
    case related(name: String, slot: Int, ShapePlan)
  }

  /// Throws 134091 for a name that objects of the entity do not have.
  init(_ shape: ObjectShape, of layout: EntityLayout) throws {
    var steps: [Step] = []
    var read: [String] = []
    if let name = shape.identityName { steps.append(.identity(name: name)) }
    for spelling in shape.keyPaths {
      let path = try spelling.name(of: layout.name)
      let step = try Self.single(along: path, from: layout)
      steps.append(step)
      if case .single(_, let slots, _, _) = step, !slots.isEmpty {
        read.append(path.split(separator: ".").prefix(slots.count).joined(separator: "."))
      }
    }
    for relationship in shape.relationships {
      let name = try relationship.name.name(of: layout.name)
      guard let slot = layout.slot(named: name), let destination = layout.destination(of: slot)
      else {
        throw ShapeFailure.noObject(name, path: name, entity: layout.name).error
      }
      let plan = try ShapePlan(relationship.shape, of: destination)
      steps.append(.related(name: name, slot: slot, plan))
      read.append(name)
      read += plan.relationshipKeyPaths.map { "\(name).\($0)" }
    }
    self.steps = steps
    relationshipKeyPaths = read
  }

  private static func single(along path: String, from layout: EntityLayout) throws -> Step {
    var place = layout
    var names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    var slots: [Int] = []
    while names.count > 1, let name = names.first {
      let failure = ShapeFailure.noObject(name, path: path, entity: place.name)
      guard let slot = place.slot(named: name) else { throw failure.error }
      if place.kinds[slot] == .composite {
        return try element(names, of: slot, in: place, along: slots, path)
      }
      guard place.kinds[slot] == .toOne, let destination = place.destination(of: slot) else {
        throw failure.error
      }
      slots.append(slot)
      place = destination
      names.removeFirst()
    }
    let last = names.first ?? ""
    guard let slot = place.slot(named: last), place.slots[slot].attribute != nil else {
      throw ShapeFailure.noAttribute(last, path: path, entity: place.name).error
    }
    return .single(name: path, along: slots, attribute: slot, element: nil)
  }

  /// An element of a composite attribute, whose name is the first of the names.
  private static func element(
    _ names: ArraySlice<String>,
    of composite: Int,
    in place: EntityLayout,
    along slots: [Int],
    _ path: String
  ) throws -> Step {
    let elements = place.elements(of: composite)
    guard let index = elements.firstIndex(where: { $0.path[...] == names.dropFirst() }) else {
      let name = names.joined(separator: ".")
      throw ShapeFailure.noAttribute(name, path: path, entity: place.name).error
    }
    return .single(name: path, along: slots, attribute: composite, element: index)
  }
}

extension EntityLayout {
  /// The entity that a relationship leads to; nil for an attribute.
  fileprivate func destination(of slot: Int) -> EntityLayout? {
    slots[slot].end.flatMap { model[number: $0.destination] }
  }
}

// MARK: - Values

extension ShapePlan {
  /// The values of an object of the entity, or of one below it.
  func values(of object: NSManagedObject) throws -> ObjectValues {
    ObjectValues(
      try steps.map { step in
        switch step {
        case .identity(let name):
          ObjectValues.Field(name: name, value: .single(object.objectID.uriRepresentation()))
        case .single(let name, let slots, let attribute, let element):
          ObjectValues.Field(name: name, value: try single(of: object, slots, attribute, element))
        case .related(let name, let slot, let plan):
          ObjectValues.Field(name: name, value: try plan.related(to: object, at: slot))
        }
      }
    )
  }

  private func single(
    of object: NSManagedObject,
    _ slots: [Int],
    _ attribute: Int,
    _ element: Int?
  ) throws -> ObjectValues.Value {
    var object = object
    for slot in slots {
      object.noteUse(of: slot, .reading)
      guard let next = object.target(at: slot) else { return .none }
      object = next
    }
    object.noteUse(of: attribute, .reading)
    let layout = object.layout
    var (value, place) = (object.value(at: attribute), attribute)
    if let element {
      value = layout.element(element, of: value)
      place = layout.elements(of: attribute)[element].slot
    }
    let slot = layout.slots[place]
    if let value = ObjectValues.Value(value, of: slot) { return value }
    let found = value.boxed(at: place, in: layout).map { "\(type(of: $0))" } ?? "\(slot.kind)"
    throw ShapeFailure.notEncodable(slot.name, type: found, entity: layout.name).error
  }

  private func related(to object: NSManagedObject, at slot: Int) throws -> ObjectValues.Value {
    object.noteUse(of: slot, .reading)
    switch object.boxedValue(at: slot) {
    case let target as NSManagedObject:
      return .object(try values(of: target))
    case let members as NSOrderedSet:
      return .list(try members.compactMap { try ($0 as? NSManagedObject).map(values) })
    case let members as Set<NSManagedObject>:
      return .list(try members.sorted { $0.key.number < $1.key.number }.map(values))
    default:
      return object.layout.slots[slot].kind.isToMany ? .list([]) : .none
    }
  }
}

extension ObjectValues.Value {
  /// An attribute's value in a type that can be sent and encoded; nil for one that cannot.
  fileprivate init?(_ value: SlotValue, of slot: Slot) {
    switch value {
    case .null: self = .none
    case .integer(let integer) where slot.kind == .boolean: self = .flag(integer != 0)
    case .integer(let integer): self = .integer(integer)
    case .real(let real) where slot.kind == .date:
      self = .single(Date(timeIntervalSinceReferenceDate: real))
    case .real(let real): self = .real(real)
    case .text(let text): self = .text(text)
    case .data(let data): self = .single(data)
    case .uuid(let uuid): self = .single(uuid)
    case .url(let url): self = .single(url)
    case .object(let decimal as NSDecimalNumber) where slot.kind == .decimal:
      self = .single(decimal.decimalValue)
    case .object, .collection: return nil
    }
  }
}
