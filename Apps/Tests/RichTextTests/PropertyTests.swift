import Foundation
import RichText
import Testing

/// Properties at the beginning of a file, and their values.
struct PropertyTests {
  private func properties(_ lines: String) -> [NoteProperty] {
    MarkdownFile("---\n\(lines)\n---\nText").properties
  }

  @Test(
    "A field has the kind that its value looks like",
    arguments: [
      ("open", PropertyValue.text("open")), ("\"5\"", .text("5")), ("'it''s'", .text("it's")),
      ("", .text("")), ("~", .text("")), ("5", .number("5")), ("-3.10", .number("-3.10")),
      ("1e3", .number("1e3")), ("1.2.3", .text("1.2.3")), ("2026-12-01", .date("2026-12-01")),
      ("'2026-12-01'", .date("2026-12-01")), ("2026-12-01T09:30", .date("2026-12-01T09:30")),
      ("2026-02-30", .text("2026-02-30")), ("2024-02-29", .date("2024-02-29")),
      ("2026-12-01T25:00", .text("2026-12-01T25:00")), ("true", .checkbox(true)),
      ("False", .checkbox(false)), ("yes", .text("yes")),
      ("[a, \"b, c\", 3]", .list(["a", "b, c", "3"])),
      ("[]", .list([])), ("[\"~\", \"a # b\", \"C:\\\\new\"]", .list(["~", "a # b", "C:\\new"])),
      ("\n  - a\n  - \"b\"", .list(["a", "b"])),
      ("\n- a\n- b", .list(["a", "b"])),
      ("\"[[Slots]]\"", .link(PropertyLink(title: "Slots"))),
      ("[[Slots#Size|those]]", .link(PropertyLink(title: "Slots", rest: "#Size|those"))),
      ("[Slots](https://example.org)", .text("[Slots](https://example.org)")),
    ]
  )
  func kinds(written: String, value: PropertyValue) {
    #expect(properties("x: \(written)") == [NoteProperty("x", value)])
  }

  @Test(
    "A value that no kind holds leaves as it came",
    arguments: [
      " |\n  one\n  # two\n\n  three", " >-\n  folded\n  words", " {a: 1}", " &a x", " *a",
      " !!str 5",
      "\n  one: 1\n  two:\n    - 2", " 0x1F", " .inf", " [a, [b]]", " [\"5\"]", "\n  - a: b",
      " \"a\\nb\"", " first\n  second",
    ]
  )
  func others(lines: String) {
    let file = MarkdownFile("---\nx:\(lines)\n---\nText")
    #expect(file.properties == [NoteProperty("x", .other(lines))])
    #expect(file.contents.contains("\nx:\(lines)\n---\n"), "\(file.contents)")
    #expect(MarkdownFile(file.contents).properties == file.properties)
  }

  @Test("A remark behind a value, and one in a line of its own, stay before the text")
  func remarks() {
    let file = MarkdownFile("---\n# mine\ndue: 2026-12-01 # soon\n# later\nrating: 5\n---\nText")
    #expect(
      file.properties == [
        NoteProperty("due", .date("2026-12-01")), NoteProperty("rating", .number("5")),
      ]
    )
    #expect(file.others == ["# mine", "# due: soon", "# later"])
  }

  @Test("A second field of a name, and a name that cannot be one, stay as they are written")
  func names() {
    let file = MarkdownFile(
      "---\ndue: 1\nDue: 2\n\"a:b\": 3\n\(String(repeating: "n", count: 101)): 4\n---\n"
    )
    #expect(file.properties == [NoteProperty("due", .number("1"))])
    #expect(file.others.count == 3)
  }

  @Test("A property called as a fact of a note is written beside it, and read again")
  func ownNames() {
    var file = MarkdownFile(title: "Plan", status: "review", text: RichText([]))
    file.created = Date(timeIntervalSince1970: 1_600_000_000)
    file.properties = [
      NoteProperty("status", .text("draft")), NoteProperty("Created", .text("some day")),
      NoteProperty("date", .date("2026-12-01")),
    ]
    #expect(file.contents.contains("slipbox-status: review\n"))
    #expect(MarkdownFile(file.contents) == file)
  }

  @Test("The keys of numbers, dates and words are in their order")
  func keys() throws {
    let numbers = ["-1e9", "-3", "-0.5", "0", "1e-9", "2", "10", "1e300"]
    let keys = numbers.compactMap { PropertyValue.number($0).key }
    #expect(keys.count == numbers.count && keys == keys.sorted() && Set(keys).count == keys.count)
    #expect(PropertyValue.number("-0").key == PropertyValue.number("0.0").key)
    let dates = [
      "0999-12-31", "2026-11-30T23:59", "2026-12-01", "2026-12-01T00:00", "2026-12-01T09:30",
    ]
    let moments = dates.compactMap { PropertyValue.date($0).key }
    #expect(moments == moments.sorted() && Set(moments).count == dates.count)
    #expect(PropertyValue.text("ÜBER").key == PropertyValue.text("uber").key)
    #expect(PropertyValue.text("").key == nil && PropertyValue.list([]).key == nil)
  }

  @Test("A value is stored and read again, and a kind of a later version stays as text")
  func storing() {
    let values: [PropertyValue] = [
      .text("a"), .text(""), .number("3.10"), .date("2026-12-01"), .list(["a", "b c"]), .list([]),
      .checkbox(true), .link(PropertyLink(title: "A", rest: "#b")), .other(" |\n  a\n\n  b"),
    ]
    for value in values { #expect(PropertyValue(stored: value.stored) == value) }
    #expect(PropertyValue(stored: "colour\n#ff0000") == .text("colour #ff0000"))
    #expect(PropertyValue(stored: "") == .text(""))
  }

  @Test("A value becomes one of another kind only if it says that")
  func converting() {
    #expect(PropertyValue.text("5").converted(to: .number) == .number("5"))
    #expect(PropertyValue.text("soon").converted(to: .number) == nil)
    #expect(PropertyValue.text("a, b").converted(to: .list) == .list(["a", "b"]))
    #expect(PropertyValue.list(["a", "b"]).converted(to: .text) == .text("a, b"))
    #expect(PropertyValue.list(["a", "b"]).converted(to: .link) == nil)
    #expect(PropertyValue.text("Slots").converted(to: .link) == .link(PropertyLink(title: "Slots")))
    #expect(PropertyValue.checkbox(true).converted(to: .text) == .text("true"))
    #expect(PropertyValue.date("2026-12-01").converted(to: .text) == .text("2026-12-01"))
    #expect(PropertyValue.other(" |\n  a").converted(to: .text) == .text("|   a"))
  }
}
