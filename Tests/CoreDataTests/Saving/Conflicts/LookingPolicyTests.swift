import CoreData
import TestSupport
import Testing

/// Policies that call their superclass and look around then.
@Suite struct LookingPolicyTests {
  /// A row and new objects that want its name, as the policy and a save find them.
  struct Case: CustomTestStringConvertible, Sendable {
    let type: NSMergePolicyType
    let isStored: Bool
    let isKnown: Bool
    let copies: Int

    var testDescription: String { "\(type) \(isStored) \(isKnown) \(copies)" }

    static let all: [Case] = [
      .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
      .overwriteMergePolicyType, .rollbackMergePolicyType,
    ].flatMap { type in
      [(true, true), (true, false), (false, false)].flatMap { isStored, isKnown in
        (1...3).map { Case(type: type, isStored: isStored, isKnown: isKnown, copies: $0) }
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .uniqueness), Case.all)
  func `a policy that calls its superclass and counts finds every object once`(
    kind: StoreKind,
    example: Case
  ) throws {
    let stack = try UniqueNotes(kind)
    if example.isStored {
      try stack.work { context in
        _ = context.new("Tag", ["name": "swift"])
        try context.save()
      }
    }
    let policy = LookingPolicy(merge: example.type)
    try stack.work(policy) { context in
      let known = example.isKnown ? try context.all("Tag") : []
      let copies = (0..<example.copies).map { _ in context.new("Tag", ["name": "swift"]) }
      let other = context.new("Tag", ["name": "other"])
      try context.save()
      #expect(try context.all("Tag").count == 2)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 2)
      if example.type != .rollbackMergePolicyType {
        #expect(context.registeredObjects.filter { $0.entity.name == "Tag" }.count == 2)
      }
      #expect(!other.objectID.isTemporaryID)
      #expect(known.allSatisfy { $0.managedObjectContext === context })
      let stays = Set((copies + known).filter { $0.managedObjectContext === context })
      #expect(stays.count == 1 || example.type == .rollbackMergePolicyType)
    }
    #expect(try stack.rows("Tag", "name") == ["other", "swift"])
    let hasConflict = example.isStored || example.copies > 1
    #expect(policy.counts.isEmpty != hasConflict)
    #expect(policy.counts.last == (hasConflict ? 2 : nil), "the last conflict leaves two tags")
  }
}

/// Safety: belongs to one context, on whose queue it is called.
private final class LookingPolicy: NSMergePolicy, @unchecked Sendable {
  /// How many tags there were after each call.
  private(set) var counts: [Int] = []

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    try super.resolve(constraintConflicts: list)
    let objects = list.flatMap { $0.conflictingObjects + [$0.databaseObject].compactMap { $0 } }
    guard let context = objects.lazy.compactMap(\.managedObjectContext).first else {
      counts.append(2)
      return
    }
    counts.append(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")))
  }
}
