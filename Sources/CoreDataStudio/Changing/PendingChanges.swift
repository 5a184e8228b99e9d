import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// The changes of a session that are not saved, for a page.
///
/// Made and used on the queue of the session's context.
struct PendingChanges {
  let session: ChangeSession
  let context: NSManagedObjectContext

  /// Longer lists of changes are cut; all of them are saved.
  private static let most = 500
  private static let mostMembers = 20

  var json: JSONValue {
    let groups: [(kind: String, objects: Set<NSManagedObject>)] = [
      ("inserted", context.insertedObjects), ("updated", context.updatedObjects),
      ("deleted", context.deletedObjects),
    ]
    let changes = groups.flatMap { kind, objects in
      objects.filter { kind != "updated" || !values(of: $0).isEmpty }
        .map { (kind: kind, name: session.name(of: $0), object: $0) }
        .sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
    }
    return [
      "isAllowed": true, "copy": .text(session.copy.lastPathComponent),
      "total": .integer(changes.count),
      "changes": .array(changes.prefix(Self.most).map { json($0.kind, $0.name, $0.object) }),
      "canUndo": .boolean(context.undoManager?.canUndo ?? false),
      "canRedo": .boolean(context.undoManager?.canRedo ?? false),
      "problems": .array(context.brokenRules().prefix(Self.most).map(json)),
    ]
  }

  private func json(_ rule: BrokenRule) -> JSONValue {
    let object = context.object(with: rule.object)
    return [
      "object": .text(session.name(of: object)), "key": rule.key.map { .text($0) } ?? .null,
      "sentence": .text(rule.sentence), "isOfChange": .boolean(rule.isOfChange),
    ]
  }

  private func json(_ kind: String, _ name: String, _ object: NSManagedObject) -> JSONValue {
    [
      "kind": .text(kind), "id": .text(name),
      "title": title(of: object).map { .text($0) } ?? .null,
      "values": .array(kind == "deleted" ? [] : values(of: object)),
    ]
  }

  /// The name by which people call an object.
  func title(of object: NSManagedObject) -> String? {
    guard let entity = session.contents.coordinator?.layout[object.entity.name ?? ""],
      let name = ColumnChoice(entity, session.schema, isDetailed: false).name,
      let text = object.value(forKeyPath: name.title) as? String
    else { return nil }
    return String(text.prefix(240))
  }
}

// MARK: - Values

extension PendingChanges {
  /// The changed properties of an object, with the former and the new values.
  private func values(of object: NSManagedObject) -> [JSONValue] {
    let changed = object.changedValues()
    let former = object.committedValues(forKeys: Array(changed.keys))
    return changed.keys.sorted().compactMap { key in
      switch session.schema.property(key, of: object.entity.name ?? "") {
      case .attribute(let attribute)?:
        if attribute.isTransient { return nil }
        return line(key, cell(former[key], attribute), cell(changed[key], attribute))
      case .relationship(let relationship)?:
        guard relationship.isToMany else {
          return line(key, link(former[key]), link(changed[key]))
        }
        return members(key, former[key], changed[key])
      case .fetched?, nil: return nil
      }
    }
  }

  private func line(_ key: String, _ old: JSONValue, _ new: JSONValue) -> JSONValue {
    ["key": .text(key), "old": old, "new": new]
  }

  /// A value of an attribute as a cell.
  func cell(_ value: Any?, _ attribute: AttributeSchema) -> JSONValue {
    guard let value, !(value is NSNull) else { return .null }
    if attribute.type == .composite {
      return ["kind": "text", "text": .text(JSONValue(describing: value).compact)]
    }
    if attribute.type == .transformable, let data = value as? Data,
      let tree = ArchivedValue.json(of: data)
    {
      return CellText(.archived(tree, data), isWhole: false).json
    }
    return CellText(ShownCell(value, of: attribute.type), isWhole: false).json
  }

  /// The object at the end of a to-one relationship as a cell.
  func link(_ value: Any?) -> JSONValue {
    guard let object = value as? NSManagedObject else { return .null }
    return [
      "kind": "object", "id": .text(session.name(of: object)),
      "name": title(of: object).map { .text($0) } ?? .null,
    ]
  }

  private func members(_ key: String, _ former: Any?, _ new: Any?) -> JSONValue {
    let (old, now) = (Self.objects(former), Self.objects(new))
    func names(_ objects: Set<NSManagedObject>) -> JSONValue {
      .array(objects.prefix(Self.mostMembers).map { .text(session.name(of: $0)) })
    }
    return [
      "key": .text(key), "added": names(now.subtracting(old)),
      "removed": names(old.subtracting(now)),
      "addedCount": .integer(now.subtracting(old).count),
      "removedCount": .integer(old.subtracting(now).count),
    ]
  }

  /// The members of a relationship's value, ordered or not.
  static func objects(_ value: Any?) -> Set<NSManagedObject> {
    switch value {
    case let set as Set<NSManagedObject>: set
    case let set as NSSet: Set(set.allObjects.compactMap { $0 as? NSManagedObject })
    case let set as NSOrderedSet: Set(set.array.compactMap { $0 as? NSManagedObject })
    case _: []
    }
  }
}
