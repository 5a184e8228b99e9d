import CoreDataStoreCare
import Foundation
import Testing

@testable import coredata

/// The small types that the tool speaks with.
struct SmallTypesTests {
  @Test(arguments: [
    ("inspec", "inspect"), ("dupm", "dump"), ("INSPECT", "inspect"), ("exp", "explain"),
  ])
  func `a word that is near is found`(typed: String, meant: String) {
    #expect(Spelling.nearest(to: typed, among: ["inspect", "dump", "explain", "sql"]) == meant)
  }

  @Test(arguments: ["x", "remove", "quit"])
  func `a word that is far from all is left alone`(typed: String) {
    #expect(Spelling.nearest(to: typed, among: ["inspect", "dump", "explain", "sql"]) == nil)
  }

  @Test func `letters are counted that differ, and neighbours that changed places`() {
    #expect(Spelling.distance("", "abc") == 3)
    #expect(Spelling.distance("abc", "abc") == 0)
    #expect(Spelling.distance("titel", "title") == 1)
    #expect(Spelling.distance("kitten", "sitting") == 3)
  }

  @Test(arguments: [
    ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("❤️", 2), ("", 0), ("ｆｕｌｌ", 8),
  ])
  func `widths are those of a terminal`(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test func `text is cut where it is too wide, and says so`() {
    #expect("Shopping".cut(to: 8) == "Shopping")
    #expect("Shopping".cut(to: 5) == "Shop…")
    #expect("日本語".cut(to: 4) == "日…")
    #expect("日本語".cut(to: 0) == "")
  }

  @Test func `a text with controls stands in one line`() {
    #expect("a\r\nb\u{1B}[31m\tc\u{9B}d\u{7F}".inOneLine == "a↵b␛[31m c\u{FFFD}d␡")
    #expect("no controls: ü 日 👍".inOneLine == "no controls: ü 日 👍")
    #expect("two\nlines\u{07}".harmless == "two\nlines␇")
  }

  @Test func `a line of JSON with very many names was compared name by name`() {
    func names(_ count: Int) -> Int? {
      let members = (0..<count).map { "\"name \($0)\": 1" }
      var (record, columns) = (ImportedRecord(), ColumnNames())
      return Array("{\(members.joined(separator: ", "))}".utf8)
        .withUnsafeBytes { FlatJSON.read($0, to: &record, &columns) ? record.cells.count : nil }
    }
    #expect(names(FlatJSON.mostNames) == FlatJSON.mostNames)
    #expect(names(FlatJSON.mostNames + 1) == nil)
  }

  @Test func `JSON keeps order and digits`() {
    let value: JSONValue = [
      "b": .number("12.50"), "a": [true, .null, "q\"\\\n\u{1B}"], "empty": [], "none": [:],
    ]
    #expect(
      value.compact
        == #"{"b":12.50,"a":[true,null,"q\"\\\n\u001b"],"empty":[],"none":{}}"#
    )
    #expect(JSONValue.real(.infinity).compact == "\"inf\"")
    #expect(JSONValue.real(3).compact == "3")
    #expect(JSONValue.real(0.1).compact == "0.1")
    #expect((["x": 1] as JSONValue).pretty == "{\n  \"x\": 1\n}")
  }

  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
    (-0.25, "2000-12-31T23:59:59.75Z"), (736_971_291.25, "2024-05-09T18:14:51.25Z"),
    (-63_114_076_800, "0000-12-30T00:00:00Z"), (1e30, "1e+30"),
    (-64_527_667_200, "-0044-03-15T00:00:00Z"), (0.1 + 0.2, "2001-01-01T00:00:00.3Z"),
    (736_971_291.123456, "2024-05-09T18:14:51.123456Z"),
  ])
  func `dates are those of ISO 8601`(seconds: Double, text: String) {
    #expect(Date(timeIntervalSinceReferenceDate: seconds).iso8601 == text)
  }

  @Test(arguments: [
    (737_057_651.999_999_9, "2024-05-10T18:14:11.9999999Z"),
    (737_057_651.123_456_7, "2024-05-10T18:14:11.1234567Z"),
    (-31_622_400.876_543_213, "1999-12-31T23:59:59.123456787Z"),
  ])
  func `dates lost what a millionth of a second does not tell`(seconds: Double, text: String) throws
  {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(date.iso8601 == text)
    let written = try #require(WrittenDate(text))
    #expect(written.moment == date)
    #expect(written.start <= date && date <= written.last)
  }

  @Test(arguments: [
    (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (9_960, "10 kB"), (999_600, "1.0 MB"),
    (1_021_280_256, "1.0 GB"),
  ])
  func `sizes are those of files`(bytes: Int, text: String) {
    #expect(bytes.asBytes == text)
  }

  @Test(
    arguments: [
      ("1500", 1500), ("500MB", 500_000_000), ("1.5 gb", 1_500_000_000), ("0", 0), ("7 B", 7),
      ("MB", nil), ("-5MB", nil), ("5 miles", nil), ("1.2.3", nil), ("", nil),
      ("9999999999TB", nil),
    ] as [(String, Int?)]
  )
  func `sizes are read as people write them`(text: String, bytes: Int?) {
    #expect(Int(bytesIn: text) == bytes)
  }

  @Test func `numbers are grouped, and estimates rounded`() {
    #expect([0, 999, 1000, -1_234_567].map(\.grouped) == ["0", "999", "1,000", "-1,234,567"])
    #expect([999, 1234, 2_249_103].map(\.rounded) == [999, 1230, 2_250_000])
    #expect(1.of("row") == "1 row")
    #expect(2000.of("entity", "entities") == "2,000 entities")
  }

  @Test(arguments: [
    (1344, "iOS 17 or macOS 14"), (1403, "iOS 18 or macOS 15"), (1448, "iOS 18"), (419, "iOS 6"),
    (900, "a system between iOS 12 and iOS 13 or"),
    (1600, "a system after iOS 26 or macOS 26"), (100, "a system before Mac OS X 10.6"),
  ])
  func `a framework's version is a system`(number: Int, system: String) {
    #expect(FrameworkVersion(number: number).system.hasPrefix(system))
  }

  @Test func `progress is a bar where the end is known`() {
    #expect(ProgressLine.text("copying", 35, of: 100) == "copying  ███████░░░░░░░░░░░░░  35 %")
    #expect(ProgressLine.text("checking", 0, of: 0) == "checking …")
    #expect(ProgressLine.text("reading", 12_000, of: 0) == "reading  12,000")
  }

  @Test(arguments: [20, 30, 50])
  func `a table keeps narrow columns whole and says what has no room`(width: Int) throws {
    let pipe = Pipe()
    let output = Output(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let table = TextTable(
      ["id", "title", "text", "more", "last"].map { TextTable.Column(title: $0) },
      terminal: Terminal(isInteractive: true, width: width, hasColours: false),
      output: output
    )
    let long = String(repeating: "x", count: 40)
    try table.add(["p1", long, long, long, long])
    try table.finish()
    try output.flush()
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.prefix(2).allSatisfy { $0.count <= width }, "\(text)")
    #expect(lines[1].hasPrefix("p1  xxx"))
    #expect(lines.count == (width < 50 ? 3 : 2), "\(text)")
    if width == 30 { #expect(lines[2] == "not shown: more, last") }
  }
}
