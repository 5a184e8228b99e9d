import CoreDataModelWriting
import CoreDataPredicates
import Foundation
import Testing

@testable import CoreDataModel

/// Models as Xcode 3 kept them.
struct ModelElementsTests {
  @Test func `a model of Xcode 3 could not be read`() throws {
    let model = try scratch(Self.books())
    let source = try ModelSource(contentsOf: model.url)
    #expect(source.warnings.isEmpty)
    let book = try #require(source.current.entity(named: "Book"))
    #expect(book.attributes.map(\.name) == ["author", "copyright", "title"])
    #expect(book.attributes.map(\.type) == [.string, .date, .string])
    #expect(book.attributes.map(\.isOptional) == [false, true, false])
    #expect(book.attributes[0].defaultValue == .text("Author"))
    #expect(book.attributes[0].validations.map(\.predicateFormat) == ["length >= 1"])
    #expect(book.className == "Book")
    // The hash in a store that Apple's sample program CoreDataBooks carries, which was made for this model.
    let hash = source.current.entityVersionHashes["Book"]?.map { String(format: "%02x", $0) }
    #expect(
      hash?.joined() == "4b2c05cdc2213e563008fe8dce7b01329e96c841c5df361d698bd7fc721a188d"
    )
  }

  @Test func `all parts of a model are read`() throws {
    var archive = OldArchive()
    let (folder, note) = (archive.builder.reserve(), archive.builder.reserve())
    let (notes, inverse) = (archive.builder.reserve(), archive.builder.reserve())
    let limit = archive.builder.object(
      "NSDecimalNumber",
      [
        "NS.mantissa": .data(Data([9] + Array(repeating: 0, count: 15))), "NS.length": .integer(1),
        "NS.compact": .boolean(true), "NS.negative": .boolean(false), "NS.exponent": .integer(0),
        "NS.mantissa.bo": .integer(1),
      ]
    )
    archive.relationship(
      "notes",
      [
        "XD_PRK_isToMany": .boolean(true), "XD_PRK_destination": note,
        "XD_PRK_inverseRelationship": inverse, "XD_PRK_deleteRule": .integer(2),
        "XD_PRK_minCount": .integer(0), "XD_PRK_maxCount": limit,
      ],
      at: notes
    )
    archive.relationship(
      "folder",
      [
        "XD_PRK_destination": folder, "XD_PRK_inverseRelationship": notes,
        "XD_PRK_minCount": .integer(1), "XD_PRK_maxCount": .integer(1),
        "XD_PRK_deleteRule": .integer(1), "XD_PPSK_isTransient": .boolean(false),
      ],
      at: inverse
    )
    let request = archive.builder.object(
      "XDPMFetchRequest",
      [
        "_name": archive.builder.text("recent"), "_entity": note,
        "_predicateString": archive.builder.text("title != nil"),
      ]
    )
    let root = archive.entity("Item", ["XD_PSK_isAbstract": .boolean(true)], [])
    let requests = archive.builder.array([request])
    let info = archive.builder.dictionary([("colour", archive.builder.text("red"))])
    archive.entity(
      "Folder",
      ["XD_PSK_fetchRequestsArray": requests, "XD_PSK_userInfo": info],
      [("notes", notes)],
      parent: root,
      at: folder
    )
    let title = archive.attribute(
      "title",
      [
        "XD_PAttK_attributeType": .integer(700), "XD_PPSK_isIndexed": .boolean(true),
        "XD_PPSK_versionHashModifier": archive.builder.text("2"),
        "XD_PPSK_elementID": archive.builder.text("name"),
        "XD_PAttK_regularExpressionString": archive.builder.text("A.*"),
      ]
    )
    let created = archive.attribute(
      "created",
      [
        "XD_PAttK_attributeType": .integer(900),
        "XD_PAttK_defaultValueAsString": archive.builder.text("2001-01-01 01:00:00 +0000"),
        "XD_PAttK_maxValueString": archive.builder.text("tomorrow"),
      ]
    )
    let stars = archive.attribute(
      "stars",
      [
        "XD_PAttK_attributeType": .integer(100),
        "XD_PAttK_maxValueString": archive.builder.text("5"),
      ]
    )
    archive.entity(
      "Note",
      [:],
      [("title", title), ("created", created), ("stars", stars), ("folder", inverse)],
      at: note
    )
    let model = try scratch(
      archive.model([("Item", root), ("Folder", folder), ("Note", note)], version: "v2")
    )
    let source = try ModelSource(contentsOf: model.url)
    #expect(
      source.warnings.map(\.description).contains {
        $0.contains("Note.created: the date \"tomorrow\" is not written as")
      }
    )
    let schema = source.current
    #expect(schema.versionIdentifiers == ["v2"])
    #expect(schema.entity(named: "Item")?.isAbstract == true)
    let found = try #require(schema.entity(named: "Folder"))
    #expect(found.superentityName == "Item" && found.userInfo == ["colour": "red"])
    #expect(found.relationships[0].maxCount == 9 && found.relationships[0].deleteRule == .cascade)
    #expect(found.relationships[0].inverseName == "folder")
    #expect(schema.fetchRequestTemplates.map(\.name) == ["recent"])
    #expect(schema.fetchRequestTemplates[0].predicateFormat == "title != nil")
    let other = try #require(schema.entity(named: "Note"))
    #expect(other.relationships[0].minCount == 1 && other.relationships[0].maxCount == 1)
    let attributes = Dictionary(uniqueKeysWithValues: other.attributes.map { ($0.name, $0) })
    #expect(attributes["created"]?.defaultValue == .date(3600))
    #expect(attributes["stars"]?.validations.map(\.predicateFormat) == ["SELF <= 5"])
    #expect(attributes["title"]?.renamingIdentifier == "name")
    #expect(attributes["title"]?.versionHashModifier == "2")
    #expect(other.indexes.map(\.name) == ["title"])
    // Written as today's source, it is the same.
    let written = model.url.deletingLastPathComponent().appending(path: "Written.xcdatamodeld")
    try ModelSource.write(
      [.init(name: "Old", schema: schema)],
      currentVersionName: "Old",
      to: written
    )
    #expect(try ModelSource(contentsOf: written).current == schema)
  }

  @Test func `an archive that is no model, or has too much, is told`() throws {
    var foreign = OldArchive()
    let entity = foreign.entity("Note", [:], [])
    var wrong = OldArchive()
    let odd = wrong.attribute("x", ["XD_PAttK_attributeType": .integer(7)])
    let holder = wrong.entity("Note", [:], [("x", odd)])
    var rule = OldArchive()
    let relationship = rule.relationship("r", ["XD_PRK_deleteRule": .integer(9)])
    let owner = rule.entity("Note", [:], [("r", relationship)])
    var many = OldArchive()
    let attribute = many.attribute("x", ["XD_PAttK_attributeType": .integer(700)])
    let list = many.entity("Note", [:], Array(repeating: ("x", attribute), count: 60_000))
    let cases = [
      (foreign.builder.data(root: entity), "the archive holds XDPMEntity, not a data model"),
      (Data("nothing".utf8), "Xcode 3 wrote it"),
      (wrong.model([("Note", holder)]), "Note.x has the unknown attribute type 7"),
      (rule.model([("Note", owner)]), "Note.r has the unknown delete rule 9"),
      (many.model([("Note", list)]), "Note"),
    ]
    for (data, words) in cases {
      let model = try scratch(data)
      let error = #expect(throws: ModelError.self) { try ModelSource(contentsOf: model.url) }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
      #expect(error?.description.contains("elements: error: ") == true)
    }
  }

  private func scratch(_ elements: Data) throws -> ScratchModel {
    let model = try ScratchModel(["Old": "<model/>"])
    let version = model.url.appending(path: "Old.xcdatamodel")
    try FileManager.default.removeItem(at: version.appending(path: "contents"))
    try elements.write(to: version.appending(path: "elements"))
    return model
  }

  /// The model of Apple's sample program CoreDataBooks.
  private static func books() -> Data {
    var archive = OldArchive()
    let texts = ["author", "title"].map { name in
      archive.attribute(
        name,
        [
          "XD_PAttK_attributeType": .integer(700), "XD_PPSK_isOptional": .boolean(false),
          "XD_PAttK_defaultValueAsString": archive.builder.text(name.capitalized),
          "XD_PAttK_minValueString": archive.builder.text("1"),
        ]
      )
    }
    let date = archive.attribute(
      "copyright",
      [
        "XD_PAttK_attributeType": .integer(900), "XD_PPSK_isOptional": .boolean(true),
        "XD_PAttK_defaultValueAsString": ArchiveBuilder.null,
      ]
    )
    let book = archive.entity(
      "Book",
      ["XD_PSK_entityClassName": archive.builder.text("Book")],
      [("author", texts[0]), ("title", texts[1]), ("copyright", date)]
    )
    return archive.model([("Book", book)])
  }
}

