import ChildPrograms
import Foundation
import TestSupport
import Testing

/// The classes that `coredata model generate --swiftdata` writes.
struct SwiftDataClassTests {
  private let folder = TemporaryFolder.file("SwiftDataClasses-\(UUID().uuidString)")

  private func generate(_ model: URL, _ more: String...) throws -> Program.Outcome {
    try Program.run(
      ["model", "generate", model.path, "-o", folder.path, "--swiftdata"] + more
    )
  }

  /// A model with these entities.
  private func model(_ xml: String) throws -> URL {
    let url = folder.appending(component: "Plain.xcdatamodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data("<model>\(xml)</model>".utf8).write(to: url.appending(path: "contents"))
    return url
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(component: name), encoding: .utf8)
  }

  @Test func `a class is written for each entity, with all that SwiftData can express`() throws {
    let model = try model(
      """
      <entity name="Note">
        <attribute name="default" attributeType="Integer 16" defaultValueString="3"/>
        <attribute name="made" attributeType="Date" defaultDateTimeInterval="60"/>
        <attribute name="title" attributeType="String" elementID="heading" versionHashModifier="2"/>
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Tag" inverseName="note" inverseEntity="Tag"/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
          <uniquenessConstraint><constraint value="default"/><constraint value="made"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name="Tag">
        <relationship name="note" maxCount="1" destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
      </entity>
      """
    )
    let outcome = try generate(model)
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    #expect(
      try text("Note.swift").hasSuffix(
        #"""
        import Foundation
        import SwiftData

        @Model final class Note {
          #Unique<Note>([\.`default`, \.made])

          var `default`: Int16 = 3
          var made: Date = Date(timeIntervalSinceReferenceDate: 60.0)
          @Attribute(.unique, originalName: "heading", hashModifier: "2") var title: String
          @Relationship(deleteRule: .cascade, inverse: \Tag.note) var tags: [Tag]?

          init(
            title: String,
            `default`: Int16 = 3,
            made: Date = Date(timeIntervalSinceReferenceDate: 60.0)
          ) {
            self.`default` = `default`
            self.made = made
            self.title = title
          }
        }

        """#
      )
    )
    #expect(try text("Tag.swift").contains("  var note: Note\n\n  init(note: Note) {"))
  }

  @Test func `an entity that is named like a type of Foundation hides it`() throws {
    let model = try model(
      """
      <entity name="Data"><attribute name="bytes" optional="YES" attributeType="Binary"/></entity>
      <entity name="Model"/>
      """
    )
    #expect(try generate(model).errors == "")
    #expect(try text("Data.swift").contains("@SwiftData.Model final class Data {"))
    #expect(try text("Data.swift").contains("var bytes: Foundation.Data?"))
    #expect(try text("Model.swift").contains("init() {}"))
  }

  @Test func `a part that SwiftData cannot express disappears without a word`() throws {
    let model = try model(
      """
      <entity name="Note" isAbstract="YES">
        <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="tags.@count"/>
        <attribute name="title" attributeType="String" maxValueString="3"/>
        <relationship name="tags" optional="YES" toMany="YES" ordered="YES" destinationEntity="Tag"/>
        <fetchedProperty name="recent"><fetchRequest name="recent" entity="Tag"/></fetchedProperty>
      </entity>
      <entity name="Tag"/>
      <configuration name="Cloud"><memberEntity name="Tag"/></configuration>
      """
    )
    let outcome = try generate(model, "--single-file", "--json")
    let sentences = try #require(try outcome.json["notExpressed"] as? [String])
    let written = try text("Plain+SwiftData.swift")
    for place in [
      "the model: the configuration 'Cloud'", "Note: the entity is abstract",
      "Note.count: it is derived from 'tags.@count'", "Note.title: SwiftData does not check",
      "Note.tags: it is ordered", "Note.recent: SwiftData has no fetched properties",
    ] {
      let sentence = try #require(sentences.first { $0.hasPrefix(place) }, "\(place)")
      #expect(written.contains("// \(sentence)\n"))
      #expect(outcome.errors.contains("\(sentence)\n"))
    }
    #expect(sentences.count == 6)
    #expect(try outcome.json["otherHashes"] as? [String] == ["Note"])
    #expect(outcome.errors.contains("Note: the version hash of the class differs from the model's"))
  }

  @Test func `a text of the model gets out of its comment, or out of its literal`() throws {
    let model = try model(
      """
      <entity name="Note">
        <attribute name="title" attributeType="String" defaultValueString="&quot;&#10;\\(exit(1))"/>
        <attribute name="cover" optional="YES" attributeType="Transformable" customClassName="3D} struct X {"/>
        <userInfo><entry key="a&#10;import Glibc" value="b"/></userInfo>
      </entity>
      """
    )
    #expect(try generate(model).status == 0)
    let text = try text("Note.swift")
    #expect(text.contains(#"var title: String = "\"\n\\(exit(1))""#))
    #expect(text.contains("// Note: the user info is left out: a"))
    #expect(!text.contains("\nimport Glibc"))
    #expect(text.contains("var cover: NSObject?"))
  }

  @Test func `a property has the name of its own type`() throws {
    let model = try model(
      """
      <entity name="Note">
        <attribute name="Place" optional="YES" attributeType="Composite" composite="Spot"/>
      </entity>
      <composite name="Spot"><attribute name="city" optional="YES" attributeType="String"/></composite>
      """
    )
    #expect(try generate(model).errors == "")
    #expect(try text("Note.swift").contains("  var Place: PlaceValue?\n"))
    #expect(try text("Note.swift").contains("    var city: String?\n"))
  }

  @Test func `a relationship without an inverse gets one, because SwiftData finds a partner`()
    throws
  {
    let model = try model(
      """
      <entity name="Note"><relationship name="tag" optional="YES" maxCount="1" destinationEntity="Tag"/></entity>
      <entity name="Tag"><relationship name="note" optional="YES" maxCount="1" destinationEntity="Note"/></entity>
      """
    )
    #expect(try generate(model).errors == "")
    #expect(try text("Note.swift").contains("@Relationship var tag: Tag?"))
  }

  @Test func `a changed file was written over`() throws {
    let model = try model(#"<entity name="Note"/>"#)
    #expect(try generate(model).status == 0)
    #expect(try generate(model).errors == "")
    let file = folder.appending(component: "Note.swift")
    try Data("mine".utf8).write(to: file)
    #expect(try generate(model).errors.contains("already exists and was kept; --force replaces it"))
    #expect(try text("Note.swift") == "mine")
    #expect(try generate(model, "--force").status == 0)
    #expect(try text("Note.swift") != "mine")
  }

  @Test func `--all beside --swiftdata is a mistake, and --module is not asked for`() throws {
    let model = try model(#"<entity name="Note"/>"#)
    let outcome = try generate(model, "--all")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("--all does not go with --swiftdata"))
  }
}
