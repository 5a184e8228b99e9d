import CoreDataModel
import CoreDataPredicates
import Foundation
import Testing

@testable import CoreData

struct NSAttributeDescriptionTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let type: NSAttributeDescription.AttributeType
    let make: @Sendable () -> Any
    let schema: SchemaValue

    var testDescription: String { "\(schema)" }

    init(
      _ type: NSAttributeDescription.AttributeType,
      _ make: @escaping @Sendable @autoclosure () -> Any,
      _ schema: SchemaValue
    ) {
      self.type = type
      self.make = make
      self.schema = schema
    }
  }

  static let examples: [Example] = [
    Example(.integer16, 3, .integer(3)),
    Example(.integer16, Int16(-3), .integer(-3)),
    Example(.integer16, 3.0, .integer(3)),
    Example(.integer32, NSNumber(value: 70_000), .integer(70_000)),
    Example(.integer64, Int64.max, .integer(.max)),
    Example(.integer64, Int64.min, .integer(.min)),
    Example(.integer64, UInt8(255), .integer(255)),
    Example(.boolean, true, .boolean(true)),
    Example(.boolean, NSNumber(value: 0), .boolean(false)),
    Example(.double, 0.1, .real(0.1)),
    Example(.double, 2, .real(2)),
    Example(.float, Float(0.5), .real(0.5)),
    Example(.decimal, Decimal(12.5), .decimal(12.5)),
    Example(.decimal, NSDecimalNumber(decimal: 12.5), .decimal(12.5)),
    Example(.decimal, 7, .decimal(7)),
    Example(.string, "Untitled", .text("Untitled")),
    Example(.string, NSString("Untitled"), .text("Untitled")),
    Example(.date, Date(timeIntervalSinceReferenceDate: 60), .date(60)),
    Example(.date, NSDate(timeIntervalSinceReferenceDate: 60), .date(60)),
    Example(.binaryData, Data([1, 2]), .data(Data([1, 2]))),
    Example(.binaryData, NSData(data: Data([1, 2])), .data(Data([1, 2]))),
    Example(.uri, URL(filePath: "/notes"), .uri("file:///notes")),
  ]

  @Test(arguments: examples)
  func `a default becomes a value of the attribute's type`(example: Example) {
    let attribute = NotesInCode.attribute("value", example.type)
    attribute.defaultValue = example.make()
    #expect(attribute.makeSchema().defaultValue == example.schema)
    let reread = NSAttributeDescription.make(attribute.makeSchema())
    #expect(reread.makeSchema().defaultValue == example.schema)
    let again = NotesInCode.attribute("value", example.type)
    again.defaultValue = reread.defaultValue
    #expect(again.makeSchema().defaultValue == example.schema)
  }

  @Test func `a default comes back as people read it`() {
    let stars = NotesInCode.attribute("stars", .integer16)
    stars.defaultValue = Int16(3)
    #expect(stars.defaultValue as? Int == 3)
    #expect(stars.defaultValue as? NSNumber == 3)
    let price = NotesInCode.attribute("price", .decimal)
    price.defaultValue = 7
    #expect(price.defaultValue as? Decimal == 7)
    let uuid = UUID()
    let id = NotesInCode.attribute("id", .uuid)
    id.defaultValue = uuid
    #expect(id.defaultValue as? UUID == uuid)
    id.defaultValue = nil
    #expect(id.defaultValue == nil)
  }

  @Test func `a default may be given before the type`() {
    let attribute = NSAttributeDescription()
    attribute.defaultValue = 1
    attribute.attributeType = .booleanAttributeType
    #expect(attribute.makeSchema().defaultValue == .boolean(true))
    #expect(attribute.defaultValue as? Bool == true)
  }

  @Test func `a transformable's default stays with the description`() {
    let colour = NotesInCode.attribute("colour", .transformable)
    colour.defaultValue = [0.1, 0.2, 0.3]
    #expect(colour.defaultValue as? [Double] == [0.1, 0.2, 0.3])
    #expect(colour.makeSchema().defaultValue == nil)
    #expect(colour.duplicate.defaultValue as? [Double] == [0.1, 0.2, 0.3])
  }

  @Test func `a default that does not fit stops the program`() async {
    await #expect(processExitsWith: .failure) {
      NotesInCode.attribute("stars", .integer16).defaultValue = 70_000
    }
    await #expect(processExitsWith: .failure) {
      NotesInCode.attribute("stars", .integer64).defaultValue = 1.5
    }
    await #expect(processExitsWith: .failure) {
      NotesInCode.attribute("title", .string).defaultValue = 3
    }
  }

  @Test func `a bad default is named with entity, attribute, value and expectation`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let note = NSEntityDescription()
      note.name = "Note"
      let stars = NotesInCode.attribute("stars", .integer16)
      note.properties = [stars]
      stars.defaultValue = "red"
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      words.contains(
        """
        "red" cannot be the default of Note.stars: \
        Integer 16 takes a whole number from -32768 to 32767
        """
      )
    )
  }

  @Test func `the class of values follows the type until it is set`() {
    let attribute = NotesInCode.attribute("colour", .string)
    #expect(attribute.attributeValueClassName == "NSString")
    attribute.type = .transformable
    #expect(attribute.attributeValueClassName == nil)
    attribute.attributeValueClassName = "NSColor"
    #expect(attribute.attributeValueClassName == "NSColor")
  }

  @Test func `types have Apple's numbers, and match the schema's`() {
    for type in NSAttributeType.allCases {
      #expect(type.schemaType.rawValue == type.rawValue)
      #expect(NSAttributeType(type.schemaType) == type)
    }
    #expect(NSAttributeType.allCases.count == CoreDataModel.AttributeType.allCases.count)
  }

  @Test func `a derived attribute keeps its expression`() {
    let count = NSDerivedAttributeDescription()
    count.name = "noteCount"
    count.type = .integer64
    count.derivationExpression = NSExpression(format: "notes.@count")
    #expect(count.makeSchema().derivationExpression == "notes.@count")
    #expect(count.duplicate.derivationExpression?.description == "notes.@count")
  }

  @Test func `validation predicates and warnings come in pairs`() {
    let title = NSAttributeDescription.make(
      AttributeSchema.title(validations: [
        ValidationSchema(predicateFormat: "length >= 3", warning: .code(1670)),
        ValidationSchema(predicateFormat: "SELF BEGINSWITH \"A\"", warning: .message("No A.")),
      ])
    )
    #expect(title.validationPredicates.map(\.spelling) == ["length >= 3", "SELF BEGINSWITH \"A\""])
    #expect(title.validationWarnings.first as? Int == 1670)
    #expect(title.validationWarnings.last as? String == "No A.")
    #expect(title.validationPredicates.last?.evaluate(with: "Apple") == true)
    title.setValidationPredicates(nil, withValidationWarnings: nil)
    #expect(title.validationPredicates.isEmpty)
  }

  @Test func `a predicate without a warning stops the program`() async {
    await #expect(processExitsWith: .failure) {
      NotesInCode.attribute("title", .string).setValidationPredicates(
        [NSPredicate(format: "length > 3")],
        withValidationWarnings: []
      )
    }
  }
}

extension AttributeSchema {
  fileprivate static func title(validations: [ValidationSchema]) -> AttributeSchema {
    var title = AttributeSchema(name: "title", type: .string)
    title.validations = validations
    return title
  }
}
