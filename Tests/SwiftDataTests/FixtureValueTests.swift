import CoreData
import CoreDataStoreCare
import Foundation
import Testing

@testable import SwiftData

@Suite(.enabled(if: FixtureStore.areThere))
struct FixtureValueTests {
  @Test(arguments: FixtureStore.all)
  func aStoreOfApplesIsReadByItsClassesAsByItsOwnModel(_ fixture: FixtureStore) throws {
    let plain = try PlainStore(fixture.copy())
    let container = try ModelContainer(
      for: fixture.schema,
      configurations: ModelConfiguration(url: fixture.copy())
    )
    let context = ModelContext(container)
    for kind in fixture.schema.types.all {
      let models = try allModels(kind.type, context)
      let objects = try plain.objects(of: kind.name)
      #expect(models.count == objects.count)
      for model in models {
        let object = try #require(objects[model.persistentModelID.key])
        for property in kind.allProperties { try compare(property, model, object) }
      }
    }
    #expect(!context.hasChanges)
  }

  @Test(arguments: FixtureStore.all)
  func aChangedRowOfAStoreOfApplesIsSoundAndInItsHistory(_ fixture: FixtureStore) throws {
    let file = try fixture.copy()
    let container = try ModelContainer(
      for: fixture.schema,
      configurations: ModelConfiguration(url: file)
    )
    let context = ModelContext(container)
    for kind in fixture.schema.types.all {
      guard let model = try allModels(kind.type, context).first,
        let property = kind.allProperties.last(where: { $0.storedType == String.self })
      else { continue }
      try change(model, property, context)
    }
    let report = try StoreChecker(storeAt: file, model: nil, isDeep: true).report()
    #expect(report.findings == [])
    #expect(report.hasCheckedRows)
  }

  // MARK: Steps

  private func allModels<Model: PersistentModel>(
    _ type: Model.Type,
    _ context: ModelContext
  ) throws -> [any PersistentModel] {
    try context.fetch(FetchDescriptor<Model>())
  }

  private func compare<Model: PersistentModel>(
    _ property: ModelProperty,
    _ model: Model,
    _ object: NSManagedObject
  ) throws {
    let keyPath = try #require(property.metadata.keypath as? PartialKeyPath<Model>)
    let value: Any = model[keyPath: keyPath]
    let stored = object.value(forKey: property.name)
    let place = "\(Model.self).\(property.name)"
    switch property.content {
    case .attribute(let form):
      guard !(property.metadata.metadata.map(\.isTransient) ?? false) else { return }
      let boxed = form.boxed(optional: value, name: property.name)
      #expect(comparable(boxed) == comparable(stored), "\(place)")
    case .toOne:
      let target = (value as? any AnyOptionalType).map(\.wrappedValue) ?? value
      let id = (target as? any PersistentModel)?.persistentModelID.key
      #expect(id == (stored as? NSManagedObject).map { PersistentIdentifier($0.objectID).key })
    case .toMany:
      let list = (value as? any AnyOptionalType).map(\.wrappedValue) ?? value
      let members = try #require(list as? [any PersistentModel])
      let objects = try #require(stored as? Set<NSManagedObject>)
      #expect(
        Set(members.map(\.persistentModelID.key))
          == Set(objects.map { PersistentIdentifier($0.objectID).key }),
        "\(place)"
      )
    case .refused(let reason):
      Issue.record("\(place): \(reason)")
    }
  }

  /// A text that equal values have: JSON without regard to the order of keys.
  private func comparable(_ value: Any?) -> String {
    switch value {
    case nil: return "nil"
    case let color as Pegase.NSColor: return comparable(color.archive)
    case let data as Data:
      if let json = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) {
        return comparable(json)
      }
      return data.base64EncodedString()
    case let list as [Any]: return "[" + list.map(comparable).joined(separator: ", ") + "]"
    case let dictionary as [String: Any]:
      return "{" + dictionary.map { "\($0): \(comparable($1))" }.sorted().joined(separator: ", ")
        + "}"
    case let value?: return "\(value)"
    }
  }

  private func change<Model: PersistentModel>(
    _ model: Model,
    _ property: ModelProperty,
    _ context: ModelContext
  ) throws {
    let keyPath = property.metadata.keypath
    if let text = keyPath as? ReferenceWritableKeyPath<Model, String> {
      model[keyPath: text] += " changed"
    } else if let text = keyPath as? ReferenceWritableKeyPath<Model, String?> {
      model[keyPath: text] = "changed"
    } else {
      Issue.record("\(Model.self).\(property.name) cannot be set")
    }
    #expect(context.changedModelsArray.count == 1)
    try context.save()
    let last = try #require(try context.fetchHistory(HistoryDescriptor()).last)
    try #require(last.changes.count == 1)
    guard case .update(let change) = last.changes[0],
      let update = change as? DefaultHistoryUpdate<Model>
    else {
      Issue.record("the history has no update of \(Model.self)")
      return
    }
    #expect(update.changedPersistentIdentifier == model.persistentModelID)
    #expect(update.updatedAttributes.map { $0 as AnyKeyPath } == [keyPath])
  }
}

/// A store that is read with the model in it, without classes.
struct PlainStore {
  private let context: NSManagedObjectContext

  init(_ file: URL) throws {
    let model = try NSManagedObjectModel(contentsOfStoreAt: file)
    for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    ValueTransformer.setValueTransformer(
      Pegase.ColorTransformer(),
      forName: NSValueTransformerName("ColorTransformer")
    )
    try coordinator.addPersistentStore(
      type: .sqlite,
      at: file,
      options: [NSReadOnlyPersistentStoreOption: true]
    )
    context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
  }

  /// The objects by entity and number.
  func objects(of entity: String) throws -> [String: NSManagedObject] {
    let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    return Dictionary(
      uniqueKeysWithValues: objects.map { (PersistentIdentifier($0.objectID).key, $0) }
    )
  }
}

extension PersistentIdentifier {
  /// The entity and the number, which two copies of a store have in common.
  fileprivate var key: String { "\(entityName)/\(uri.lastPathComponent)" }
}
