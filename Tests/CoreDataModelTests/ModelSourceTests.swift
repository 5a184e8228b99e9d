import CoreDataModel
import Foundation
import Testing

struct ModelSourceTests {
  @Test(arguments: [
    ("5", "SELF >= 5"), ("-0.50", "SELF >= -0.50"), ("+5", "SELF >= 5"), ("1e3", "SELF >= 1e3"),
  ])
  func `a bound is spelled as in the file, if a predicate can say it so`(
    bound: String,
    rule: String
  ) throws {
    let schema = try read(
      model: """
        <entity name="Note">
          <attribute name="stars" attributeType="Double" minValueString="\(bound)"/>
        </entity>
        """
    )
    #expect(schema.entities[0].attributes[0].validations.map(\.predicateFormat) == [rule])
  }

  @Test func `an entity with everything a model file can say`() throws {
    let schema = try read(
      model: """
        <entity name="Item" isAbstract="YES"/>
        <entity name="Note" representedClassName=".Note" parentEntity="Item" elementID="Memo"
            versionHashModifier="2" codeGenerationType="category" syncable="YES">
          <attribute name="body" optional="YES" attributeType="String"/>
          <attribute name="picture" optional="YES" attributeType="Binary"
              allowsExternalBinaryDataStorage="YES" allowsCloudEncryption="YES"/>
          <attribute name="colour" attributeType="Transformable" customClassName="Colour"
              valueTransformerName="ColourTransformer" preserveAfterDeletion="YES"/>
          <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES"
              derivationExpression="tags.@count" usesScalarValueType="NO"/>
          <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
          <attribute name="shown" transient="YES" attributeType="Boolean"
              defaultValueString="YES" spotlightIndexingEnabled="YES" storedInTruthFile="YES"/>
          <relationship name="tags" optional="YES" toMany="YES" maxCount="9" minCount="1"
              ordered="YES" deletionRule="Cascade" destinationEntity="Tag" inverseName="notes"
              inverseEntity="Tag">
            <userInfo><entry key="a" value="b"/></userInfo>
          </relationship>
          <fetchedProperty name="similar" optional="YES">
            <fetchRequest name="fetchedPropertyFetchRequest" entity="Note"
                predicateString="body == $FETCH_SOURCE.body"/>
          </fetchedProperty>
          <fetchIndex name="byBody">
            <fetchIndexElement property="body" type="Binary" order="descending"/>
            <fetchIndexElement expression="SELF" type="RTree" order="ascending"/>
          </fetchIndex>
          <uniquenessConstraints>
            <uniquenessConstraint>
              <constraint value="body"/><constraint value="shown"/>
            </uniquenessConstraint>
          </uniquenessConstraints>
          <userInfo><entry key="key" value="value"/></userInfo>
        </entity>
        <entity name="Tag">
          <relationship name="notes" toMany="YES" deletionRule="No Action"
              destinationEntity="Note" inverseName="tags"/>
        </entity>
        <fetchRequest name="Recent" entity="Note" predicateString="shown == YES" fetchLimit="5"
            fetchBatchSize="20" includeSubentities="NO" returnDistinctResults="YES"
            includePropertyValues="NO" returnObjectsAsFaults="NO" resultType="2"/>
        <configuration name="Cloud"><memberEntity name="Note"/></configuration>
        <composite name="Place">
          <attribute name="longitude" attributeType="Double" defaultValueString="0.0"/>
          <attribute name="latitude" attributeType="Double"/>
        </composite>
        <elements><element name="Note" positionX="1"/></elements>
        """
    )
    let note = try #require(schema.entity(named: "Note"))
    #expect(note.className == ".Note")
    #expect(note.superentityName == "Item")
    #expect(note.renamingIdentifier == "Memo")
    #expect(note.versionHashModifier == "2")
    #expect(note.codeGeneration == .categoryExtension)
    #expect(note.userInfo == ["key": "value"])
    #expect(note.uniquenessConstraints == [["body", "shown"]])
    #expect(
      note.indexes == [
        FetchIndexSchema(
          name: "byBody",
          elements: [
            .init(.property("body"), isAscending: false),
            .init(.expression("SELF"), collation: .rTree),
          ]
        )
      ]
    )
    #expect(
      note.attributes.map(\.name) == ["body", "colour", "count", "picture", "place", "shown"]
    )
    let colour = note.attributes[1]
    #expect(colour.customClassName == "Colour")
    #expect(colour.valueTransformerName == "ColourTransformer")
    #expect(colour.preservesValueInHistoryOnDeletion && !colour.isOptional)
    #expect(note.attributes[2].derivationExpression == "tags.@count")
    #expect(note.attributes[3].allowsExternalBinaryDataStorage)
    #expect(note.attributes[3].allowsCloudEncryption)
    #expect(note.attributes[4].elements.map(\.name) == ["longitude", "latitude"])
    #expect(note.attributes[4].elements[0].defaultValue == .real(0))
    let shown = note.attributes[5]
    #expect(shown.isTransient && shown.isIndexedBySpotlight && shown.isStoredInTruthFile)
    #expect(shown.defaultValue == .boolean(true))
    let tags = note.relationships[0]
    #expect(tags.isToMany && tags.isOrdered && tags.minCount == 1 && tags.maxCount == 9)
    #expect(tags.deleteRule == .cascade && tags.userInfo == ["a": "b"])
    #expect(note.fetchedProperties[0].request.predicateFormat == "body == $FETCH_SOURCE.body")
    #expect(schema.entity(named: "Item")?.isAbstract == true)
    #expect(schema.entity(named: "Tag")?.relationships[0].deleteRule == .noAction)
    let recent = schema.fetchRequestTemplates[0]
    #expect(recent.fetchLimit == 5 && recent.fetchBatchSize == 20 && recent.resultType == 2)
    #expect(!recent.includesSubentities && !recent.includesPropertyValues)
    #expect(!recent.returnsObjectsAsFaults && recent.returnsDistinctResults)
    #expect(schema.configurations == ["Cloud": ["Note"]])
  }

  @Test(arguments: [
    ("Integer 16", "defaultValueString=\"-3\"", SchemaValue.integer(-3)),
    ("Double", "defaultValueString=\"0.5\"", .real(0.5)),
    ("Float", "defaultValueString=\"2\"", .real(2)),
    ("Decimal", "defaultValueString=\"10.11\"", .decimal(Decimal(1011) / 100)),
    ("String", "defaultValueString=\"&lt;new&gt;\"", .text("<new>")),
    ("Boolean", "defaultValueString=\"NO\"", .boolean(false)),
    ("Date", "defaultDateTimeInterval=\"-978307200\"", .date(-978_307_200)),
    ("URI", "defaultValueString=\"https://example.com\"", .uri("https://example.com")),
    (
      "UUID", "defaultValueString=\"01020304-0506-0708-090A-0B0C0D0E0F10\"",
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    ),
  ])
  func `a default is a value of the attribute's type`(
    type: String,
    field: String,
    value: SchemaValue
  ) throws {
    let schema = try read(
      model: """
        <entity name="Note"><attribute name="a" attributeType="\(type)" \(field)/></entity>
        """
    )
    #expect(schema.entities[0].attributes[0].defaultValue == value)
  }

  @Test func `bounds and patterns become validation predicates with Core Data's codes`() throws {
    let schema = try read(
      model: """
        <entity name="Note">
          <attribute name="a" attributeType="Integer 16" minValueString="1" maxValueString="5"/>
          <attribute name="b" attributeType="String" minValueString="2" maxValueString="8"
              regularExpressionString="[a-z]+\\d"/>
          <attribute name="c" attributeType="Date" minDateTimeInterval="10"
              maxDateTimeInterval="20"/>
        </entity>
        """
    )
    let rules = schema.entities[0].attributes.flatMap(\.validations).map {
      "\($0.predicateFormat) | \($0.warning)"
    }
    #expect(
      rules.joined(separator: "\n") == """
        SELF >= 1 | code(1620)
        SELF <= 5 | code(1610)
        length >= 2 | code(1670)
        length <= 8 | code(1660)
        SELF MATCHES "[a-z]+\\\\d" | code(1680)
        SELF >= CAST(10.000000, "NSDate") | code(1640)
        SELF <= CAST(20.000000, "NSDate") | code(1630)
        """
    )
  }

  @Test func `old index notations become fetch indexes`() throws {
    let schema = try read(
      model: """
        <entity name="Note">
          <attribute name="title" attributeType="String" indexed="YES"/>
          <attribute name="stars" attributeType="Integer 16"/>
          <compoundIndexes>
            <compoundIndex><index value="title"/><index value="stars"/></compoundIndex>
            <compoundIndex><index value="stars"/></compoundIndex>
          </compoundIndexes>
        </entity>
        """
    )
    #expect(schema.entities[0].indexes.map(\.name) == ["title", "compoundIndex", "compoundIndex1"])
    #expect(
      schema.entities[0].indexes[1].elements == [
        .init(.property("title")), .init(.property("stars")),
      ]
    )
  }

  @Test func `versions are counted as people count, and one is current`() throws {
    let xml = "<model><entity name=\"Note\"/></model>"
    let scratch = try ScratchModel(
      ["Notes": xml, "Notes 10": xml, "Notes 2": xml],
      current: "Notes 2.xcdatamodel"
    )
    let source = try ModelSource(contentsOf: scratch.url)
    #expect(source.name == "Notes")
    #expect(source.versions.map(\.name) == ["Notes", "Notes 2", "Notes 10"])
    #expect(source.currentVersionName == "Notes 2")
    #expect(source.current.entities.map(\.name) == ["Note"])
  }

  @Test func `a single version can be read without its folder`() throws {
    let scratch = try ScratchModel(["Notes": "<model><entity name=\"Note\"/></model>"])
    let version = scratch.url.appending(path: "Notes.xcdatamodel")
    #expect(try ModelSource(contentsOf: version).currentVersionName == "Notes")
    let file = scratch.url.appending(path: "Bare.xcdatamodel")
    try FileManager.default.copyItem(at: version.appending(path: "contents"), to: file)
    #expect(try ModelSource(contentsOf: file).current.entities.map(\.name) == ["Note"])
  }

  @Test func `a large model is read quickly`() throws {
    let attributes = (0..<20).map {
      "<attribute name=\"a\($0)\" optional=\"YES\" attributeType=\"String\" minValueString=\"1\"/>"
    }
    let entities = (0..<100).map {
      """
      <entity name="Note\($0)">\(attributes.joined())
        <relationship name="next" optional="YES" maxCount="1" destinationEntity="Note\($0)"
          inverseName="next" inverseEntity="Note\($0)"/>
      </entity>
      """
    }
    let clock = ContinuousClock()
    let text = entities.joined()
    var schema = ModelSchema()
    let time = try clock.measure { schema = try read(model: text) }
    #expect(schema.entities.count == 100)
    print("100 entities with 2,100 properties read in \(time)")
    // Unoptimised, on a busy machine; the figure above is the one to look at.
    #expect(time < .seconds(30))
  }
}

@Suite(.enabled(if: Fixtures.arePresent, "real models and stores are not beside the package"))
struct RealModelSourceTests {
  @Test(arguments: Fixtures.sources)
  func `every real model reads without a problem`(name: String) throws {
    let source = try Fixtures.source(name)
    #expect(!source.current.entities.isEmpty)
    #expect(source.versions.count >= 3)
    #expect(source.warnings.allSatisfy { $0.severity == .warning })
  }
}