/// Builds archives in the form that Xcode 3 used.
private struct OldArchive {
  var builder = ArchiveBuilder()

  @discardableResult
  mutating func entity(
    _ name: String,
    _ facts: [String: PropertyListValue],
    _ properties: [(key: String, value: PropertyListValue)],
    parent: PropertyListValue? = nil,
    at place: PropertyListValue? = nil
  ) -> PropertyListValue {
    var fields = [
      "_name": builder.text(name),
      "XDBucketForStereotypesstorage": stereotypes(["XD_PStereotype": facts]),
      "XDBucketForOwnedAttributesstorage": builder.dictionary(properties),
    ]
    if let parent {
      let link = builder.object("XDUMLGeneralizationImp", ["_general": parent])
      fields["XDBucketForGeneralizationsstorage"] = builder.array([link])
    }
    return builder.object("XDPMEntity", fields, at: place)
  }

  mutating func attribute(
    _ name: String,
    _ facts: [String: PropertyListValue]
  ) -> PropertyListValue {
    property("XDPMAttribute", name, facts, at: nil)
  }

  @discardableResult
  mutating func relationship(
    _ name: String,
    _ facts: [String: PropertyListValue],
    at place: PropertyListValue? = nil
  ) -> PropertyListValue {
    property("XDPMRelationship", name, facts, at: place)
  }

