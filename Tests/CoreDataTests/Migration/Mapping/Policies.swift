import CoreDataModel
import CoreDataPredicates
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Notes what it is asked, and in which order.
final class LoggingPolicy: NSEntityMigrationPolicy {
  static let log = Mutex<[String]>([])

  private func note(_ call: String, _ mapping: NSEntityMapping) {
    let line = "\(mapping.name ?? "") \(call)"
    Self.log.withLock { $0.append(line) }
  }

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    note("begin", mapping)
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    note("create", mapping)
    #expect(manager.currentEntityMapping === mapping)
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  }

  override func endInstanceCreation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    note("endCreation", mapping)
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    note("relate", mapping)
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name,
      destinationInstances: [dInstance]
    )
    #expect(sources.count == 1 && sources[0].entity.name == "Tag")
  }

  override func endRelationshipCreation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    note("endRelation", mapping)
  }

  override func performCustomValidation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    note("validate", mapping)
  }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    note("end", mapping)
  }
}

final class SavingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    try manager.destinationContext.save()
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name,
      sourceInstances: [sInstance]
    )
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name,
      destinationInstances: made
    )
    #expect(made.count == 1 && !made[0].objectID.isTemporaryID && sources == [sInstance])
  }
}

final class LiveMemo: NSManagedObject {
  static let count = Mutex(0)

  override func awakeFromInsert() {
    super.awakeFromInsert()
    Self.count.withLock { $0 += 1 }
  }
}

final class TwiceMadePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let entity = try #require(manager.destinationModel.entitiesByName["Memo"])
    let copy = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
    copy.setValue("copy of \(sInstance.value(forKey: "title") ?? "")", forKey: "heading")
    manager.associate(
      sourceInstance: sInstance,
      withDestinationInstance: copy,
      for: mapping
    )
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name,
      sourceInstances: [sInstance]
    )
    #expect(made.count == 2 && made[1] === copy)
  }

  override func performCustomValidation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let all = manager.destinationInstances(
      forEntityMappingName: mapping.name,
      sourceInstances: nil
    )
    #expect(all.count == 4)
    #expect(
      manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: all).count
        == 2
    )
  }
}

final class AnsweringPolicy: NSEntityMigrationPolicy {
  override func value(forFunction selector: String, arguments: [Any?]) throws -> Any? {
    switch selector {
    case "heading:of:": "\(arguments[1] ?? "none")/\(arguments[0] ?? "")"
    case _: try super.value(forFunction: selector, arguments: arguments)
    }
  }
}

/// Throws, or cancels, at the step that the manager's user info names.
final class FailingPolicy: NSEntityMigrationPolicy {
  struct Refusal: Error {}

  private func come(to step: String, _ manager: NSMigrationManager) throws {
    if manager.userInfo?["fails"] as? String == step { throw Refusal() }
    if manager.userInfo?["cancels"] as? String == step {
      manager.cancelMigrationWithError(Refusal())
    }
  }

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    try come(to: "begin", manager)
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    try come(to: "create", manager)
  }

  override func endInstanceCreation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try come(to: "endCreation", manager)
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try come(to: "relate", manager)
  }

  override func endRelationshipCreation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try come(to: "endRelation", manager)
  }

  override func performCustomValidation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try come(to: "validate", manager)
  }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    try come(to: "end", manager)
  }
}
