import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Names of objects in URLs.
@Suite struct ObjectIDCodeTests {
  private let code = ObjectIDCode(key: Data("a secret of sixteen".utf8))

  private func filled(_ kind: StoreKind) throws -> (NotesStack, [NSManagedObjectID]) {
    let stack = try NotesStack(kind)
    let ids = try stack.work { context in
      let objects: [NSManagedObject] =
        (1...20).map { context.note("Note \($0)") } + [context.folder("Folder")]
      try context.save()
      return objects.map(\.objectID)
    }
    return (stack, ids)
  }

  @Test(arguments: [StoreKind.memory, .sqlite])
  func `an object was named by the address of its store, which anybody could count on`(
    kind: StoreKind
  ) throws {
    let (stack, ids) = try filled(kind)
    let names = try ids.map { try code.name(of: $0) }
    #expect(Set(names).count == ids.count)
    #expect(names.allSatisfy { $0.utf8.count == 26 })
    for (id, name) in zip(ids, names) {
      #expect(code.objectID(of: name, in: stack.coordinator) == id)
    }
    // Neighbours have nothing in common.
    let common = zip(names[0], names[1]).count { $0 == $1 }
    #expect(common < 12)
    // Another key makes other names, and knows nothing of these.
    let other = ObjectIDCode(key: Data("another secret, too".utf8))
    #expect(try other.name(of: ids[0]) != names[0])
    #expect(other.objectID(of: names[0], in: stack.coordinator) == nil)
  }

  @Test func `a name with a wrong letter led to another object`() throws {
    let (stack, ids) = try filled(.sqlite)
    let name = try code.name(of: ids[0])
    for place in name.indices {
      for letter in "07gz" where name[place] != letter {
        var wrong = name
        wrong.replaceSubrange(place...place, with: [letter])
        #expect(code.objectID(of: wrong, in: stack.coordinator) == nil)
      }
    }
    for wrong in [
      "", "0", name + "0", String(name.dropLast()), name.uppercased(), "x-coredata://a/b",
    ]
    where wrong != name {
      #expect(code.objectID(of: wrong, in: stack.coordinator) == nil)
    }
  }

  @Test func `a name was another one after a restart, and an object without a row had one`() throws
  {
    let (stack, ids) = try filled(.sqlite)
    let name = try code.name(of: ids[3])
    let again = try stack.reopened()
    let id = try #require(code.objectID(of: name, in: again.coordinator))
    #expect(id.uriRepresentation() == ids[3].uriRepresentation())
    try again.work { context in
      let object = try context.existingObject(with: id)
      #expect(object is Note)
      let error = #expect(throws: NSError.self) { try code.name(of: context.note("New").objectID) }
      #expect(error?.code == NSPersistentStoreSaveError)
    }
  }
}
