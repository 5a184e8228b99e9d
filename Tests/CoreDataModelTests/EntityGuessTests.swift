import CoreDataModel
import Foundation
import Testing

/// Tests of the facts that a version hash proves.
@Suite struct EntityGuessTests {
  private func attribute(
    _ name: String,
    _ type: AttributeType,
    _ isOptional: Bool = true
  ) -> AttributeSchema {
    var attribute = AttributeSchema(name: name, type: type)
    attribute.isOptional = isOptional
    return attribute
  }

  /// Note with title and stars, and Checklist below it with one attribute more.
  private var schema: ModelSchema {
    var note = EntitySchema(name: "Note")
    note.isAbstract = true
    note.attributes = [attribute("stars", .integer16, false), attribute("title", .string)]
    note.uniquenessConstraints = [["title", "stars"]]
    var list = EntitySchema(name: "Checklist")
    list.superentityName = "Note"
    list.attributes = [attribute("createdAt", .date)]
    return ModelSchema(entities: [list, note])
  }

  private func hash(_ entity: String) throws -> Data {
    try #require(schema.entityVersionHashes[entity])
  }

  private var guess: EntityGuess {
    var guess = EntityGuess(name: "Note")
    guess.abstractness = [false, true]
    guess.constraints = [[0, 1]]
    guess.properties = [
      [.attribute(attribute("title", .uri)), .attribute(attribute("title", .string))],
      [.integer64, .integer32, .integer16].flatMap { type in
        [true, false].map { .attribute(attribute("stars", type, $0)) }
      },
    ]
    return guess
  }

  @Test func `the hash picks types, optionality and abstractness`() throws {
    let hash = try hash("Note")
    let answer = try #require(guess.answer(to: hash))
    #expect(answer.isAbstract)
    #expect(
      answer.properties == [
        .attribute(attribute("title", .string)), .attribute(attribute("stars", .integer16, false)),
      ]
    )
  }

  @Test func `a subentity is found when its superentity is known`() throws {
    let note = try #require(try guess.answer(to: hash("Note")))
    var below = EntityGuess(name: "Checklist")
    below.superentity = note.superentity
    below.properties = [["createdat", "createdAt"].map { .attribute(attribute($0, .date)) }]
    let answer = try #require(try below.answer(to: hash("Checklist")))
    #expect(answer.properties.map(\.name) == ["createdAt"])
    below.superentity = nil
    #expect(try below.answer(to: hash("Checklist")) == nil)
  }

  @Test func `without the right form there is no answer`() throws {
    var wrong = guess
    wrong.properties[0].removeLast()
    #expect(try wrong.answer(to: hash("Note")) == nil)
    #expect(guess.answer(to: Data(repeating: 0, count: 32)) == nil)
  }

  @Test func `more combinations than the limit are tried in part, or not at all`() throws {
    var narrow = guess
    narrow.limit = 4
    // With two forms each the right one of the stars is not among them.
    #expect(try narrow.answer(to: hash("Note")) == nil)
    narrow.limit = 3
    #expect(narrow.answer(to: Data()) == nil)
  }
}
