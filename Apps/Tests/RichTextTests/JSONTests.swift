import Foundation
import RichText
import Testing

/// The JSON of the editor.
struct JSONTests {
  @Test func `a text looks like this`() {
    #expect(
      text(.text("A "), .text("fault", [.bold, .link("https://example.org")]), .slots).json
        == #"{"content":[{"content":["#
        + #"{"text":"A ","type":"text"},"#
        + #"{"marks":[{"attrs":{"href":"https://example.org"},"type":"link"},{"type":"bold"}],"#
        + #""text":"fault","type":"text"},"#
        + #"{"marks":[{"attrs":{"href":"note:11000000-0000-4000-8000-000000000022"},"type":"link"}],"#
        + #""text":"Slots","type":"text"}"#
        + #"],"type":"paragraph"}],"type":"doc","version":5}"#
    )
  }

  @Test func `what was written is read again`() throws {
    #expect(try RichText(json: RichText.everything.json) == .everything)
    #expect(try RichText(json: RichText().json) == RichText())
  }

  @Test func `a beginning has the words of the whole`() throws {
    var random = Random(seed: 11)
    for _ in 0..<150 {
      let text = random.richText()
      // The last piece is cut before its marks, so that a raised digit is a plain one there.
      let words = text.plainText.withoutSmallSigns
      for count in [0, 1, 7, 40, 400] {
        let beginning = try RichText(json: text.json, enough: count).plainText.withoutSmallSigns
        #expect(beginning.prefix(count) == words.prefix(count))
      }
    }
  }

  @Test(arguments: [
    RichText((0..<2_000).map { .paragraph([.text("Paragraph \($0) of a long text")]) }),
    RichText([.bulletList((0..<2_000).map { .init([.paragraph([.text("Item \($0) of a list")])]) })]
    ),
    text(.text(String(repeating: "one \" two\n 👩‍👩‍👧 \u{1} ", count: 5_000))),
    RichText([
      .paragraph(
        (0..<4_000).map { .text("piece \($0) ", $0.isMultiple(of: 2) ? [.bold, .italic] : []) }
      )
    ]),
  ])
  func `a long text was read to its end for a line of a list`(text: RichText) throws {
    let beginning = try RichText(json: text.json, enough: 440)
    #expect(beginning.plainText.prefix(440) == text.plainText.prefix(440))
    #expect(beginning.plainText.utf8.count < 16_000)
    #expect(text.plainText.utf8.count > 30_000)
  }

  @Test func `texts with escaped letters are cut between letters`() throws {
    let words = String(repeating: #"\ud83d\ude00\u00e9\\\"b"#, count: 400)
    let json =
      #"{"content":[{"content":[{"text":""# + words
      + #"","type":"text"}],"type":"paragraph"}],"type":"doc","version":5}"#
    let whole = try RichText(json: json).plainText
    for count in 1...60 {
      let beginning = try RichText(json: json, enough: count).plainText
      #expect(beginning.prefix(count) == whole.prefix(count))
    }
  }

  @Test func `what the editor itself hands out is read, without a version and with its defaults`()
    throws
  {
    let text = try RichText(
      json: """
        {"type": "doc", "content": [
          {"type": "orderedList", "attrs": {"start": 1, "type": null}, "content": [
            {"type": "listItem", "content": [{"type": "paragraph"}]}]},
          {"type": "codeBlock", "attrs": {"language": null}},
          {"type": "paragraph", "content": [
            {"type": "text", "text": "a", "marks": [{"type": "italic"}, {"type": "bold"}]},
            {"type": "hardBreak", "marks": [{"type": "bold"}]},
            {"type": "text", "text": "b", "marks": [
              {"type": "link", "attrs": {"href": "mailto:a@b.c", "target": "_blank", "rel": null}}]}
          ]}]}
        """
    )
    #expect(
      text
        == RichText([
          .orderedList(start: 1, [Item([.paragraph([])])]), .codeBlock(language: nil, ""),
          .paragraph([
            .text("a", [.bold, .italic]), .hardBreak, .text("b", [.link("mailto:a@b.c")]),
          ]),
        ])
    )
  }

  @Test func `what the editor sends is read, and written as it was sent`() throws {
    let note = #"{"attrs":{"href":"note:11000000-0000-4000-8000-000000000022"},"type":"link"}"#
    let page = #"{"attrs":{"href":"https://example.org"},"type":"link"}"#
    let looks =
      #"{"type":"bold"},{"type":"italic"},{"type":"underline"},{"type":"strike"},{"type":"highlight"},{"type":"superscript"}"#
    let line =
      #"{"marks":[\#(note)],"text":"Slots","type":"text"},{"text":" ","type":"text"},"#
      + #"{"marks":[\#(note),\#(looks)],"text":"all","type":"text"},"#
      + #"{"marks":[\#(page),\#(looks)],"text":"all","type":"text"},{"type":"hardBreak"},"#
      + #"{"marks":[{"type":"highlight"}],"text":"marked","type":"text"},"#
      + #"{"marks":[{"type":"subscript"}],"text":"low","type":"text"},"#
      + #"{"marks":[{"type":"code"}],"text":"code","type":"text"}"#
    let json = #"{"content":[{"content":[\#(line)],"type":"paragraph"}],"type":"doc","version":5}"#
    let text = try RichText(json: json)
    #expect(text.json == json)
    #expect(text.links == [.slots])
    #expect(text.plainText == "Slots allall\nmarkedlowcode")
  }

  @Test(arguments: [
    "https://", "http:a", "MAILTO:", "https://" + String(repeating: "a", count: 9_000),
  ])
  func `a link that the editor lets through and that leads nowhere is let go`(href: String) throws {
    let mark = #"{"type":"link","attrs":{"href":"\#(href)","target":"_blank","class":null}}"#
    let json = #"{"type":"text","text":"a","marks":[\#(mark),{"type":"bold"}]}"#
    #expect(
      try RichText(
        json: #"{"type":"doc","content":[{"type":"paragraph","content":[\#(json)]}]}"#
      ) == text(.text("a", [.bold]))
    )
  }

  @Test func `what was pasted into the editor is brought into form`() throws {
    let item = #"{"type":"listItem","content":[{"type":"paragraph"}]}"#
    let text = try RichText(
      json: """
        {"type": "doc", "version": 1, "content": [
          {"type": "orderedList", "attrs": {"start": -5}, "content": [\(item)]},
          {"type": "codeBlock", "attrs": {"language": "{r}"}}]}
        """
    )
    let items = [Item([.paragraph([])])]
    #expect(text == RichText([.orderedList(start: 0, items), .codeBlock(language: nil, "")]))
  }

  @Test(arguments: ["", #""version":1,"#])
  func `links to notes of older texts were nodes, and become marks`(version: String) throws {
    let id = #""id":"11000000-0000-4000-8000-000000000022""#
    let item =
      #"{"type":"paragraph","content":[{"type":"text","text":"See "},"#
      + #"{"type":"noteLink","attrs":{\#(id),"title":"Slots"},"marks":[{"type":"italic"}]},"#
      + #"{"type":"noteLink","attrs":{\#(id),"title":""}},{"type":"text","text":"."}]}"#
    let list = #"{"type":"bulletList","content":[{"type":"listItem","content":[\#(item)]}]}"#
    let text = try RichText(json: #"{\#(version)"type":"doc","content":[\#(list)]}"#)
    let line: [Inline] = [.text("See "), .text("Slots", [.slots, .italic]), .text(".")]
    #expect(text == RichText([.bulletList([Item([.paragraph(line)])])]))
    #expect(!text.json.contains("noteLink"))
  }

  @Test(arguments: Refused.all)
  func `what the editor cannot have made is refused, with its place`(_ refused: Refused) {
    let error = #expect(throws: RichTextError.self) { try RichText(json: refused.json) }
    #expect(error?.description == refused.sentence)
  }

  @Test func `a newer version is refused and says so`() {
    let error = #expect(throws: RichTextError.self) {
      try RichText(json: #"{"version":6,"type":"doc","content":[{"type":"paragraph"}]}"#)
    }
    #expect(
      error?.description
        == "this text has version 6, and version 5 is the newest that this program knows; "
        + "a newer program has written it"
    )
  }

  @Test func `a text of a megabyte is read, and one byte more is not`() throws {
    let words = String(repeating: "a", count: RichText.maximumSize)
    #expect(try RichText(json: text(.text(words)).json).plainText == words)
    let error = #expect(throws: RichTextError.self) {
      try RichText(json: text(.text(words + "a")).json)
    }
    #expect(
      error?.description == "this text is too large, a note has at most 1000000 bytes"
    )
  }

  @Test func `quotes in quotes are read as deep as may be, and no deeper`() throws {
    func quoted(_ times: Int) -> String {
      #"{"type":"doc","content":["#
        + String(repeating: #"{"type":"blockquote","content":["#, count: times)
        + #"{"type":"paragraph","content":[{"type":"text","text":"deep"}]}"#
        + String(repeating: "]}", count: times) + "]}"
    }
    let deepest = try RichText(json: quoted(29))
    #expect(deepest.plainText == "deep")
    #expect(try RichText(json: deepest.json) == deepest)
    for times in [30, 200, 100_000] {
      let error = #expect(throws: RichTextError.self) { try RichText(json: quoted(times)) }
      #expect(error.map { $0.path.isEmpty != $0.sentence.contains("too deep") } == true)
    }
  }

  @Test func `damaged JSON is refused and never stops the program`() {
    var random = Random(seed: 7)
    let json = Array(RichText.everything.json.utf8)
    for _ in 0..<2_000 {
      let damaged = random.damaged(json)
      // Whether it is still JSON is chance; it is enough that the call returns.
      if let text = try? RichText(json: Data(damaged)) { #expect(!text.blocks.isEmpty) }
    }
  }
}

/// A document with a mistake.
struct Refused: CustomTestStringConvertible, Sendable {
  let json: String
  let sentence: String

  var testDescription: String { sentence }

  private init(_ content: String, _ sentence: String) {
    json = #"{"version":1,"type":"doc","content":[{"type":"paragraph"},"# + content + "]}"
    self.sentence = sentence
  }

  private init(document: String, _ sentence: String) {
    json = document
    self.sentence = sentence
  }

  private static func line(_ content: String) -> String {
    #"{"type":"paragraph","content":["# + content + "]}"
  }

  static let all = [
    Refused(document: "", "this is no JSON"),
    Refused(document: "{", "this is no JSON"),
    Refused(document: "[]", "this is of the wrong kind"),
    Refused(document: "{}", "“type” is missing"),
    Refused(document: #"{"type":"paragraph"}"#, "type: a text is a “doc”, not “paragraph”"),
    Refused(document: #"{"type":"doc"}"#, "content: a text has at least one block"),
    Refused(
      document: #"{"type":"doc","version":-1,"content":[{"type":"paragraph"}]}"#,
      "version: there is no version -1"
    ),
    Refused(document: #"{"type":"doc","colour":"red"}"#, "“colour” is not known here"),
    Refused(#"{"content":[]}"#, "content[1]: “type” is missing"),
    Refused(#"{"type":7}"#, "content[1].type: this is of the wrong kind"),
    Refused(#"{"type":"image"}"#, "content[1].type: there is no block “image”"),
    Refused(#"{"type":"doc"}"#, "content[1]: a text is not inside another"),
    Refused(
      #"{"type":"text","text":"a"}"#,
      "content[1].text: “text” has no text"
    ),
    Refused(
      #"{"type":"hardBreak"}"#,
      "content[1]: “hardBreak” stands in a paragraph, not beside one"
    ),
    Refused(#"{"type":"listItem"}"#, "content[1]: “listItem” stands in a list"),
    Refused(
      #"{"type":"paragraph","attrs":{"textAlign":"left"}}"#,
      "content[1].attrs.textAlign: “paragraph” has no such attribute"
    ),
    Refused(
      #"{"type":"paragraph","attrs":{"textAlign":1.5}}"#,
      "content[1].attrs.textAlign: this is neither a text nor a whole number, true, false or null"
    ),
    Refused(#"{"type":"paragraph","id":"a"}"#, "content[1]: “id” is not known here"),
    Refused(
      #"{"type":"paragraph","marks":[{"type":"bold"}]}"#,
      "content[1].marks: “paragraph” has no marks"
    ),
    Refused(
      #"{"type":"heading","attrs":{"level":7}}"#,
      "content[1].attrs.level: a heading has a level from 1 to 6"
    ),
    Refused(
      #"{"type":"heading","attrs":{"level":true}}"#,
      "content[1].attrs.level: a heading has a level from 1 to 6"
    ),
    Refused(#"{"type":"bulletList"}"#, "content[1].content: a list has at least one item"),
    Refused(
      #"{"type":"bulletList","content":[{"type":"paragraph"}]}"#,
      "content[1].content[0].type: “paragraph” is no item of this list; “listItem” would be"
    ),
    Refused(
      #"{"type":"bulletList","content":[{"type":"listItem"}]}"#,
      "content[1].content[0].content: an item of a list begins with a paragraph"
    ),
    Refused(
      #"{"type":"orderedList","attrs":{"start":"one"},"content":[]}"#,
      "content[1].attrs.start: a list starts with a number"
    ),
    Refused(
      #"{"type":"taskList","content":[{"type":"taskItem","attrs":{"checked":"yes"},"content":[{"type":"paragraph"}]}]}"#,
      "content[1].content[0].attrs.checked: a task is checked or not"
    ),
    Refused(#"{"type":"blockquote"}"#, "content[1].content: a quote has at least one block"),
    Refused(
      #"{"type":"codeBlock","attrs":{"language":7}}"#,
      "content[1].attrs.language: a language is a word"
    ),
    Refused(
      #"{"type":"codeBlock","content":[{"type":"hardBreak"}]}"#,
      "content[1].content[0].type: in a code block is text, not “hardBreak”"
    ),
    Refused(
      #"{"type":"codeBlock","content":[{"type":"text","text":"a","marks":[{"type":"bold"}]}]}"#,
      "content[1].content[0].marks: “text” has no marks"
    ),
    Refused(
      #"{"type":"horizontalRule","content":[{"type":"paragraph"}]}"#,
      "content[1].content: there is nothing inside “horizontalRule”"
    ),
    Refused(
      line(#"{"type":"paragraph"}"#),
      "content[1].content[0].type: “paragraph” does not stand in a line of text"
    ),
    Refused(
      line(#"{"type":"text","text":""}"#),
      "content[1].content[0].text: a text has at least one character"
    ),
    Refused(
      line(#"{"type":"text","text":"a","marks":[{"type":"bold"},{"type":"blink"}]}"#),
      "content[1].content[0].marks[1].type: there is no mark “blink”"
    ),
    Refused(
      line(#"{"type":"text","text":"a","marks":[{"type":"bold","attrs":{"weight":7}}]}"#),
      "content[1].content[0].marks[0].attrs.weight: “bold” has no such attribute"
    ),
    Refused(
      line(#"{"type":"text","text":"a","marks":[{"type":"code"},{"type":"bold"}]}"#),
      "content[1].content[0].marks: code has no other mark"
    ),
    Refused(
      line(#"{"type":"text","text":"a","marks":[{"type":"link"}]}"#),
      "content[1].content[0].marks[0].attrs.href: a link has an address"
    ),
    Refused(
      line(
        #"{"type":"text","text":"a","marks":[{"type":"link","attrs":{"href":"javascript:x"}}]}"#
      ),
      "content[1].content[0].marks[0].attrs.href: "
        + "a link leads to a note or an address that a page may have, not to “javascript:x”"
    ),
    Refused(
      line(#"{"type":"text","text":"a","marks":[{"type":"link","attrs":{"href":"note:7"}}]}"#),
      "content[1].content[0].marks[0].attrs.href: "
        + "a link leads to a note or an address that a page may have, not to “note:7”"
    ),
    Refused(
      line(#"{"type":"text","text":"a","marks":[{"type":"highlight","attrs":{"color":"red"}}]}"#),
      "content[1].content[0].marks[0].attrs.color: “highlight” has no such attribute"
    ),
    Refused(
      line(#"{"type":"noteLink","attrs":{"id":"7","title":"Slots"}}"#),
      "content[1].content[0].marks[0].attrs.href: "
        + "a link leads to a note or an address that a page may have, not to “note:7”"
    ),
    Refused(
      line(#"{"type":"noteLink","attrs":{"id":"11000000-0000-4000-8000-000000000022"}}"#),
      "content[1].content[0].type: “noteLink” does not stand in a line of text"
    ),
  ]
}
