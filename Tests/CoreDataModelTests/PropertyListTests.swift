import CoreDataModel
import Foundation
import Testing

struct PropertyListTests {
  static let everything = PropertyListValue.dictionary([
    "flags": .array([.boolean(true), .boolean(false), .null]),
    "integers": .array(
      [0, 1, 255, 256, 65535, 65536, 4_294_967_295, 4_294_967_296, -1, .min, .max]
        .map(PropertyListValue.integer)
    ),
    "unsigned": .unsigned(.max),
    "reals": .array([.real(0.5), .real(-1e300), .real(.infinity)]),
    "date": .date(-978_307_200),
    "data": .data(Data(0..<200)),
    "texts": .array([.text(""), .text("Note"), .text("Größe 📝"), .text("a long one, over fifteen")]
    ),
    "references": .array([.uid(0), .uid(255), .uid(256), .uid(70000)]),
    "empty": .dictionary([:]),
  ])

  @Test func `every kind of value comes back, from the same bytes each time`() throws {
    let binary = Self.everything.binary
    #expect(try PropertyListValue(binary: binary) == Self.everything)
    #expect(Self.everything.binary == binary)
  }

  @Test func `what is written in parts is read like what is written whole`() throws {
    var bytes = [UInt8]("before".utf8)
    var list = BinaryPropertyListStream()
    list.begin(to: &bytes)
    let many = (0..<100_000).map { PropertyListValue.text("text \($0)") }
    let long = PropertyListValue.text(String(repeating: "long ", count: 100))
    let elements = many.map { list.add($0, to: &bytes) }
    let entries = [
      ("many", list.add(array: elements, to: &bytes)),
      ("everything", list.add(Self.everything, to: &bytes)),
      ("again", list.add(Self.everything, to: &bytes)),
      ("long", list.add(.array([long, long]), to: &bytes)),
    ]
    // Others may take away what is written already.
    var data = Data(bytes.dropFirst("before".utf8.count))
    bytes.removeAll()
    let top = entries.map { (list.add(.text($0), to: &bytes), $1) }
    list.end(with: list.add(entries: top, to: &bytes), to: &bytes)
    data += bytes
    let expected = PropertyListValue.dictionary([
      "many": .array(many), "everything": Self.everything, "again": Self.everything,
      "long": .array([long, long]),
    ])
    #expect(try PropertyListValue(binary: data, countsLengths: false) == expected)
    let foundations = try PropertyListSerialization.propertyList(from: data, format: nil)
    let table = try #require(foundations as? [String: Any])
    #expect((table["many"] as? [String])?.last == "text 99999")
  }

  @Test func `Foundation reads what we write`() throws {
    let value = PropertyListValue.dictionary([
      "name": .text("Größe"), "stars": .integer(-3), "list": .array([.real(0.5), .boolean(true)]),
      "many": .array((0..<300).map { .integer(Int64($0)) }), "when": .date(0),
    ])
    let plist = try PropertyListSerialization.propertyList(from: value.binary, format: nil)
    let dictionary = try #require(plist as? [String: Any])
    #expect(dictionary["name"] as? String == "Größe")
    #expect(dictionary["stars"] as? Int == -3)
    #expect((dictionary["many"] as? [Int])?.count == 300)
    #expect(dictionary["when"] as? Date == Date(timeIntervalSinceReferenceDate: 0))
  }

  @Test func `we read what Foundation writes`() throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["a": [1, -2, 0.25, "é", Data([7]), true] as [Any]],
      format: .binary,
      options: 0
    )
    #expect(
      try PropertyListValue(binary: data)
        == .dictionary([
          "a": .array([
            .integer(1), .integer(-2), .real(0.25), .text("é"), .data(Data([7])), .boolean(true),
          ])
        ])
    )
  }

  @Test func `damaged bytes throw and never trap`() {
    let whole = [UInt8](Self.everything.binary)
    for length in 0..<whole.count {
      #expect(throws: ArchiveError.self) { try PropertyListValue(binary: Data(whole[..<length])) }
    }
    var survivors = 0
    for place in whole.indices {
      for value: UInt8 in [0x00, 0x0f, 0x7f, 0x80, 0xd1, 0xff] {
        var damaged = whole
        damaged[place] = value
        if (try? PropertyListValue(binary: Data(damaged))) != nil { survivors += 1 }
      }
    }
    #expect(survivors > 0)
  }

  @Test func `an array that contains itself throws`() {
    let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
    let places: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
    let bytes = [UInt8]("bplist00".utf8) + [0xa1, 0x00, 0x08] + trailer + places
    let error = #expect(throws: ArchiveError.self) { try PropertyListValue(binary: Data(bytes)) }
    #expect(error?.description == "the property list is nested too deeply or contains itself")
  }
}
