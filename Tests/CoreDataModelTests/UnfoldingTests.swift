import CoreDataModel
import Foundation
import Testing

/// Small files whose objects name each other so often that they come to more than a machine can hold.
@Suite struct UnfoldingTests {
  /// A list of lists, each of which names the next one twice: 2ⁿ values in some hundred bytes.
  static func doubling(_ levels: Int) -> Data {
    sharing(levels.spelled { [$0 + 1, $0 + 1] } + [[UInt8]([0x10, 0x07])])
  }

  /// A binary property list of these objects, the first of which is the topmost.
  static func sharing(_ objects: [[UInt8]]) -> Data {
    var bytes = [UInt8]("bplist00".utf8)
    var places: [UInt8] = []
    for object in objects {
      places += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = UInt64(bytes.count)
    let numbers = [UInt64(objects.count), 0, table].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }
    return Data(bytes + places + [0, 0, 0, 0, 0, 0, 2, 1] + numbers)
  }

  @Test func `a list of thirty levels became a thousand million values`() throws {
    let error = #expect(throws: ArchiveError.self) {
      try PropertyListValue(binary: Self.doubling(30))
    }
    #expect(error?.description.contains("more than 1000000 values") == true)
    #expect(try PropertyListValue(binary: Self.doubling(10)).leafCount == 1024)
  }

  @Test func `a long text that is named again and again is counted by its length`() throws {
    // An array of two hundred times the same text of sixty thousand bytes, a hundred times.
    let text = [0x5F, 0x11, 0xEA, 0x60] + [UInt8](repeating: 0x61, count: 60_000)
    let array = { (count: UInt8, object: UInt8) -> [UInt8] in
      [0xAF, 0x10, count] + [UInt8](repeating: object, count: Int(count))
    }
    // Its place needs three bytes; so the text comes last.
    let list = Self.sharing([array(100, 1), array(200, 2), text])
    #expect(throws: ArchiveError.self) { try PropertyListValue(binary: list) }
    // A store may well have the same picture in every row.
    #expect(
      try PropertyListValue(binary: list, countsLengths: false).leafCount == 20_000
    )
  }

  @Test func `an archive of shared lists is no value of an attribute`() throws {
    let archive = { (levels: Int) -> Data in
      let classes = PropertyListValue.dictionary([
        "$classname": .text("NSArray"), "$classes": .array([.text("NSArray"), .text("NSObject")]),
      ])
      let lists = (0..<levels).map { level in
        PropertyListValue.dictionary([
          "$class": .uid(1), "NS.objects": .array([.uid(level + 3), .uid(level + 3)]),
        ])
      }
      return PropertyListValue.dictionary([
        "$archiver": .text("NSKeyedArchiver"), "$version": .integer(100_000),
        "$top": .dictionary(["root": .uid(2)]),
        "$objects": .array([.text("$null"), classes] + lists + [.text("leaf")]),
      ]).binary
    }
    #expect(WholeArchive(archive(8)) != nil)
    #expect(WholeArchive(archive(30)) == nil)
  }

  @Test(arguments: ["NSDictionary", "NSSet"])
  func `a list as a key stopped the program in Foundation`(name: String) throws {
    let named = { (name: String) -> PropertyListValue in
      .dictionary([
        "$classname": .text(name), "$classes": .array([.text(name), .text("NSObject")]),
      ])
    }
    let archive = { (key: Int) -> Data in
      PropertyListValue.dictionary([
        "$archiver": .text("NSKeyedArchiver"), "$version": .integer(100_000),
        "$top": .dictionary(["root": .uid(1)]),
        "$objects": .array([
          .text("$null"),
          .dictionary([
            "$class": .uid(2), "NS.keys": .array([.uid(key)]), "NS.objects": .array([.uid(key)]),
          ]),
          named(name), .text("plain"), .dictionary(["$class": .uid(5), "NS.objects": .array([])]),
          named("NSArray"),
        ]),
      ]).binary
    }
    #expect(WholeArchive(archive(3)) != nil)
    #expect(WholeArchive(archive(4)) == nil)
  }

  @Test func `a model whose entities are one entity again and again is none`() throws {
    var list = try PropertyListValue(binary: ModelArchive.encode(.everything))
    guard case .dictionary(var fields) = list, case .array(var objects) = fields["$objects"] else {
      Issue.record("a model is a keyed archive")
      return
    }
    // Every list of the archive becomes one of ten thousand references to its first element.
    for (place, object) in objects.enumerated() {
      guard case .dictionary(var entry) = object, case .array(let members) = entry["NS.objects"],
        let first = members.first
      else { continue }
      let many = PropertyListValue.array(Array(repeating: first, count: 10_000))
      entry["NS.objects"] = many
      if entry["NS.keys"] != nil {
        entry["NS.keys"] = .array(
          (0..<10_000).map { number in
            objects.append(.text("name \(number)"))
            return number == 0 ? .uid(objects.count - 1) : .uid(objects.count - 1)
          }
        )
      }
      objects[place] = .dictionary(entry)
    }
    fields["$objects"] = .array(objects)
    list = .dictionary(fields)
    #expect(throws: ArchiveError.self) { try ModelArchive.decode(list.binary) }
  }

  @Test func `a property under fifty thousand names took seconds and was a model`() throws {
    var schema = ModelSchema()
    schema.entities = [EntitySchema(name: "Note")]
    schema.entities[0].attributes = [AttributeSchema(name: "title", type: .string)]
    let list = try PropertyListValue(binary: ModelArchive.encode(schema))
    guard case .dictionary(var fields) = list, case .array(var objects) = fields["$objects"] else {
      Issue.record("a model is a keyed archive")
      return
    }
    // The list of the only property names it again and again.
    for (place, object) in objects.enumerated() {
      guard case .dictionary(var entry) = object, case .array(let keys) = entry["NS.keys"],
        case .array(let values) = entry["NS.objects"], case .uid(let key)? = keys.first,
        objects[key] == .text("title")
      else { continue }
      entry["NS.keys"] = .array(Array(repeating: keys[0], count: 50_000))
      entry["NS.objects"] = .array(Array(repeating: values[0], count: 50_000))
      objects[place] = .dictionary(entry)
    }
    fields["$objects"] = .array(objects)
    let archive = PropertyListValue.dictionary(fields).binary
    let error = #expect(throws: ArchiveError.self) { try ModelArchive.decode(archive) }
    #expect(error?.description.contains("more than 50000 entities and properties") == true)
  }

  @Test func `a model cache that unfolds into much more than a model is none`() throws {
    let zeros = Self.zeros(copies: 160_000)
    #expect(zeros.count < 300_000)
    let error = #expect(throws: ArchiveError.self) { try ModelCache.decode(zeros) }
    #expect(error?.description.contains("too large") == true)
  }

  /// A zero and many copies of 258 more, as DEFLATE spells them: some 40 MB.
  private static func zeros(copies: Int) -> Data {
    var (bytes, place) = ([UInt8](), 0)
    func write(_ bits: String) {
      for bit in bits {
        if place % 8 == 0 { bytes.append(0) }
        if bit == "1" { bytes[place / 8] |= 1 << UInt8(place % 8) }
        place += 1
      }
    }
    write("1" + "10")  // The last block, with the codes that are in the standard.
    write("00110000")
    for _ in 0..<copies { write("11000101" + "00000") }
    write("0000000")
    return Data(bytes)
  }

  @Test(
    arguments: [
      "<plist><dict><key>a</key></dict></plist>", "<plist><dict><string>a</string></dict></plist>",
      "<plist><integer>9223372036854775808000</integer></plist>", "<plist><date>x</date></plist>",
      "<plist><true/><true/></plist>", "<plist/>", "<dict/>", "{ a = b; }", "",
      String(repeating: "<array>", count: 100_000),
    ]
  )
  func `a damaged list in XML throws and never traps`(text: String) {
    #expect(throws: ArchiveError.self) { try PropertyListValue(propertyList: Data(text.utf8)) }
  }

  @Test func `we read what Foundation writes in XML`() throws {
    let values: [String: Any] = [
      "a": [1, -2, 0.25, "é <&> b", Data([7, 8]), true, Date(timeIntervalSinceReferenceDate: 5)]
        as [Any],
      "b": ["c": [String: Any]()],
    ]
    let data = try PropertyListSerialization.data(
      fromPropertyList: values,
      format: .xml,
      options: 0
    )
    #expect(
      try PropertyListValue(propertyList: data)
        == .dictionary([
          "a": .array([
            .integer(1), .integer(-2), .real(0.25), .text("é <&> b"), .data(Data([7, 8])),
            .boolean(true), .date(5),
          ]),
          "b": .dictionary(["c": .dictionary([:])]),
        ])
    )
  }
}

extension Int {
  /// The bytes of this many lists, each of some others by their numbers.
  fileprivate func spelled(_ members: (Int) -> [Int]) -> [[UInt8]] {
    (0..<self).map { number in
      let members = members(number).map { UInt8($0) }
      return [0xA0 | UInt8(members.count)] + members
    }
  }
}

extension PropertyListValue {
  /// How many values there are that hold no others.
  fileprivate var leafCount: Int {
    switch self {
    case .array(let elements): elements.map(\.leafCount).reduce(0, +)
    case .dictionary(let fields): fields.values.map(\.leafCount).reduce(0, +)
    case .null, .boolean, .integer, .unsigned, .real, .date, .data, .text, .uid: 1
    }
  }
}
