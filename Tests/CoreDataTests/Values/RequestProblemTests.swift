import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Errors as clients of a web API see them.
@Suite struct RequestProblemTests {
  private let stack: NotesStack

  init() throws {
    stack = try NotesStack(.sqlite)
  }

  /// The error of a save after some changes, which are forgotten then.
  private func failure(
    _ stack: NotesStack,
    _ change: (NSManagedObjectContext) throws -> Void
  ) throws -> any Error {
    try stack.work { context in
      try change(context)
      let error = #expect(throws: (any Error).self) { try context.save() }
      context.rollback()
      return try #require(error)
    }
  }

  @Test func `a client was told of a rule of the model with the sentence for developers`() throws {
    let one = try failure(stack) { $0.note(String(repeating: "x", count: 41)) }
    let problem = try #require(RequestProblem(one))
    #expect(problem.status == 422 && problem.sentence == "title is too long.")
    #expect(problem.fields == [.init("title", of: "Note", "title is too long.")])
    let several = try failure(stack) { context in
      let note = context.note(String(repeating: "x", count: 41))
      note.stars = 6
      _ = Tag(context: context)
    }
    let all = try #require(RequestProblem(several))
    #expect(all.status == 422)
    #expect(Set(all.fields.map(\.name)) == ["title", "stars", "name"])
    #expect(all.fields.first { $0.name == "name" }?.entity == "Tag")
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(problem))
    let fields = try #require((json as? [String: Any])?["fields"] as? [[String: String]])
    #expect(fields == [["entity": "Note", "field": "title", "detail": "title is too long."]])
    #expect(try JSONDecoder().decode(RequestProblem.self, from: JSONEncoder().encode(all)) == all)
  }

  @Test func `an object that others need was a server's error`() throws {
    let error = try failure(stack) { context in
      let tag = context.tag("red")
      tag.notes = NSOrderedSet(object: context.note("Seeds"))
      try context.save()
      context.delete(tag)
    }
    #expect(RequestProblem(error)?.status == 409)
    #expect(RequestProblem(error)?.fields.map(\.name) == ["notes"])
  }

  @Test func `a client was told of a taken value with the address of an object`() throws {
    let entity = NSEntityDescription()
    entity.name = "Book"
    entity.properties = ["isbn", "place"].map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .stringAttributeType
      return attribute
    }
    entity.uniquenessConstraints = [["isbn"]]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let stack = try NotesStack(model: model, .sqlite)
    let error = try failure(stack) { context in
      for _ in 0..<2 {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("1", forKey: "isbn")
        book.setValue("here", forKey: "place")
      }
    }
    let problem = try #require(RequestProblem(error))
    let sentence = "There is another object with this isbn."
    #expect(problem == RequestProblem(409, sentence, fields: [.init("isbn", of: "Book", sentence)]))
  }

  @Test func `a conflict and an object that is not there were a server's error`() throws {
    let id = try stack.work { context in
      let note = context.note("Seeds")
      try context.save()
      return note.objectID
    }
    let conflict = try failure(stack) { context in
      let note = try #require(try context.existingObject(with: id) as? Note)
      note.title = "Mine"
      let other = stack.context()
      try other.performAndWait {
        (try other.existingObject(with: id) as? Note)?.title = "Theirs"
        try other.save()
      }
    }
    #expect(RequestProblem(conflict)?.status == 409)
    let absence = try stack.work { context in
      context.delete(try context.existingObject(with: id))
      try context.save()
      context.reset()
      return #expect(throws: (any Error).self) { try context.existingObject(with: id) }
    }
    #expect(RequestProblem(try #require(absence))?.status == 404)
    #expect(RequestProblem(CocoaError(.fileWriteOutOfSpace)) == nil)
    #expect(RequestProblem(CancellationError()) == nil)
    #expect(RequestProblem(RequestProblem(418, "No.")) == RequestProblem(418, "No."))
  }
}
