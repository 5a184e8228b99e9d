import Foundation
import Testing

@testable import CoreDataModel

/// Archives as older frameworks or nobody wrote them, made by changing objects of good ones.
struct ForeignArchiveTests {
  @Test func `proxies of inherited properties are passed over`() throws {
    let archive = try RawDeflate.inflate(ModelCache.encode(.notes))
    let changed = try changing(archive) { objects, fields, className in
      guard className == "NSAttributeDescription", fields["NSPropertyName"] == created(objects),
        fields["NSEntity"] == note(objects)
      else { return fields }
      objects.append(.dictionary(["$classname": .text("_NSPropertyDescriptionProxy")]))
      return ["$class": .uid(objects.count - 1), "NSReferenceID": .integer(0)]
    }
    #expect(changed != archive)
    #expect(try ModelArchive.decode(changed) == .notes)
  }

  @Test func `indexes are read from the keys that were used before fetch indexes`() throws {
    let archive = try ModelArchive.encode(.notes)
    let changed = try changing(archive) { objects, fields, className in
      var fields = fields
      if className == "NSAttributeDescription" { fields["NSIsIndexed"] = .boolean(true) }
      if className == "NSEntityDescription", fields["NSEntityName"] == text("Note", objects) {
        fields["NSCompoundIndexes"] = .array([.array([.text("title"), .text("stars")])])
      }
      return fields
    }
    let note = try #require(try ModelArchive.decode(changed).entity(named: "Note"))
    #expect(note.indexes.map(\.name) == ["stars", "title", "compoundIndex"])
    #expect(note.indexes.last?.elements == [.init(.property("title")), .init(.property("stars"))])
  }

  @Test func `a text object that contains itself is no text`() throws {
    let archive = try ModelArchive.encode(.notes)
    let changed = try changing(archive) { objects, fields, className in
      guard className == "NSAttributeDescription" else { return fields }
      objects.append(.dictionary(["NS.string": .uid(objects.count)]))
      return fields.merging(["NSVersionHashModifier": .uid(objects.count - 1)]) { _, new in new }
    }
    #expect(try ModelArchive.decode(changed) == .notes)
  }

  @Test func `a value that no format can say is named`() throws {
    let schema = ModelSchema.notes.changing("Note") {
      $0.indexes = [FetchIndexSchema(name: "i", elements: [], partialPredicateFormat: "a == 7")]
    }
    let archive = try ModelArchive.encode(schema)
    let changed = try changing(archive) { objects, fields, className in
      guard className == "NSConstantValueExpression" else { return fields }
      objects.append(.data(Data([7])))
      return fields.merging(["NSConstantValue": .uid(objects.count - 1)]) { _, new in new }
    }
    let error = #expect(throws: ArchiveError.self) { try ModelArchive.decode(changed) }
    #expect(
      error?.description == "an archived predicate has a value of data, which no format can say"
    )
  }

  @Test func `shared objects cannot unfold into an endless predicate`() throws {
    let archive = try ModelArchive.encode(.notes)
    let changed = try changing(archive) { objects, fields, className in
      guard className == "NSAttributeDescription" else { return fields }
      objects.append(.dictionary(["$classname": .text("NSCompoundPredicate")]))
      let kind = PropertyListValue.uid(objects.count - 1)
      objects.append(.dictionary(["$classname": .text("NSTruePredicate")]))
      objects.append(.dictionary(["$class": .uid(objects.count - 1)]))
      for _ in 0..<60 {
        let part = PropertyListValue.uid(objects.count - 1)
        objects.append(
          .dictionary([
            "$class": kind, "NSCompoundPredicateType": .integer(1),
            "NSSubpredicates": .array([part, part]),
          ])
        )
      }
      return fields.merging(
        ["NSValidationPredicates": .array([.uid(objects.count - 1)])]
      ) { _, new in new }
    }
    let error = #expect(throws: ArchiveError.self) { try ModelArchive.decode(changed) }
    #expect(error?.description == "an archived predicate is too large or contains itself")
  }

  private typealias Fields = [String: PropertyListValue]

  /// An archive with the fields of some objects changed, and objects added.
  private func changing(
    _ archive: Data,
    _ change: (inout [PropertyListValue], Fields, String?) -> Fields
  ) throws -> Data {
    guard case .dictionary(var archived) = try PropertyListValue(binary: archive),
      case .array(var objects)? = archived["$objects"]
    else { return archive }
    for index in objects.indices {
      guard case .dictionary(let fields) = objects[index], case .uid(let kind)? = fields["$class"],
        case .dictionary(let description) = objects[kind],
        case .text(let className)? = description["$classname"]
      else { continue }
      let changed = change(&objects, fields, className)
      objects[index] = .dictionary(changed)
    }
    archived["$objects"] = .array(objects)
    return PropertyListValue.dictionary(archived).binary
  }

  private func text(_ text: String, _ objects: [PropertyListValue]) -> PropertyListValue? {
    objects.firstIndex(of: .text(text)).map(PropertyListValue.uid)
  }

  private func created(_ objects: [PropertyListValue]) -> PropertyListValue? {
    text("created", objects)
  }

  private func note(_ objects: [PropertyListValue]) -> PropertyListValue? {
    objects.indices.first {
      guard case .dictionary(let fields) = objects[$0] else { return false }
      return fields["NSEntityName"] == text("Note", objects) && fields["NSEntityName"] != nil
    }
    .map(PropertyListValue.uid)
  }
}
