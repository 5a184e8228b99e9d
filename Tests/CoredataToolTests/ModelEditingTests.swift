import CoreData
import Foundation
import TestSupport
import Testing

/// `coredata model new`, `add-entity` and their like, run as processes.
struct ModelEditingTests {
  private let model = TemporaryFolder.file("\(UUID().uuidString)/Notes.xcdatamodeld")

  private func run(_ words: String...) throws {
    let outcome = try Program.run(["model"] + words)
    #expect(outcome.status == 0, "\(words): \(outcome.errors)")
  }

  private func refusal(_ words: String...) throws -> String {
    let outcome = try Program.run(["model"] + words)
    #expect(outcome.status == 1)
    return outcome.errors
  }

  private func contents(_ version: String = "Notes") throws -> String {
    try String(
      contentsOf: model.appending(path: "\(version).xcdatamodel/contents"),
      encoding: .utf8
    )
  }

  private func makeNotes() throws {
    try FileManager.default.createDirectory(
      at: model.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try run("new", model.path)
    try run("add-entity", model.path, "Note")
    try run("add-entity", model.path, "Folder", "--codegen", "category")
    try run("add-attribute", model.path, "Note.title", "String", "--default", "A & B")
    try run("add-attribute", model.path, "Note.stars", "int16", "--required")
    try run(
      "add-relationship",
      model.path,
      "Folder.notes",
      "Note.folder",
      "--to-many",
      "--delete",
      "cascade"
    )
  }

  @Test func `a model that is made word by word is the file that Xcode would write`() throws {
    try makeNotes()
    let lines = try contents().split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    #expect(
      lines.dropFirst(2) == [
        #"<entity name="Folder" representedClassName="Folder" syncable="YES" codeGenerationType="category">"#,
        #"<relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>"#,
        "</entity>",
        #"<entity name="Note" representedClassName="Note" syncable="YES" codeGenerationType="class">"#,
        #"<attribute name="stars" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES"/>"#,
        #"<attribute name="title" optional="YES" attributeType="String" defaultValueString="A &amp; B"/>"#,
        #"<relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>"#,
        "</entity>",
        "</model>",
      ]
    )
  }

  @Test func `a new version is changed, and the old one stays`() throws {
    try makeNotes()
    let old = try contents()
    let outcome = try Program.run("model", "add-version", model.path)
    #expect(outcome.output == "Notes 2\n")
    try run("add-attribute", model.path, "Note.created", "Date")
    #expect(try contents() == old)
    #expect(try contents("Notes 2").contains("created"))
    let difference = try Program.run("model", "diff", model.path)
    #expect(difference.output.contains("attribute created added, Date, optional"))
  }

  @Test func `a version named with the ending of its folder had the ending twice`() throws {
    try makeNotes()
    let outcome = try Program.run("model", "add-version", model.path, "Draft.xcdatamodel")
    #expect(outcome.output == "Draft\n")
    #expect(try !contents("Draft").isEmpty)
  }

  @Test func `an addition leaves every other line of the file alone`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" unknown="kept">
          <!-- a remark -->
          <entity name="Note" representedClassName="Note" syncable="YES">
              <attribute name="title" optional="YES" attributeType="String"/>
              <userInfo/>
          </entity>
          <elements>
              <element name="Note" positionX="1" positionY="2" width="3" height="4"/>
          </elements>
      </model>

