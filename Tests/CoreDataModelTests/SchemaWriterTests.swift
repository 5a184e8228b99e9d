import CoreDataModel
import CoreDataModelChanges
import CoreDataModelWriting
import Foundation
import Testing

/// Models as Xcode's source.
struct SchemaWriterTests {
  @Test func `a model is written as Xcode writes it`() {
    var schema = ModelSchema.notes
    schema.versionIdentifiers = ["2"]
    schema = schema.changing("Note") {
      $0.codeGeneration = .classDefinition
      $0.attributes[0].defaultValue = .integer(3)
      $0.attributes[0].isOptional = false
      $0.attributes[0].validations = [
        ValidationSchema(predicateFormat: "SELF >= 0", warning: .code(1620)),
        ValidationSchema(predicateFormat: "SELF <= 5", warning: .code(1610)),
      ]
      $0.indexes = [FetchIndexSchema(name: "byTitle", elements: [.init(.property("title"))])]
      $0.uniquenessConstraints = [["title"]]
      $0.userInfo = ["colour": "red"]
    }
    let text = String(decoding: SchemaWriter(schema).data, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { !$0.contains("<element ") }
    #expect(
      lines.joined(separator: "\n") == """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Automatic" \
        sourceLanguage="Swift" userDefinedModelVersionIdentifier="2">
            <entity name="Folder" representedClassName="Folder" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>
            </entity>
            <entity name="Item" isAbstract="YES" syncable="YES">
                <attribute name="created" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            </entity>
            <entity name="Note" representedClassName="Note" parentEntity="Item" syncable="YES" \
        codeGenerationType="class">
                <attribute name="stars" attributeType="Integer 16" minValueString="0" \
        maxValueString="5" defaultValueString="3" usesScalarValueType="NO"/>
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
                <fetchIndex name="byTitle">
                    <fetchIndexElement property="title" type="Binary" order="ascending"/>
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="title"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
                <userInfo>
                    <entry key="colour" value="red"/>
                </userInfo>
            </entity>
            <elements>
            </elements>
        </model>
        """
    )
    #expect(SchemaWriter(schema).schemaThatIsWritten == schema)
  }

  @Test func `texts that XML cannot have plainly come back`() {
    let text = "a < b & \"c\" > 'd'\n\tÜ🙂"
    let schema = ModelSchema.notes.changing("Note") {
      $0.userInfo = [text: text]
      $0.attributes[1].defaultValue = .text(text)
      $0.attributes[1].userInfo = ["": text]
    }
    #expect(SchemaWriter(schema).schemaThatIsWritten == schema)
    #expect(SchemaWriter(schema).losses == [])
  }

  @Test func `a default of an empty text was dropped`() throws {
    let schema = try read(
      model: """
        <entity name="Note">
          <attribute name="title" attributeType="String" defaultValueString=""/>
          <attribute name="stars" attributeType="Integer 16" defaultValueString=""/>
          <attribute name="body" attributeType="String"/>
        </entity>
        """
    )
    let defaults = schema.entities.first?.attributes.map(\.defaultValue)
    #expect(defaults == [nil, nil, .text("")], "of body, stars and title")
    #expect(SchemaWriter(schema).schemaThatIsWritten == schema)
    let compiled = try ModelArchive.decode(ModelArchive.encode(schema))
    #expect(compiled.entities.first?.attributes.last?.defaultValue == .text(""))
  }

