import CoreData
import CoreDataSyncCore
import Testing

@testable import CoreDataSync

/// Values of composite attributes, whose parts go to other devices together.
struct CompositeCellTests {
  @Test("a composite value was another one for devices that call its elements by other names")
  func renamedElements() throws {
    let old = try Self.place(Self.element("city"), Self.element("street"))
    let new = try Self.place(Self.element("street"), Self.element("town", renamedFrom: "city"))
    let cell = try old.cellValue(of: ["city": "Rome", "street": "Via"])
    #expect(try new.cellValue(of: ["town": "Rome", "street": "Via"]) == cell)
    let read = try #require(new.storeValue(of: cell))
    #expect(read as? [String: String] == ["town": "Rome", "street": "Via"])
  }

  private static func element(
    _ name: String,
    renamedFrom former: String? = nil
  ) -> NSAttributeDescription {
    let element = NSAttributeDescription()
    element.name = name
    element.attributeType = .stringAttributeType
    element.renamingIdentifier = former
    return element
  }

  private static func place(_ elements: NSAttributeDescription...) throws -> SyncAttribute {
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = elements
    return try #require(try SyncAttribute(place))
  }
}
