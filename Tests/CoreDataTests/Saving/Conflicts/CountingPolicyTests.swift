import CoreData
import Foundation
import TestSupport
import Testing

/// Policies that let the superclass resolve conflicts of unique values, and then count.
@Suite struct CountingPolicyTests {
  /// The part of a conflict that a policy counts for.
  enum Counted: CaseIterable {
    case conflicting
    case database
    case caughtBefore
  }

  private static let types: [NSMergePolicyType] = [
    .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
    .overwriteMergePolicyType,
  ]

  private static func tagged(_ context: NSManagedObjectContext, _ names: [String]) {
    for name in names {
      let tag = context.make("CountingTag", ["name": name])
      context.make("Note", ["title": name, "tag": tag])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .uniqueness), types)
  func `objects that a policy has united are asked before they are saved`(
    kind: StoreKind,
    type: NSMergePolicyType
  ) throws {
    let tags = try CountedTags(kind)
    let context = tags.context(NSMergePolicy(merge: type))
    try context.performAndWait {
      Self.tagged(context, ["a", "b", "c"])
      try tags.work(.error) {
        Self.tagged($0, ["a", "b"])
        try $0.save()
      }
      try context.save()
    }
    #expect(try tags.counts() == ["a 2", "b 2", "c 1"])
  }

  @Test(arguments: StoreKind.with(.everyRequest, .uniqueness), types)
  func `what a policy counts after its superclass is what there is`(
    kind: StoreKind,
    type: NSMergePolicyType
  ) throws {
    for counted in Counted.allCases {
      // A new object whose row the context knows already has left it afterwards.
      for isKnown in counted == .database ? [false, true] : [false] {
        let tags = try CountedTags(kind)
        let context = tags.context(Counts(counted, type))
        try context.performAndWait {
          Self.tagged(context, ["a", "b", "c"])
          try tags.work(.error) {
            Self.tagged($0, ["a", "b"])
            try $0.save()
          }
          let known = isKnown ? try context.all("CountingTag") : []
          try context.save()
          #expect(known.count == (isKnown ? 5 : 0))
          #expect(checkInvariants(of: context) == [])
        }
        #expect(
          try tags.policyCounts() == ["a 2", "b 2", "c –"],
          "\(counted), \(isKnown)"
        )
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .uniqueness))
  func `a request that a policy makes counts what is stored and what is not`(kind: StoreKind) throws
  {
    let tags = try CountedTags(kind)
    let policy = Asks(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    let context = tags.context(policy)
    try context.performAndWait {
      Self.tagged(context, ["a", "b"])
      try tags.work(.error) {
        Self.tagged($0, ["a", "b"])
        Self.tagged($0, ["other"])
        try $0.save()
      }
      try context.save()
    }
    #expect(policy.found.sorted() == ["a 2", "b 2"])
  }
}

/// Tags with a unique name that know how many notes they have.
private struct CountedTags {
  let coordinator: NSPersistentStoreCoordinator

  init(_ kind: StoreKind) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    try kind.add(to: coordinator)
  }

  static let model: NSManagedObjectModel = {
    let tag = NSEntityDescription()
    tag.name = "CountingTag"
    tag.managedObjectClassName = NSStringFromClass(CountingTag.self)
    let note = NSEntityDescription()
    note.name = "Note"
    let attributes = [
      ("name", NSAttributeType.stringAttributeType), ("count", .integer64AttributeType),
      ("policyCount", .integer64AttributeType),
    ].map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    let (one, many) = (NSRelationshipDescription(), NSRelationshipDescription())
    (one.name, one.destinationEntity, one.maxCount) = ("tag", tag, 1)
    (many.name, many.destinationEntity) = ("notes", note)
    (one.inverseRelationship, many.inverseRelationship) = (many, one)
    for property in [one, many] { property.isOptional = true }
    tag.properties = attributes + [many]
    note.properties = [title, one]
    tag.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [note, tag]
    return model
  }()

  func context(_ policy: NSMergePolicy) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.mergePolicy = policy
    return context
  }

  func work<Result>(
    _ policy: NSMergePolicy,
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = context(policy)
    return try context.performAndWait { try body(context) }
  }

  func counts(_ name: String = "count") throws -> [String] {
    try work(.error) { context in
      try context.all("CountingTag").map {
        "\($0.text("name") ?? "") \($0.value(forKey: name).map { "\($0)" } ?? "–")"
      }
      .sorted()
    }
  }

  func policyCounts() throws -> [String] { try counts("policyCount") }
}

/// Counts its notes whenever they have changed.
final class CountingTag: NSManagedObject {
  override func willSave() {
    super.willSave()
    guard changedValues()["notes"] != nil, let notes = value(forKey: "notes") as? NSSet,
      value(forKey: "count") as? Int != notes.count
    else { return }
    setValue(notes.count, forKey: "count")
  }
}

private final class Counts: NSMergePolicy, @unchecked Sendable {
  private let counted: CountingPolicyTests.Counted

  init(_ counted: CountingPolicyTests.Counted, _ type: NSMergePolicyType) {
    self.counted = counted
    super.init(merge: type)
  }

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    let before = list.flatMap(\.conflictingObjects)
    try super.resolve(constraintConflicts: list)
    let objects =
      switch counted {
      case .conflicting: list.flatMap(\.conflictingObjects)
      case .database: list.compactMap(\.databaseObject)
      case .caughtBefore: before
      }
    for object in objects {
      object.managedObjectContext?.refresh(object, mergeChanges: true)
      object.setValue((object.value(forKey: "notes") as? NSSet)?.count, forKey: "policyCount")
    }
  }
}

private final class Asks: NSMergePolicy, @unchecked Sendable {
  private(set) var found: [String] = []

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    try super.resolve(constraintConflicts: list)
    for object in list.compactMap(\.databaseObject) {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "tag == %@", object)
      let count = try object.managedObjectContext?.count(for: request)
      found.append("\(object.text("name") ?? "") \(count.map { "\($0)" } ?? "–")")
    }
  }
}
