import CoreDataModel
import Foundation
import Testing

@testable import CoreData

/// Values of transformable attributes in archives that are read and written without Foundation.
@Suite struct PlainArchiveTests {
  private let transformer = NSSecureUnarchiveFromDataTransformer()
  private let allowed = NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses

  private func data(of value: Any) throws -> Data {
    try #require(transformer.reverseTransformedValue(value) as? Data)
  }

  private static let date = Date(timeIntervalSinceReferenceDate: 0.25)

  /// Values that both Foundation and we can archive.
  nonisolated(unsafe) private static let values: [NSObject] = [
    "text" as NSString, "" as NSString, "é" as NSString, "e\u{301}" as NSString,
    "🗒\u{0}x" as NSString,
    0 as NSNumber, -1 as NSNumber, NSNumber(value: Int64.min), NSNumber(value: UInt64.max),
    2.5 as NSNumber, NSNumber(value: -Double.infinity), date as NSDate, Data([1, 2]) as NSData,
    UUID() as NSUUID, NSNull(), [] as NSArray, [:] as NSDictionary, NSSet(),
    ["a", 1, [2.5, ["deep"]]] as NSArray,
    ["k": ["x", date], "l": ["m": NSNull()]] as NSDictionary,
    NSSet(array: ["x", "y", "z"]), NSMutableArray(array: ["a"]), NSMutableString(string: "b"),
    NSMutableDictionary(dictionary: ["k": 1]), NSMutableData(data: Data([3])),
    NSURL(string: "https://example.org/a?b#c") ?? NSURL(fileURLWithPath: "/"),
    NSURL(string: "b", relativeTo: URL(string: "https://example.org/a/"))
      ?? NSURL(fileURLWithPath: "/"),
    [1: "one", 2: "two"] as NSDictionary, [date, date, date] as NSArray,
  ]

  @Test func `what is archived here is read by Foundation, and the other way round`() throws {
    for value in Self.values {
      let ours = try data(of: value)
      let theirs = try NSKeyedArchiver.archivedData(
        withRootObject: value,
        requiringSecureCoding: true
      )
      for archive in [ours, theirs] {
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: allowed, from: archive)
        #expect(read as? NSObject == value)
        #expect(transformer.transformedValue(archive) as? NSObject == value)
      }
    }
  }

  @Test func `a mutable collection is read as a mutable one`() throws {
    for value in [NSMutableArray(array: ["a"]), NSMutableDictionary(), NSMutableSet()] as [NSObject]
    {
      let read = transformer.transformedValue(try data(of: value)) as? NSObject
      #expect(read.map { type(of: $0) } == type(of: value))
    }
  }

  @Test func `a list of decimal numbers stopped the program`() throws {
    let prices = ["1.25", "-0.001", "99999999999999999999999999999999999999"]
      .map { NSDecimalNumber(string: $0) }
    let read = transformer.transformedValue(try data(of: prices as NSArray)) as? [NSDecimalNumber]
    #expect(read?.map(\.stringValue) == prices.map(\.stringValue))
  }

  @Test func `true in a list beside 1 became 1`() throws {
    let read = transformer.transformedValue(try data(of: [1, true, 0, false])) as? [NSNumber]
    #expect(read?.map { String(cString: $0.objCType) == "c" } == [false, true, false, true])
  }

  @Test func `a letter with an accent and the same in two characters stay different texts`() throws
  {
    let texts = ["é", "e\u{301}"]
    let read = transformer.transformedValue(try data(of: texts)) as? [String]
    #expect(
      read.map { $0.map { Array($0.unicodeScalars) } } == texts.map { Array($0.unicodeScalars) }
    )
  }

  @Test func `the same dictionary and the same set are the same bytes`() throws {
    let keys = (0..<50).map { "key \($0)" }
    let one = try data(of: Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
    let other = try data(of: Dictionary(uniqueKeysWithValues: keys.reversed().map { ($0, 1) }))
    #expect(one == other)
    #expect(try data(of: Set(keys)) == data(of: Set(keys.reversed())))
  }

  @Test func `lists within lists that nobody would read again are refused`() throws {
    var list: NSArray = ["innermost"]
    for _ in 0..<300 { list = [list] }
    #expect(transformer.transformedValue(try data(of: list)) as? NSArray == list)
    for _ in 0..<100 { list = [list] }
    #expect(transformer.reverseTransformedValue(list) == nil)
  }

  @Test func `two hundred thousand references to one number are read`() throws {
    let zeros = [Int](repeating: 0, count: 200_000)
    #expect(transformer.transformedValue(try data(of: zeros)) as? [Int] == zeros)
  }

  @Test func `an object of a class that is not wanted is refused without making it`() throws {
    let ordered = try NSKeyedArchiver.archivedData(
      withRootObject: NSOrderedSet(array: ["a"]),
      requiringSecureCoding: true
    )
    #expect(transformer.transformedValue(ordered) == nil)
    let list = try #require(WholeArchive(try data(of: ["a", Self.date] as NSArray)))
    #expect(throws: PlainArchiveReader.Refusal.unwantedClass("NSDate")) {
      try PlainArchiveReader.object(of: list, allowing: [NSArray.self, NSString.self])
    }
  }

  @Test(arguments: ["NSSet", "NSDictionary"])
  func `a decimal number as a member or a key stopped the program`(collection: String) throws {
    var builder = ArchiveBuilder()
    let number = builder.object("NSDecimalNumber", Decimal(1).archivedFields)
    let fields = ["NS.keys": [number], "NS.objects": [number]].mapValues(PropertyListValue.array)
    let root = builder.object(collection, fields)
    #expect(transformer.transformedValue(builder.data(root: root)) == nil)
  }

  @Test func `an address that Swift cannot have stopped the program in a list`() throws {
    var builder = ArchiveBuilder()
    let base = builder.object(
      "NSURL",
      ["NS.base": ArchiveBuilder.null, "NS.relative": builder.text("https://example.org/")]
    )
    let address = builder.object("NSURL", ["NS.base": base, "NS.relative": builder.text("")])
    let list = builder.object("NSArray", ["NS.objects": .array([address])])
    #expect(transformer.transformedValue(builder.data(root: list)) == nil)
  }
}