  private mutating func property(
    _ className: String,
    _ name: String,
    _ facts: [String: PropertyListValue],
    at place: PropertyListValue?
  ) -> PropertyListValue {
    // Xcode keeps the facts of each class in a group of its own.
    let common = facts.filter { $0.key.hasPrefix("XD_PPSK") }
    let own = facts.filter { !$0.key.hasPrefix("XD_PPSK") }
    let groups = stereotypes(["XD_PPropStereotype": common, "XD_Own": own])
    return builder.object(
      className,
      ["_name": builder.text(name), "XDBucketForStereotypesstorage": groups],
      at: place
    )
  }

  private mutating func stereotypes(
    _ groups: [String: [String: PropertyListValue]]
  ) -> PropertyListValue {
    var entries: [(key: String, value: PropertyListValue)] = []
    for (name, facts) in groups.sortedByCodePoints(\.key) {
      var properties: [(key: String, value: PropertyListValue)] = []
      for (name, value) in facts.sortedByCodePoints(\.key) {
        properties.append((name, builder.object("XDUMLPropertyImp", ["_default": value])))
      }
      let storage = builder.dictionary(properties)
      let group = builder.object(
        "XDUMLStereotypeImp",
        ["XDBucketForOwnedAttributesstorage": storage]
      )
      entries.append((name, group))
    }
    return builder.dictionary(entries)
  }

  mutating func model(
    _ entities: [(key: String, value: PropertyListValue)],
    version: String? = nil
  ) -> Data {
    let package = builder.object(
      "XDModelPackage",
      ["XDBucketForClassesstorage": builder.dictionary(entities)]
    )
    let root = builder.object(
      "XDPMModel",
      ["_xd_rootPackage": package, "_modelVersionIdentifier": builder.text(version)]
    )
    return builder.data(root: root)
  }
}
