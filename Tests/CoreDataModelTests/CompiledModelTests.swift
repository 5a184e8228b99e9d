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
