import CoreDataModel
import CoreDataModelWriting
import Foundation
import Testing

/// Tests of the one reader of XML: well-formed texts, others, and hostile ones.
struct XMLScannerTests {
  private func tokens(_ text: String, depth: Int = 100) throws(XMLSyntaxError) -> [XMLScanner.Token]
  {
    try tokens(Data(text.utf8), depth: depth)
  }

  private func tokens(_ data: Data, depth: Int = 100) throws(XMLSyntaxError) -> [XMLScanner.Token] {
    var scanner = try XMLScanner(data, greatestDepth: depth)
    var tokens: [XMLScanner.Token] = []
    while let token = try scanner.next() { tokens.append(token) }
    return tokens
  }

  @Test func `an element is its tags and its text`() throws {
    #expect(
      try tokens("<?xml version='1.0'?><!DOCTYPE a SYSTEM \"a>b.dtd\"><a b=\"1\" c='2'>x<d/></a>\n")
        == [
          .open("a", ["b": "1", "c": "2"]), .text("x"), .open("d", [:]), .close("d"), .close("a"),
        ]
    )
  }

  @Test(arguments: [
    ("a &amp; b &lt;&gt;&quot;&apos;", "a & b <>\"'"), ("&#65;&#x42;&#13;&#x1F600;", "AB\r😀"),
    ("one\r\ntwo\rthree", "one\ntwo\nthree"), ("<![CDATA[a < b & c]]>", "a < b & c"),
    ("ä, 漢, 😀", "ä, 漢, 😀"),
  ])
  func `text says what XML means by it`(text: String, meaning: String) throws {
    #expect(try tokens("<a>\(text)</a>")[1] == .text(meaning))
  }

  @Test func `tabs and line ends in an attribute are spaces unless they are spelled`() throws {
    let attributes = ["b": "one two three\nfour\t"]
    #expect(try tokens("<a b='one\ttwo\r\nthree&#10;four&#9;'/>")[0] == .open("a", attributes))
  }

  @Test(arguments: [
    ("", 1, "the file is empty"), (" \n ", 2, "the text holds no element"),
    ("<a>\n<b>\n</a>", 3, "a closing tag does not match: </a> closes nothing where </b> is due"),
    ("<a>\n", 2, "the text ends before </a>"), ("<a></a></a>", 1, "</a> closes nothing"),
    ("<a></a>\n<b/>", 2, "an element follows after the root element"),
    ("<a></a>x", 1, "there is text outside of the root element"),
    ("<a b=\"1\"\nb=\"2\"/>", 2, "the attribute b stands twice"),
    ("<a b=\"1\"c=\"2\"/>", 1, "a space is missing"), ("<a b/>", 1, "the attribute b has no value"),
    ("<a b=1/>", 1, "an attribute's value is not quoted"),
    ("<a b=\"1/>", 1, "an attribute's quotation mark is missing"),
    ("<a b=\"<\"/>", 1, "an attribute contains \"<\""), ("<1/>", 1, "a name is missing"),
    ("<a>&amp</a>", 1, "an entity such as &amp; is not finished"),
    ("<a>\n&nbsp;</a>", 2, "the entity &nbsp; is unknown"),
    ("<a>&#0;</a>", 1, "the entity &#0; is unknown"),
    ("<a>&#+65;</a>", 1, "the entity &#+65; is unknown"),
    ("<a>&#xD800;</a>", 1, "the entity &#xD800; is unknown"),
    ("<a>\n\u{1}</a>", 2, "there is a control character, 1"),
    ("<a><!-- b -- c --></a>", 1, "\">\" is missing"), ("<a><!-- ", 1, "the text ends too early"),
    ("<a><![CDATA[", 1, "the text ends too early"), ("<a", 1, "the text ends within <a>"),
    ("<", 1, "a name is missing"),
    ("<a/><?xml version=\"1.0\"?>", 1, "<?xml stands elsewhere than at the beginning"),
    (
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>", 1,
      "the text says that it is in ISO-8859-1, and only UTF-8 is read"
    ),
  ])
  func `a text that is not well-formed is refused with its line`(
    text: String,
    line: Int,
    message: String
  ) {
    #expect(throws: XMLSyntaxError(line: line, message: message)) { try tokens(text) }
  }

  @Test(arguments: [
    "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
    "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
    "<!DOCTYPE a [<!ENTITY b \"1\"><!ENTITY c \"&b;&b;&b;&b;\">]><a>&c;</a>",
  ])
  func `entities of a text's own are refused and read nothing`(text: String) {
    let refusal = XMLSyntaxError(
      line: 1,
      message: "it declares entities or elements of its own, which is refused"
    )
    #expect(throws: refusal) { try tokens(text) }
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0x80],
    ] as [[UInt8]]
  )
  func `invalid UTF-8 is an error with its line, wherever it stands`(bytes: [UInt8]) {
    for (before, after) in [
      ("<a>\n", "</a>"), ("<a b=\n\"", "\"/>"), ("<a>\n<", "/></a>"), ("\n", ""),
    ] {
      let data = Data(before.utf8) + Data(bytes) + Data(after.utf8)
      #expect(throws: XMLSyntaxError(line: 2, message: "the text is not in UTF-8")) {
        try tokens(data)
      }
    }
  }

  @Test func `text in UTF-16 is refused in words`() throws {
    let text = try #require("<a/>".data(using: .utf16))
    #expect(throws: XMLSyntaxError(line: 1, message: "it is not text in UTF-8")) {
      try tokens(text)
    }
  }

  @Test func `elements are nested as deep as allowed and no deeper`() throws {
    let text = String(repeating: "<a>", count: 8) + String(repeating: "</a>", count: 8)
    #expect(try tokens(text, depth: 8).count == 16)
    #expect(throws: XMLSyntaxError(line: 1, message: "the elements are nested too deeply")) {
      try tokens(text, depth: 7)
    }
  }

  @Test func `an element with endless attributes is refused`() {
    let attributes = (0...1000).map { " a\($0)=''" }.joined()
    #expect(throws: XMLSyntaxError(line: 1, message: "the element has too many attributes")) {
      try tokens("<a\(attributes)/>")
    }
  }

  @Test func `a file of a million elements is refused before it fills the memory`() {
    let text = "<a>" + String(repeating: "<a/>", count: 1_000_000) + "</a>"
    #expect(throws: XMLSyntaxError(line: 1, message: "there are too many elements")) {
      try XMLElementTree.root(of: Data(text.utf8))
    }
  }

  @Test func `a model's source with any byte changed is a model or a problem`() {
    let data = SchemaWriter(.everything).data
    for place in stride(from: 0, to: data.count, by: 3) {
      for byte: UInt8 in [0x00, 0x3C, 0x26, 0x80, 0xC3, 0xFF] {
        var changed = data
        changed[place] = byte
        var reader = SchemaReader()
        let schema = reader.schema(from: changed)
        // A byte that cannot be text by itself is never read.
        if byte == 0xFF || byte == 0 { #expect(!reader.problems.isEmpty) }
        if reader.problems.isEmpty { _ = schema.entityVersionHashes }
      }
    }
  }
}
