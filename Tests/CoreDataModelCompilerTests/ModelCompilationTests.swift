import CoreDataModel
import Foundation
import Testing

@testable import CoreDataModelCompiler

struct ModelCompilationTests {
  @Test func `a model becomes a folder and a file for each part of a class`() throws {
    let workshop = try Workshop(.note)
    #expect(try workshop.compile().isEmpty)
    #expect(
      try workshop.products() == [
        "Library.momd", "Note+CoreDataClass.swift", "Note+CoreDataProperties.swift",
      ]
    )
  }

  @Test func `one file is written for all, even when no class is asked for`() throws {
    let workshop = try Workshop(.manualNote)
    _ = try workshop.compile(isSingleFile: true)
    #expect(try workshop.products() == ["Library+CoreDataModel.swift", "Library.momd"])
    #expect(
      try workshop.text(of: "Library+CoreDataModel.swift") == """
        // Made from Library.xcdatamodeld by the CoreDataModels plugin.
        // Do not edit: the next build writes it anew. Change the model instead.

        """
    )
  }

  @Test func `an unchanged class keeps its file, a changed one gets a new text`() throws {
    let workshop = try Workshop(.note)
    _ = try workshop.compile()
    let first = try workshop.date(of: "Note+CoreDataProperties.swift")
    _ = try workshop.compile()
    #expect(try workshop.date(of: "Note+CoreDataProperties.swift") == first)
    try workshop.write(.note.replacing("title", with: "heading"))
    _ = try workshop.compile()
    #expect(try workshop.text(of: "Note+CoreDataProperties.swift").contains("var heading: String?"))
  }

  @Test func `files of a class that is no longer asked for stayed without a word`() throws {
    let workshop = try Workshop(.note)
    _ = try workshop.compile()
    let own = workshop.output.appending(component: "Note+Sorting.swift")
    try Data("// Made from Library.xcdatamodeld by hand.\n".utf8).write(to: own)
    try workshop.write(.manualNote)
    let before = try workshop.products()
    let warnings = try workshop.compile()
    let reason = "an earlier run made this file, and the model no longer asks for it; "
    let remedy = "delete it, or remove its first line to keep it"
    let lines = ["Note+CoreDataClass.swift", "Note+CoreDataProperties.swift"].map { name in
      "\(workshop.output.appending(component: name).path): warning: \(reason)\(remedy)"
    }
    #expect(warnings.map(\.description) == lines)
    #expect(try workshop.products() == before)
    try workshop.write(.note)
    #expect(try workshop.compile().isEmpty)
  }

  @Test func `what was in the compiled folder before is gone`() throws {
    let workshop = try Workshop(.note)
    _ = try workshop.compile()
    let stale = workshop.output.appending(path: "Library.momd/Library 0.mom")
    try Data().write(to: stale)
    _ = try workshop.compile()
    #expect(!FileManager.default.fileExists(atPath: stale.path))
  }

  @Test func `a model with an error leaves nothing, and says where`() throws {
    let workshop = try Workshop(.note.replacing("title", with: "description"))
    let error = try #require(throws: ModelError.self) { _ = try workshop.compile() }
    #expect(
      error.description == """
        \(workshop.model.path): error: entity 'Note': property 'description' has the name of a \
        member of NSManagedObject; rename it, or set the entity's code generation to Manual/None
        """
    )
    #expect(!FileManager.default.fileExists(atPath: workshop.output.path))
  }

  @Test func `the compiled model says what class of the module each entity has`() throws {
    let workshop = try Workshop(.note)
    _ = try workshop.compile()
    let folder = workshop.output.appending(component: "Library.momd")
    let note = try CompiledModel(contentsOf: folder).current.entity(named: "Note")
    #expect(note?.className == "Library.Note")
    #expect(note?.attributes.map(\.name) == ["title"])
  }

  @Test func `a compiled class says its module`() {
    let names = ["", "NSManagedObject", ".Note", "Note", "Library.Note", "Sharing.Note"]
    let entities = names.map { EntitySchema(name: "Note", className: $0) }
    #expect(
      ModelSchema(entities: entities).naming(classesIn: "Library").entities.map(\.className) == [
        "", "NSManagedObject", "Library.Note", "Library.Note", "Library.Note", "Sharing.Note",
      ]
    )
  }
}

/// A model in a folder of its own, and the files that are made of it.
private final class Workshop {
  let model: URL
  let output: URL
  private let folder: URL

  init(_ contents: String) throws {
    folder = URL.temporaryDirectory.appending(component: "Workshop-\(UUID().uuidString)")
    model = folder.appending(component: "Library.xcdatamodeld")
    output = folder.appending(component: "products")
    try write(contents)
  }

  deinit {
    // A folder that cannot be removed stays in the temporary folder, which is emptied anyway.
    try? FileManager.default.removeItem(at: folder)
  }

  func write(_ contents: String) throws {
    let version = model.appending(component: "Library.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    try Data(contents.utf8).write(to: version.appending(component: "contents"))
  }

  func compile(isSingleFile: Bool = false) throws -> [ModelProblem] {
    try ModelCompilation(
      model: model,
      output: output,
      module: "Library",
      isSingleFile: isSingleFile
    ).run()
  }

  func products() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: output.path).sorted()
  }

  func text(of name: String) throws -> String {
    try String(contentsOf: output.appending(component: name), encoding: .utf8)
  }

  func date(of name: String) throws -> Date? {
    let path = output.appending(component: name).path
    return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }
}

extension String {
  fileprivate static let note = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Note" representedClassName="Note" codeGenerationType="class">
        <attribute name="title" optional="YES" attributeType="String"/>
      </entity>
    </model>
    """

  fileprivate static let manualNote = note.replacing(#" codeGenerationType="class""#, with: "")
}