      """
    let folder = model.appending(component: "Notes.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(component: "contents"))
    try run("add-attribute", model.path, "Note.stars", "Integer 64", "--object")
    let added =
      #"        <attribute name="stars" optional="YES" attributeType="Integer 64" usesScalarValueType="NO"/>"#
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let after = try contents().split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init
    )
    #expect(after.filter { !lines.contains($0) } == [added])
    #expect(after.count == lines.count + 1)
  }

  @Test func `what must be unique is added with the entity or with the attribute`() throws {
    try makeNotes()
    try run("add-entity", model.path, "Tag", "--unique", "label,kind:int16")
    try run("add-entity", model.path, "Draft", "--parent", "Note", "--unique", "title")
    try run("add-attribute", model.path, "Folder.name", "String", "--unique")
    try run("add-attribute", model.path, "Folder.path", "String", "--unique")
    let lines = try contents().split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let constraints = lines.filter { $0.hasPrefix("<constraint ") || $0.hasPrefix("<entity ") }
    #expect(
      constraints.map { $0.split(separator: "\"")[1] } == [
        "Draft", "title", "Folder", "name", "path", "Note", "Tag", "label", "kind",
      ]
    )
    #expect(lines.filter { $0 == "<uniquenessConstraint>" }.count == 4)
    #expect(
      lines.contains {
        $0.hasPrefix(#"<attribute name="kind" optional="YES" attributeType="Integer 16""#)
      }
    )
    #expect(lines.filter { $0.hasPrefix(#"<attribute name="title""#) }.count == 1)
    let before = try contents()
    let twice = try refusal("add-entity", model.path, "Book", "--unique", "isbn,isbn")
    #expect(twice.contains("--unique names 'isbn' twice"))
    let typed = try refusal(
      "add-entity",
      model.path,
      "Letter",
      "--parent",
      "Note",
      "--unique",
      "title:Date"
    )
    #expect(typed.contains("Letter inherits 'title'"))
    #expect(try contents() == before)
  }

  @Test func `what cannot be is refused with a remedy, and nothing is written`() throws {
    try makeNotes()
    let before = try contents()
    #expect(try refusal("new", model.path).contains("already exists; choose another name"))
    #expect(try refusal("add-entity", model.path, "Note").contains("already has an entity 'Note'"))
    #expect(
      try refusal("add-entity", model.path, "note").contains("it begins with a capital letter")
    )
    #expect(
      try refusal("add-attribute", model.path, "Not.body", "String").contains(
        "did you mean 'Note'?"
      )
    )
    #expect(
      try refusal("add-attribute", model.path, "Note.title", "String").contains(
        "already has a property"
      )
    )
    #expect(
      try refusal("add-attribute", model.path, "Note.body", "Strin").contains(
        "did you mean 'String'?"
      )
    )
    #expect(
      try refusal("add-attribute", model.path, "body", "String").contains("such as Note.title")
    )
    #expect(
      try refusal("add-attribute", model.path, "Note.n", "int16", "--default", "70000")
        .contains("'70000' cannot be the default of an attribute of type Integer 16")
    )
    #expect(
      try refusal("add-attribute", model.path, "Note.n", "double", "--default", "1e400")
        .contains("'1e400' cannot be the default of an attribute of type Double")
    )
    #expect(
      try refusal("add-relationship", model.path, "Note.tags", "Tag.notes").contains(
        "has no entity 'Tag'"
      )
    )
    #expect(
      try refusal("add-relationship", model.path, "Note.page", "Note.of", "--ordered").contains(
        "add --to-many"
      )
    )
    #expect(
      try refusal("add-attribute", model.path, "Note.hash", "int16").contains(
        "of every managed object"
      )
    )
    #expect(try contents() == before)
  }

  @Test(arguments: [
    (
      ["add-attribute", "Note.cover", "String", "--class", "Cover"],
      "--class is for Transformable"
    ),
    (["add-attribute", "Note.body", "String", "--external"], "--external is for Binary"),
    (["add-attribute", "Note.code", "int16", "--unique", "--transient"], "exclude each other"),
    (
      ["add-relationship", "Note.related", "Note.related", "--inverse-to-many"],
      "Note.related is its own inverse"
    ),
    (
      ["add-relationship", "Note.next", "Note.next", "--inverse-delete", "deny"],
      "Note.next is its own inverse"
    ),
  ])
  func `an option that does nothing for the property was passed over`(
    words: [String],
    sentence: String
  ) throws {
    try makeNotes()
    let before = try contents()
    let outcome = try Program.run(["model", words[0], model.path] + words.dropFirst())
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(try contents() == before)
  }

  @Test func `a relationship that is its own inverse is added once`() throws {
    try makeNotes()
    let words = ["--to-many", "--inverse-to-many", "--delete", "deny", "--inverse-delete", "deny"]
    let place = ["Note.related", "Note.related"]
    let outcome = try Program.run(["model", "add-relationship", model.path] + place + words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try contents().split(separator: "name=\"related\"").count == 2)
  }
}