  @Test func `every kind of default and rule comes back`() throws {
    let schema = try read(
      model: """
        <entity name="Note" representedClassName=".Note" codeGenerationType="category">
          <attribute name="a" attributeType="Double" defaultValueString="0.1" minValueString="-1.5"/>
          <attribute name="b" attributeType="Boolean" defaultValueString="YES" \
        usesScalarValueType="YES"/>
          <attribute name="c" attributeType="Date" defaultDateTimeInterval="700000000" \
        minDateTimeInterval="0" maxDateTimeInterval="1.5"/>
          <attribute name="d" attributeType="Decimal" defaultValueString="12.34" \
        maxValueString="99"/>
          <attribute name="e" attributeType="String" minValueString="1" maxValueString="9" \
        regularExpressionString="[a-z]+\\d"/>
          <attribute name="f" attributeType="UUID" \
        defaultValueString="5E2A0BC0-0F7B-4D9C-9A55-1C9F8B6F1E2D"/>
          <attribute name="g" attributeType="URI" defaultValueString="https://example.org/?a&amp;b"/>
          <attribute name="h" attributeType="Float" defaultValueString="2"/>
          <attribute name="i" attributeType="Composite" composite="Place"/>
          <attribute name="j" attributeType="Composite" composite="Place" optional="YES"/>
          <attribute name="k" transient="YES"/>
          <attribute name="l" attributeType="Transformable" customClassName="Colour" \
        valueTransformerName="T"/>
        </entity>
        <composite name="Place">
          <attribute name="city" attributeType="String"/>
          <attribute name="point" attributeType="Composite" composite="Point"/>
        </composite>
        <composite name="Point"><attribute name="x" attributeType="Double"/></composite>
        <fetchRequest name="Some" entity="Note" predicateString="a &gt; 1" fetchLimit="3" \
        includeSubentities="NO" returnDistinctResults="YES"/>
        <configuration name="Cloud"><memberEntity name="Note"/></configuration>
        """
    )
    #expect(SchemaWriter(schema).schemaThatIsWritten == schema)
    let text = String(decoding: SchemaWriter(schema).data, as: UTF8.self)
    #expect(text.ranges(of: "<composite ").count == 2)
  }

  @Test func `what the format cannot say is told`() {
    let schema = ModelSchema.notes.changing("Note") {
      $0.attributes[0].validations = [
        ValidationSchema(predicateFormat: "SELF <= 5", warning: .message("Too many."))
      ]
      $0.attributes.append(AttributeSchema(name: "image", type: .binaryData))
      $0.attributes[2].defaultValue = .data(Data([1, 2]))
    }
    #expect(
      SchemaWriter(schema).losses.map(\.sentence) == [
        "Note.image: default value 2 bytes → none", "Note.stars: validation SELF <= 5 → none",
      ]
    )
  }

  @Test func `versions are written with the current one and read again`() throws {
    let scratch = try ScratchModel([:])
    let versions = [
      CompiledModel.Version(name: "Notes", schema: .notes),
      CompiledModel.Version(
        name: "Notes 2",
        schema: ModelSchema.notes.changing("Note") { $0.versionHashModifier = "2" }
      ),
    ]
    for current in ["Notes", "Notes 2"] {
      try ModelSource.write(versions, currentVersionName: current, to: scratch.url)
      let source = try ModelSource(contentsOf: scratch.url)
      #expect(source.currentVersionName == current)
      #expect(source.versions.map(\.name) == ["Notes", "Notes 2"])
      #expect(source.versions.map(\.schema) == versions.map(\.schema))
    }
  }
}

@Suite(.enabled(if: Fixtures.arePresent, "real models and stores are not beside the package"))
struct RealSchemaWriterTests {
  @Test(arguments: Fixtures.sources)
  func `a real source is written so that it says the same`(name: String) throws {
    for version in try Fixtures.source(name).versions {
      #expect(SchemaWriter(version.schema).schemaThatIsWritten == version.schema, "\(version.name)")
    }
  }

  @Test(arguments: Fixtures.compiled)
  func `a compiled model becomes a source that compiles to it`(name: String) throws {
    for version in try Fixtures.compiledModel(name).versions {
      let written = SchemaWriter(version.schema).schemaThatIsWritten
      #expect(written.compiled() == version.schema, "\(version.name)")
    }
  }

  /// The parts of a model made in code that no source could have.
  private static let losses = [
    "SampleModel2_V2": [
      "Author.feedbacks: fetch request",
      "Book.frontCover: default value an archived object → none",
      "Book.title: validation length >= 3",
    ]
  ]

  @Test(arguments: Fixtures.stores)
  func `a store's model becomes a source that says the same`(store: String) throws {
    guard let cache = try Fixtures.modelCache(of: store) else { return }
    let schema = try ModelCache.decode(cache)
    let writer = SchemaWriter(schema)
    let losses = writer.losses.map(\.sentence)
    let known = Self.losses[store] ?? []
    #expect(losses.count == known.count, "\(losses)")
    for (loss, beginning) in zip(losses, known) { #expect(loss.hasPrefix(beginning)) }
    let written = writer.schemaThatIsWritten
    #expect(written.entityVersionHashes == schema.entityVersionHashes)
    if known.isEmpty { #expect(written.compiled() == schema) }
  }
}
