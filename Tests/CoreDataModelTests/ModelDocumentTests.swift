import CoreDataModel
import CoreDataModelWriting
import Foundation
import Testing

struct `A model's document` {
  private static let text = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" unheardOf='a "b"'>
        <entity name="Folder" representedClassName="Folder" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String" color="red"/>
            <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>
        </entity>
        <!-- kept -->
        <entity name="Note" representedClassName="Note" syncable="YES">
            <attribute name="title" attributeType="String"/>
            <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
            <fetchIndex name="byTitle">
                <fetchIndexElement property="title" type="Binary" order="ascending"/>
            </fetchIndex>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="title"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <entity name="Tag" syncable="YES"/>
        <elements>
            <element name="Note" positionX="0" positionY="0" width="128" height="75"/>
        </elements>
    </model>
    """

  private func document() throws -> ModelDocument { try ModelDocument(Data(Self.text.utf8)) }

  private func lines(_ document: ModelDocument) -> [Substring] {
    String(decoding: document.data, as: UTF8.self).split(separator: "\n")
  }

  /// The lines of the new text that the old one does not have, and the other way round.
  private func difference(_ document: ModelDocument) -> (added: [String], removed: [String]) {
    let changes = lines(document).difference(from: Self.text.split(separator: "\n"))
    var (added, removed) = ([String](), [String]())
    for change in changes {
      switch change {
      case .insert(_, let line, _): added.append(line.trimmingCharacters(in: .whitespaces))
      case .remove(_, let line, _): removed.append(line.trimmingCharacters(in: .whitespaces))
      }
    }
    return (added, removed)
  }

  @Test func `that is not changed is the same byte for byte`() throws {
    #expect(try document().data == Data(Self.text.utf8))
  }

  @Test func `changes one line for one option, and keeps what nobody knows`() throws {
    var document = try document()
    let name = try #require(document.place(of: "name", in: [0]))
    try document.set("optional", to: nil, at: name)
    try document.set("defaultValueString", to: "a < \"b\"", at: name)
    let (added, removed) = difference(document)
    #expect(removed.count == 1)
    #expect(
      added == [
        "<attribute name=\"name\" attributeType=\"String\" "
          + "defaultValueString=\"a &lt; &quot;b&quot;\" color=\"red\"/>"
      ]
    )
    #expect(document.element(at: name)?["defaultValueString"] == "a < \"b\"")
    #expect(document.schema().schema.entity(named: "Folder")?.attributes.first?.isOptional == false)
  }

  @Test func `adds elements in Xcode's order, and opens an element that closed itself`() throws {
    var document = try document()
    let tag = try #require(document.place(ofEntity: "Tag"))
    let place = try document.insert(
      "attribute",
      [("attributeType", "String"), ("name", "name"), ("optional", "YES")],
      in: tag
    )
    #expect(place == tag + [0])
    let note = try #require(document.place(ofEntity: "Note"))
    let stars = try document.insert(
      "attribute",
      [("name", "stars"), ("attributeType", "Integer 16")],
      in: note
    )
    #expect(stars == note + [0])
    let (added, removed) = difference(document)
    #expect(removed == ["<entity name=\"Tag\" syncable=\"YES\"/>"])
    #expect(
      added.sorted() == [
        "</entity>", "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>",
        "<attribute name=\"stars\" attributeType=\"Integer 16\"/>",
        "<entity name=\"Tag\" syncable=\"YES\">",
      ]
    )
    // And back again, byte for byte.
    try document.remove(at: stars)
    try document.remove(at: place)
    #expect(document.data == Data(Self.text.utf8))
  }

  @Test func `renames an entity and a property everywhere`() throws {
    var document = try document()
    let note = try #require(document.place(ofEntity: "Note"))
    _ = try document.rename(to: "Page", at: note)
    let title = try #require(document.place(of: "title", in: note))
    #expect(try document.rename(to: "heading", at: title) == title)
    let folder = try #require(document.place(of: "folder", in: note))
    _ = try document.rename(to: "binder", at: folder)
    let (schema, problems) = document.schema()
    #expect(problems.filter { $0.severity == .error }.isEmpty, "\(problems)")
    #expect(schema.entity(named: "Note") == nil)
    let page = try #require(schema.entity(named: "Page"))
    #expect(page.className == "Page")
    #expect(page.uniquenessConstraints == [["heading"]])
    #expect(schema.entity(named: "Folder")?.relationships.first?.inverseName == "binder")
    #expect(schema.entity(named: "Folder")?.relationships.first?.destinationName == "Page")
    #expect(lines(document).contains { $0.contains("<element name=\"Page\"") })
    #expect(throws: ModelDocument.Mistake.self) { try document.rename(to: "Tag", at: note) }
  }

  @Test func `keeps the order of names when something is renamed`() throws {
    var document = try document()
    let note = try #require(document.place(ofEntity: "Note"))
    let stars = try document.insert(
      "attribute",
      [("name", "attribute"), ("attributeType", "Integer 16")],
      in: note
    )
    #expect(stars == note + [0])
    let place = try document.rename(to: "views", at: stars)
    #expect(place == note + [1])
    #expect(document.element(at: place)?["name"] == "views")
    let tag = try #require(document.place(ofEntity: "Tag"))
    #expect(try document.rename(to: "Book", at: tag) == [0])
    let names = document.root.children.filter { $0.name == "entity" }.map { $0["name"] }
    #expect(names == ["Book", "Folder", "Note"])
  }

  @Test func `keeps both ends of an inverse in step`() throws {
    var document = try document()
    let tag = try #require(document.place(ofEntity: "Tag"))
    let folders = try document.insert(
      "relationship",
      [("name", "folders"), ("toMany", "YES"), ("destinationEntity", "Folder")],
      in: tag
    )
    let folder = try #require(document.place(ofEntity: "Folder"))
    let tags = try document.insert(
      "relationship",
      [("name", "tags"), ("toMany", "YES"), ("destinationEntity", "Tag")],
      in: folder
    )
    try document.setInverse("tags", at: folders)
    #expect(document.element(at: tags)?["inverseName"] == "folders")
    #expect(document.element(at: folders)?["inverseEntity"] == "Folder")
    try document.setInverse(nil, at: tags)
    #expect(document.element(at: tags)?["inverseName"] == nil)
    #expect(document.element(at: folders)?["inverseName"] == nil)
  }

  @Test func `moves an element among its siblings`() throws {
    var document = try document()
    let note = try #require(document.place(ofEntity: "Note"))
    let index = try #require(document.place(of: "byTitle", in: note))
    let second = try document.insert("fetchIndexElement", [("property", "folder")], in: index)
    #expect(second == index + [1])
    #expect(try document.move(at: second, by: -1) == index + [0])
    let names = document.element(at: index)?.children.map { $0["property"] }
    #expect(names == ["folder", "title"])
  }

  @Test func `of Apple's stays the same when something is changed and changed back`() throws {
    // Elsewhere the folder does not exist, and there is nothing to read.
    let walk = FileManager.default.enumerator(
      at: Fixtures.folder.appending(path: "models"),
      includingPropertiesForKeys: nil
    )
    let files = walk?.compactMap { $0 as? URL }.filter { $0.lastPathComponent == "contents" } ?? []
    for file in files {
      let data = try Data(contentsOf: file)
      var document = try ModelDocument(data)
      for number in document.root.children.indices
      where document.root.children[number].name == "entity" {
        let modifier = document.root.children[number]["versionHashModifier"]
        try document.set("versionHashModifier", to: "x", at: [number])
        try document.set("versionHashModifier", to: modifier, at: [number])
        let place = try document.insert("attribute", [("name", "zzz")], in: [number])
        try document.remove(at: place)
      }
      #expect(document.data == data, "\(file.path)")
    }
  }
}
