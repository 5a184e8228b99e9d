import CoreDataModel
import Foundation
import Testing

struct ModelProblemsTests {
  @Test func `all problems of a file are told at once, each with its line`() {
    let error = #expect(throws: ModelError.self) {
      try read(
        model: """
          <entity name="Note" isAbstract="maybe">
            <attribute name="title" attributeType="Strin"/>
            <attribute name="stars" optional="maybe" attributeType="Integer 16"/>
            <relationship name="folder" destinationEntity="Folder" inverseName="notes"/>
          </entity>
          """
      )
    }
    let types = AttributeType.allCases.map(\.word).joined(separator: ", ")
    #expect(
      error?.description == """
        Notes.xcdatamodel/contents:2: error: Note: isAbstract is "maybe"; write YES or NO
        Notes.xcdatamodel/contents:3: error: Note.title: unknown attribute type "Strin"; \
        write one of: \(types)
        Notes.xcdatamodel/contents:4: error: Note.stars: optional is "maybe"; write YES or NO
        Notes.xcdatamodel/contents:5: error: Note.folder: the destination entity "Folder" does \
        not exist; choose another or add it
        """
    )
  }

  @Test(arguments: [
    (
      "<entity name='A' parentEntity='B'/>",
      "A: the parent entity \"B\" does not exist; choose another or add it"
    ),
    (
      "<entity name='A'/><entity name='A'/>",
      "A: the model has two entities of this name; rename one"
    ),
    (
      "<entity name='A'><attribute name='x' attributeType='Date'/>"
        + "<relationship name='x' optional='YES' destinationEntity='A' inverseName='x'/></entity>",
      "A.x: the inverse A.x does not exist"
    ),
    (
      "<entity name='A'><attribute name='x' attributeType='Integer 16' minValueString='5' "
        + "maxValueString='1'/></entity>",
      "A.x: the minimum value is greater than the maximum; swap them"
    ),
    (
      "<entity name='A'><attribute name='x' attributeType='String' minValueString='5' "
        + "maxValueString='1'/></entity>",
      "A.x: the minimum length is greater than the maximum; swap them"
    ),
    (
      "<entity name='A'><attribute name='x' attributeType='Composite' composite='C'/></entity>",
      "A.x: the composite \"C\" does not exist; choose another or add it"
    ),
    (
      "<composite name='C'><attribute name='c' attributeType='Composite' composite='C'/>"
        + "</composite><entity name='A'><attribute name='x' attributeType='Composite' "
        + "composite='C'/></entity>",
      "A.c: the composite contains itself: C → C; remove one of the elements"
    ),
    (
      "<entity name='A'><attribute name='x'/></entity>",
      "A.x: the attribute has no type; choose one, or make the attribute transient"
    ),
    (
      "<entity name='A'><fetchIndex name='i'><fetchIndexElement property='x'/></fetchIndex>"
        + "</entity>",
      "A: fetch index \"i\" names a property \"x\" that the entity does not have"
    ),
    (
      "<entity name='A'><uniquenessConstraints><uniquenessConstraint><constraint value='x'/>"
        + "</uniquenessConstraint></uniquenessConstraints></entity>",
      "A: the uniqueness constraint (x) names a property \"x\" that the entity does not have"
    ),
    (
      "<entity name='A'><relationship name='x' minCount='3' maxCount='2' toMany='YES' "
        + "destinationEntity='A' inverseName='x'/></entity>",
      "A.x: the minimum count 3 is greater than the maximum count 2"
    ),
    (
      "<entity name='A'><relationship name='x' destinationEntity='A' inverseName='x' "
        + "deletionRule='Explode'/></entity>",
      "A.x: deletionRule is \"Explode\"; write one of: Cascade, Deny, No Action, Nullify"
    ),
    (
      "<configuration name='Cloud'><memberEntity name='B'/></configuration>",
      "configuration \"Cloud\" lists an entity \"B\" that the model does not have"
    ),
    (
      "<fetchRequest name='All' entity='B'/>",
      "fetch request \"All\" asks for an entity \"B\" that the model does not have"
    ),
    (
      "<entity name='A'><fetchedProperty name='x'><fetchRequest entity='B'/></fetchedProperty>"
        + "</entity>",
      "A.x: the fetched property asks for an entity \"B\" that the model does not have"
    ),
    (
      "<entity name='A'><attribute name='x' attributeType='Integer 64' derived='YES' "
        + "derivationExpression='notes.@count('/></entity>",
      "A.x: cannot parse \"notes.@count(\": expected an operator or the end at position 12, "
        + "found \"(\"; correct the derivation expression"
    ),
    (
      "<entity name='A'><fetchedProperty name='x'><fetchRequest entity='A' "
        + "predicateString='stars &gt;'/></fetchedProperty></entity>",
      "A.x: cannot parse \"stars >\": expected a value at the end; "
        + "correct the fetched property's predicate"
    ),
    (
      "<entity name='A'><fetchIndex name='i' partialIndexPredicate='stars == %@'/></entity>",
      "A: cannot parse \"stars == %@\": %@ at position 9 has no argument: 0 were given; "
        + "correct the predicate of fetch index \"i\""
    ),
    (
      "<entity name='A'><fetchIndex name='i'><fetchIndexElement expression='a +'/></fetchIndex>"
        + "</entity>",
      "A: cannot parse \"a +\": expected a value at the end; "
        + "correct the expression of fetch index \"i\""
    ),
    (
      "<entity name='A'/><fetchRequest name='All' entity='A' predicateString='stars'/>",
      "cannot parse \"stars\": expected a comparison, found only a value at the end; "
        + "correct the predicate of fetch request \"All\""
    ),
  ])
  func `a wrong model is refused with a sentence`(xml: String, sentence: String) {
    let error = #expect(throws: ModelError.self) { try read(model: xml) }
    #expect(
      error?.problems.contains { $0.description.contains("error: " + sentence) } == true,
      "\(error?.description ?? "no error")"
    )
  }

  /// A default that does not fit its type, its replacement, and the remark about it.
  struct TakenDefault: Sendable {
    let type: String
    let text: String
    let value: SchemaValue?
    let remark: String?

    init(_ type: String, _ text: String, _ value: SchemaValue?, _ remark: String? = nil) {
      (self.type, self.text, self.value, self.remark) = (type, text, value, remark)
    }

    static let all: [TakenDefault] = [
      TakenDefault("Integer 16", "NO", .integer(0)),
      TakenDefault("Integer 64", "false", .integer(0)),
      TakenDefault("Integer 32", "3.0", .integer(3)),
      TakenDefault("Boolean", "0.0", .boolean(false)),
      TakenDefault("Boolean", "1.0", .boolean(true)),
      TakenDefault("Double", "NO", .real(0)),
      TakenDefault("Integer 16", "YES", .integer(0), "0 is taken"),
      TakenDefault("Integer 16", "many", .integer(0), "0 is taken"),
      TakenDefault("Integer 64", "nan", .integer(0), "0 is taken"),
      TakenDefault("Integer 64", "-inf", .integer(.min), "-9223372036854775808 is taken"),
      TakenDefault("Integer 16", "12 apples", .integer(12), "12 is taken"),
      TakenDefault("Integer 16", "40000", .integer(32767), "32767 is taken"),
      TakenDefault("Integer 32", "-99999999999", .integer(-2_147_483_648), "-2147483648 is taken"),
      TakenDefault("Boolean", "0.5", .boolean(false), "NO is taken"),
      TakenDefault("Boolean", "maybe", .boolean(false), "NO is taken"),
      TakenDefault("Float", "1e99", nil, "the attribute has no default now"),
      TakenDefault("Double", "1,5", .real(1), "1.0 is taken"),
      TakenDefault("Decimal", "NO", nil, "the attribute has no default now"),
      TakenDefault("UUID", "7", nil, "the attribute has no default now"),
    ]
  }

  @Test(arguments: TakenDefault.all)
  func `one default that Xcode takes refused the whole model`(_ taken: TakenDefault) {
    var reader = SchemaReader(file: "contents")
    let xml = """
      <model><entity name="A"><attribute name="x" attributeType="\(taken.type)" \
      defaultValueString="\(taken.text)"/></entity></model>
      """
    let schema = reader.schema(from: Data(xml.utf8))
    #expect(schema.entity(named: "A")?.attributes.first?.defaultValue == taken.value)
    let sentence = taken.remark.map {
      "contents:1: warning: A.x: the default value \"\(taken.text)\" does not fit the type "
        + "\(taken.type), and \($0); change one of them"
    }
    #expect(reader.problems.map(\.description) == [sentence].compactMap(\.self))
  }

  @Test(arguments: [
    ("Date", "minDateTimeInterval", "now", "a number"),
    ("Date", "defaultDateTimeInterval", "today", "a number"),
    ("Integer 16", "maxValueString", "many", "a number"),
    ("String", "minValueString", "some", "a whole number"),
  ])
  func `a bound that cannot be read refused the whole model`(
    type: String,
    name: String,
    text: String,
    wanted: String
  ) throws {
    var reader = SchemaReader(file: "contents")
    let xml = """
      <model><entity name="A"><attribute name="x" attributeType="\(type)" \(name)="\(text)"/>\
      </entity></model>
      """
    let schema = reader.schema(from: Data(xml.utf8))
    #expect(schema.entity(named: "A")?.attributes.first?.validations == [])
    #expect(
      reader.problems.map(\.description) == [
        "contents:1: warning: A.x: \(name) is \"\(text)\", and was left out; write \(wanted)"
      ]
    )
  }

  @Test func `the code generation none was unknown`() throws {
    let schema = try read(model: "<entity name=\"Note\" codeGenerationType=\"none\"/>")
    #expect(schema.entity(named: "Note")?.codeGeneration == .manual)
  }

  @Test func `a circle of parents is told with its path`() {
    let circle = ModelSchema.notes.changing("Item") { $0.superentityName = "Note" }
    #expect(
      circle.problems.map(\.description).contains(
        "error: Note: the entity inherits from itself: Note → Item → Note; remove one of the parents"
      )
    )
  }

  @Test(arguments: [String?.none, "E0"])
  func `a model of thousands of entities, each above the next, was read for ever`(top: String?) {
    func model(_ count: Int, top: String?) -> ModelSchema {
      var schema = ModelSchema()
      for number in 0..<count {
        var entity = EntitySchema(name: "E\(number)")
        entity.superentityName = number + 1 < count ? "E\(number + 1)" : top
        schema.entities.append(entity)
      }
      return schema
    }
    let problems = model(20_000, top: top).problems.map(\.description)
    #expect(
      problems == [
        """
        error: E0: the entity has more than 100 entities above it; let it inherit from one that is \
        nearer to the top
        """
      ]
    )
    #expect(model(101, top: nil).problems.filter { $0.severity == .error }.isEmpty)
  }

  @Test func `an inherited name cannot be used again`() {
    let schema = ModelSchema.notes.changing("Note") {
      $0.attributes.append(AttributeSchema(name: "created", type: .date))
      $0.attributes.append(AttributeSchema(name: "title", type: .date))
    }
    #expect(
      schema.problems.map(\.description) == [
        """
        error: Note.created: the parent entity Item already has a property of this name; rename \
        one or remove this one
        """,
        "error: Note.title: the entity has two properties of this name; rename one",
      ]
    )
  }

  @Test func `an inverse must lead back and name back`() {
    let astray = ModelSchema.notes.changing("Folder") {
      $0.relationships[0].destinationName = "Folder"
      $0.relationships[0].inverseName = nil
    }
    #expect(
      astray.problems.map(\.description) == [
        """
        warning: Folder.notes: the relationship has no inverse; without one, deleting the \
        destination leaves a reference to nothing
        """,
        """
        error: Note.folder: the inverse Folder.notes leads to Folder, not to Note; choose another \
        inverse or change its destination
        """,
      ]
    )
    let faithless = ModelSchema.notes.changing("Folder") {
      $0.relationships[0].inverseName = "other"
    }
    #expect(
      faithless.problems.map(\.description).contains(
        """
        error: Note.folder: the inverse Folder.notes has the inverse other, not folder; make the \
        two name each other
        """
      )
    )
  }

  @Test func `a relationship may lead back to a superentity or a subentity`() {
    let schema = ModelSchema.notes.changing("Folder") {
      $0.relationships[0].destinationName = "Item"
    }.changing("Note") { $0.relationships = [] }
      .changing("Item") {
        $0.relationships = [
          RelationshipSchema(name: "folder", destinationName: "Folder", inverseName: "notes")
        ]
      }
    #expect(schema.problems.isEmpty)
    #expect(ModelSchema.notes.problems.isEmpty)
  }

  @Test(arguments: [
    ("", "1: error: the file is not well-formed XML: the file is empty"),
    ("<model>\n<entity>\n</model>", "3: error: the file is not well-formed XML: a closing tag"),
    ("<plist/>", "1: error: the file is not a data model: it begins with <plist>"),
  ])
  func `a file that is no model says so`(xml: String, sentence: String) throws {
    let scratch = try ScratchModel(["Notes": xml])
    let error = #expect(throws: ModelError.self) { try ModelSource(contentsOf: scratch.url) }
    #expect(
      error?.description.hasPrefix(
        "Notes.xcdatamodeld/Notes.xcdatamodel/contents:\(sentence)"
      ) == true,
      "\(error?.description ?? "no error")"
    )
  }

  @Test func `a current version must exist`() throws {
    let scratch = try ScratchModel(
      ["Notes": "<model><entity name=\"Note\"/></model>"],
      current: "Notes 7.xcdatamodel"
    )
    let error = #expect(throws: ModelError.self) { try ModelSource(contentsOf: scratch.url) }
    #expect(
      error?.description == """
        Notes.xcdatamodeld/.xccurrentversion: error: the current version is \
        "Notes 7.xcdatamodel", which is not in the model; choose one of "Notes.xcdatamodel"
        """
    )
  }

  @Test func `a missing or empty model says so`() throws {
    let nowhere = URL(filePath: "/nowhere/Notes.xcdatamodeld")
    let missing = #expect(throws: ModelError.self) { try ModelSource(contentsOf: nowhere) }
    #expect(missing?.description.hasPrefix("Notes.xcdatamodeld: error: the model cannot") == true)
    let scratch = try ScratchModel(["Notes": "<model/>"])
    let version = scratch.url.appending(path: "Notes.xcdatamodel")
    try FileManager.default.removeItem(at: version.appending(path: "contents"))
    let unreadable = #expect(throws: ModelError.self) { try ModelSource(contentsOf: scratch.url) }
    #expect(unreadable?.description.contains("contents: error: the file cannot be read") == true)
    try FileManager.default.removeItem(at: version)
    let empty = #expect(throws: ModelError.self) { try ModelSource(contentsOf: scratch.url) }
    #expect(empty?.description.contains("the model has no version") == true)
  }

  @Test func `an unknown element is a warning, so that newer files can still be read`() throws {
    var reader = SchemaReader(file: "contents")
    _ = reader.schema(from: Data("<model><entity name=\"A\"><novelty/></entity></model>".utf8))
    #expect(
      reader.problems.map(\.description) == [
        "contents:1: warning: A: the element <novelty> is not known and was left out"
      ]
    )
  }
}
