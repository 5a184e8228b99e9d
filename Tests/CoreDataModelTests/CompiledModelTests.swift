import CoreDataModel
import Foundation
import Testing

struct CompiledModelTests {
  @Test func `a source is compiled, written and read back`() throws {
    let note = "<entity name=\"Note\"><attribute name=\"title\" attributeType=\"String\"/></entity>"
    let scratch = try ScratchModel(
      [
        "Notes": "<model>\(note)</model>",
        "Notes 2": "<model>\(note)<entity name=\"Tag\"/></model>",
      ],
      current: "Notes 2.xcdatamodel"
    )
    let model = CompiledModel(try ModelSource(contentsOf: scratch.url))
    let folder = scratch.url.deletingLastPathComponent().appending(path: "Notes.momd")
    try model.write(to: folder)
    try model.write(to: folder)
    let back = try CompiledModel(contentsOf: folder)
    #expect(back == model)
    #expect(back.currentVersionName == "Notes 2")
    #expect(back.current.entities.map(\.name) == ["Note", "Tag"])
    let single = try CompiledModel(contentsOf: folder.appending(path: "Notes.mom"))
    #expect(single.current.entities.map(\.name) == ["Note"])

    try Data("damage".utf8).write(to: folder.appending(path: "Notes.mom"))
    let damaged = #expect(throws: ModelError.self) { try CompiledModel(contentsOf: folder) }
    #expect(
      damaged?.description == """
        Notes.momd/Notes.mom: error: the compiled model cannot be read: the data is not a binary \
        property list
        """
    )
    try FileManager.default.removeItem(at: folder.appending(path: "Notes.mom"))
    try FileManager.default.removeItem(at: folder.appending(path: "Notes 2.mom"))
    let empty = #expect(throws: ModelError.self) { try CompiledModel(contentsOf: folder) }
    #expect(empty?.description.contains("the compiled model has no version") == true)
  }

  @Test func `a compiled model that contradicts itself stopped the program later`() throws {
    var note = EntitySchema(name: "Note")
    note.uniquenessConstraints = [["nothing"]]
    let scratch = try ScratchModel(["Notes": "<model/>"])
    let file = scratch.url.deletingLastPathComponent().appending(path: "Notes.mom")
    try ModelArchive.encode(ModelSchema(entities: [note])).write(to: file)
    let error = #expect(throws: ModelError.self) { try CompiledModel(contentsOf: file) }
    #expect(error?.description.contains("the compiled model cannot be read: ") == true)
    #expect(error?.description.contains("nothing") == true)
  }

  @Test func `an ascending index of one attribute brings another of the attribute's name`() throws {
    let scratch = try ScratchModel([
      "Notes": """
      <model><entity name="Note">
        <attribute name="created" attributeType="Date"/>
        <attribute name="stars" attributeType="Integer 16"/>
        <attribute name="title" attributeType="String" indexed="YES"/>
        <relationship name="next" destinationEntity="Note" inverseName="next"/>
        <fetchIndex name="byStars"><fetchIndexElement property="stars"/></fetchIndex>
        <fetchIndex name="byStarsToo"><fetchIndexElement property="stars"/></fetchIndex>
        <fetchIndex name="byTitle"><fetchIndexElement property="title"/></fetchIndex>
        <fetchIndex name="byNext"><fetchIndexElement property="next"/></fetchIndex>
        <fetchIndex name="newest">
          <fetchIndexElement property="created" order="descending"/>
        </fetchIndex>
        <fetchIndex name="some" partialIndexPredicate="stars &gt; 1">
          <fetchIndexElement property="created"/>
        </fetchIndex>
        <fetchIndex name="byBoth">
          <fetchIndexElement property="created"/><fetchIndexElement property="stars"/>
        </fetchIndex>
      </entity></model>
      """
    ])
    let source = try ModelSource(contentsOf: scratch.url)
    let note = try #require(CompiledModel(source).current.entity(named: "Note"))
    #expect(
      note.indexes.map(\.name) == [
        "stars", "title", "byStars", "byStarsToo", "byTitle", "byNext", "newest", "some", "byBoth",
      ]
    )
    #expect(note.indexes[0].elements == [.init(.property("stars"))])
  }

  @Test func `a refused model leaves the folder as it was`() throws {
    let scratch = try ScratchModel(["Notes": "<model/>"])
    let folder = scratch.url.deletingLastPathComponent().appending(path: "Notes.momd")
    let good = CompiledModel(
      name: "Notes",
      versions: [.init(name: "Notes", schema: .notes)],
      currentVersionName: "Notes"
    )
    try good.write(to: folder)
    var bad = good
    bad.versions[0].schema = .notes.changing("Note") {
      $0.attributes[0].validations = [.init(predicateFormat: "?", warning: .code(1))]
    }
    #expect(throws: ArchiveError.self) { try bad.write(to: folder) }
    #expect(try CompiledModel(contentsOf: folder) == good)
  }
}
