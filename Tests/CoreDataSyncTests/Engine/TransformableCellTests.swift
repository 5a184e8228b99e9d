import CoreData
import CoreDataSyncCore
import Testing

@testable import CoreDataSync

/// Values of transformable attributes, which go to other devices as the store has them.
struct TransformableCellTests {
  @Test("a value that the default transformer keeps was none for other devices")
  func archives() throws {
    let names: [String?] = [nil, "NSSecureUnarchiveFromData", "NobodyRegisteredThis"]
    for name in names {
      let attribute = try Self.attribute(name)
      let cell = try attribute.cellValue(of: ["rain", "sun"] as NSArray)
      #expect(cell != .null)
      let read = try #require(attribute.storeValue(of: cell))
      #expect(read as? [String] == ["rain", "sun"])
    }
  }

  @Test("a value that a transformer of the program keeps is what it was")
  func ownTransformer() throws {
    ValueTransformer.setValueTransformer(Shouting(), forName: .init("Shouting"))
    let attribute = try Self.attribute("Shouting")
    let cell = try attribute.cellValue(of: "rain" as NSString)
    #expect(cell == .bytes(Array("RAIN".utf8)))
    let read = try #require(attribute.storeValue(of: cell))
    #expect(read as? String == "rain")
  }

  private static func attribute(_ transformer: String?) throws -> SyncAttribute {
    let description = NSAttributeDescription()
    description.name = "weather"
    description.attributeType = .transformableAttributeType
    description.valueTransformerName = transformer
    return try #require(try SyncAttribute(description))
  }

  private final class Shouting: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
      (value as? String).map { Data($0.uppercased().utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
      (value as? Data).map { String(decoding: $0, as: UTF8.self).lowercased() }
    }
  }
}
