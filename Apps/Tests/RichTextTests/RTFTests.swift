import Foundation
import RichText
import Testing

/// RTF as Apple's text system reads and writes it.
struct RTFTests {
  @Test func `a text looks like this`() throws {
    let rtf = String(
      decoding: text(.text("A "), .text("fault", [.bold]), .text(" – “é” 🎈")).rtf,
      as: UTF8.self
    )
    #expect(
      rtf == #"""
        {\rtf1\ansi\ansicpg1252\cocoartf2761
        \cocoatextscaling0\cocoaplatform0{\fonttbl\f0\fswiss\fcharset0 Helvetica;\f1\fswiss\fcharset0 Helvetica-Bold;\f2\fswiss\fcharset0 Helvetica-Oblique;\f3\fswiss\fcharset0 Helvetica-BoldOblique;\f4\fmodern\fcharset0 Menlo-Regular;}
        {\colortbl;\red255\green255\blue255;\red255\green255\blue0;}
        {\*\expandedcolortbl;;\cssrgb\c100000\c100000\c0;}
        \deftab720\uc0
        \pard\pardirnatural\partightenfactor0
        \f0\fs24 \cf0 A \f1\b fault\f0\b0  \u8211  \u8220 \'e9\u8221  \u55356 \u57224 }
        """#
    )
  }

  @Test func `a link to a note and a highlight look like this`() throws {
    let text = text(
      .slots,
      .text(", "),
      .text("high", [.bold, .highlight]),
      .text(".")
    )
    #expect(
      String(decoding: text.rtf, as: UTF8.self).hasSuffix(
        #"""
        \f0\fs24 \cf0 {\field{\*\fldinst{HYPERLINK "slipbox://note/11000000-0000-4000-8000-000000000022"}}{\fldrslt Slots}}, {\cb2\highlight2 \f1\b high}.}
        """#
      )
    )
    #expect(try RichText(rtf: text.rtf) == text)
  }

  @Test func `a colour behind the text is a highlight, and the grey of a page is none`() throws {
    let rtf = #"""
      {\rtf1\ansi\cocoartf2639{\colortbl;\red255\green255\blue255;\red255\green255\blue0;\red245\green246\blue245;\red0\green0\blue0;}
      {\*\expandedcolortbl;;\cssrgb\c100000\c100000\c0;\cssrgb\c96000\c96400\c96000;\csgray\c0;}
      a \cb2 b\cb1  c \cb3 d \cb4 e \cb9 f \cb-1 g {\highlight2 h} i \chshdng0\chcbpat2 j\plain  k}
      """#
    #expect(
      try RichText(rtf: Data(rtf.utf8))
        == text(
          .text("a "),
          .text("b", [.highlight]),
          .text(" c d e f g "),
          .text("h", [.highlight]),
          .text(" i "),
          .text("j", [.highlight]),
          .text(" k")
        )
    )
  }

  @Test func `a list looks like this`() {
    let list = RichText([.orderedList(start: 3, [.saying("Faults"), .saying("Slots")])])
    let rtf = String(decoding: list.rtf, as: UTF8.self)
    #expect(
      rtf.contains(
        #"""
        {\*\listtable{\list\listtemplateid1\listhybrid{\listlevel\levelnfc0\levelnfcn0\leveljc0\leveljcn0\levelfollow0\levelstartat3\levelspace360\levelindent0{\*\levelmarker \{decimal\}.}{\leveltext\leveltemplateid101\'02\'00.;}{\levelnumbers\'01;}\fi-360\li720\lin720 }{\listname ;}\listid1}}
        {\*\listoverridetable{\listoverride\listid1\listoverridecount0\ls1}}
        """#
      )
    )
    #expect(
      rtf.hasSuffix(
        #"""
        \pard\tx220\tx720\li720\fi-720\pardirnatural\partightenfactor0\ls1\ilvl0
        \f0\fs24 \cf0 {\listtext	3.	}Faults\
        {\listtext	4.	}Slots}
        """#
      )
    )
  }

  @Test func `what was written is read again`() throws {
    let text = try RichText(rtf: RichText.everything.rtf)
    var blocks = RichText.everything.blocks
    blocks[7] = .codeBlock(language: nil, "let a = [1, 2]\n\n\tprint(a) // `a`")
    #expect(text == RichText(blocks))
    #expect(try RichText(rtf: RichText().rtf) == RichText())
    #expect(try RichText(rtf: text.rtf) == text)
  }

  @Test func `whatever is written keeps its words and marks`() throws {
    var random = Random(seed: 1)
    for _ in 0..<400 {
      let text = random.richText(forRTF: true)
      #expect(words(of: try RichText(rtf: text.rtf)) == words(of: text), "\(text)")
    }
  }

  @Test func `a file of TextEdit is read`() throws {
    let rtf = #"""
      {\rtf1\ansi\ansicpg1252\cocoartf2639
      \cocoatextscaling0\cocoaplatform0{\fonttbl\f0\fswiss\fcharset0 Helvetica-Bold;\f1\fswiss\fcharset0 Helvetica;\f2\fswiss\fcharset0 Helvetica-Oblique;
      \f3\fnil\fcharset0 Menlo-Regular;\f4\fnil\fcharset134 PingFangSC-Regular;}
      {\colortbl;\red255\green255\blue255;\red0\green0\blue255;}
      {\*\expandedcolortbl;;\cssrgb\c0\c0\c100000;}
      {\*\listtable{\list\listtemplateid1\listhybrid{\listlevel\levelnfc23\levelnfcn23\leveljc0\leveljcn0\levelfollow0\levelstartat1\levelspace360\levelindent0{\*\levelmarker \{disc\}}{\leveltext\leveltemplateid1\'01\uc0\u8226 ;}{\levelnumbers;}\fi-360\li720\lin720 }{\listname ;}\listid1}}
      {\*\listoverridetable{\listoverride\listid1\listoverridecount0\ls1}}
      \paperw11900\paperh16840\margl1440\margr1440\vieww11520\viewh8400\viewkind0
      \pard\tx566\tx1133\pardirnatural\partightenfactor0

      \f0\b\fs48 \cf0 Faults\
      \f1\b0\fs24 A \f2\i fault\f1\i0  is a \ul promise\ulnone  of \strike \strikec0 values\strike0\striked0 , caf\'e9 \'93quoted\'94 \'80.\
      \pard\tx220\tx720\li720\fi-720\pardirnatural\partightenfactor0
      \ls1\ilvl0\cf0 {\listtext	\uc0\u8226 	}one\
      \ls1\ilvl0{\listtext	\uc0\u8226 	}\f3 two\f1 \
      \pard\pardirnatural\partightenfactor0
      {\field{\*\fldinst{HYPERLINK "https://example.org/?a=b"}}{\fldrslt \cf2 \ul \ulc2 the web}} and {\field{\*\fldinst{HYPERLINK "slipbox://note/11000000-0000-4000-8000-000000000022"}}{\fldrslt Slots}}\
      \f4 \'c4\'e3\'ba\'c3\f1 \uc0\u55356 \u57224 \u8232 line}
      """#
    #expect(
      try RichText(rtf: Data(rtf.utf8))
        == RichText([
          .heading(.one, [.text("Faults", [.bold])]),
          .paragraph([
            .text("A "), .text("fault", [.italic]), .text(" is a "), .text("promise", [.underline]),
            .text(" of "), .text("values", [.strike]), .text(", café “quoted” €."),
          ]),
          .bulletList([.saying("one"), Item([.paragraph([.text("two", [.code])])])]),
          .paragraph([
            .text("the web", [.underline, .link("https://example.org/?a=b")]), .text(" and "),
            .slots,
          ]),
          .paragraph([.text("你好🎈"), .hardBreak, .text("line")]),
        ])
    )
  }

  @Test func `a file of another program is read`() throws {
    let rtf = #"""
      {\rtf1\ansi\deff0{\fonttbl{\f0\froman Times New Roman;}{\f1\fmodern Courier New;}}
      {\stylesheet{\s0 Normal;}{\s1 heading 1;}}{\info{\author Nobody}}
      {\header Not this}{\*\unknown nor {this}}\pard\plain\outlinelevel1 Title\par
      \pard\plain A \b bold\b0\~word\emdash\u20320?\u22909\'3f.{\v hidden}\par
      \pard{\pntext\f0 1.\tab}first\par{\pntext\f0 2.\tab}second\par
      \pard\li567 Quoted\par\pard\li1134 twice\par
      \pard{\field{\*\fldinst{HYPERLINK "javascript:alert(1)"}}{\fldrslt harmless}}\par
      {\pict\bin5 }}}}} \f1 code}\f1 x\par}
      """#
    #expect(
      try RichText(rtf: Data(rtf.utf8))
        == RichText([
          .heading(.two, [.text("Title")]),
          .paragraph([
            .text("A "), .text("bold", [.bold]), .text("\u{A0}word—你好."),
          ]),
          .orderedList(start: 1, [.saying("first"), .saying("second")]),
          .blockquote([.paragraph([.text("Quoted")]), .blockquote([.paragraph([.text("twice")])])]),
          .paragraph([.text("harmless")]),
          .paragraph([.text("x", [.code])]),
        ])
    )
  }

  @Test func `raised and lowered words lost their height, so that 10⁶ became 106`() throws {
    let line: [Inline] = [
      .text("10"), .text("6", [.superscript]), .text(" H"), .text("2", [.subscript, .bold]),
      .text("O"),
    ]
    let text = RichText([.paragraph(line)])
    let rtf = String(decoding: text.rtf, as: UTF8.self)
    #expect(rtf.contains(#"10\super 6\nosupersub  H\f1\b\sub 2\f0\b0\nosupersub O"#))
    #expect(try RichText(rtf: text.rtf) == text)
    let others = #"{\rtf1 a{\super b}{\sub c}d\up6 e\up0 f\dn4 g\dn0 h{\super\plain i}}"#
    #expect(
      try RichText(rtf: Data(others.utf8)).markdown
        == "a<sup>b</sup><sub>c</sub>d<sup>e</sup>f<sub>g</sub>hi\n"
    )
    #expect(text.htmlFragment == "<p>10<sup>6</sup> H<strong><sub>2</sub></strong>O</p>\n")
    #expect(try HTMLPage(text.htmlFragment).text == text)
    #expect(text.markdown == "10<sup>6</sup> H<sub>**2**</sub>O\n")
    #expect(RichText(markdown: text.markdown) == text)
    #expect(try RichText(json: text.json) == text)
    #expect(RichText(markdown: "x<sup>2 and 3</sub>").plainText == "x<sup>2 and 3</sub>")
    let styled = "<p>a<span style='vertical-align: super'>b</span><sup><sub>c</sub></sup>"
    #expect(try HTMLPage(styled).text.markdown == "a<sup>b</sup><sub>c</sub>\n")
  }

  @Test func `the footnotes of other programs were left out without a word`() throws {
    let rtf = #"""
      {\rtf1\ansi\pard One{\super\chftn}{\footnote\pard\plain{\super\chftn}  First \i words\i0\par second line}
       two{\footnote \ftnalt {\field{\*\fldinst{HYPERLINK "https://a.example"}}{\fldrslt There}}{\footnote inner}}.\par
      \trowd\pard\intbl In a cell{\footnote third}\cell\row\pard {\v hidden{\footnote too}}End}
      """#
    #expect(
      try RichText(rtf: Data(rtf.utf8))
        == RichText([
          .paragraph([
            .text("One"), .footnoteMark("1"), .text(" two"), .footnoteMark("2"), .text("."),
          ]),
          .table(
            RichText.Table(hasHeader: false, rows: [[[.text("In a cell"), .footnoteMark("3")]]])
          ),
          .paragraph([.text("End")]),
          .footnote(
            label: "1",
            [
              .paragraph([.text("First "), .text("words", [.italic])]),
              .paragraph([.text("second line")]),
            ]
          ),
          .footnote(
            label: "2",
            [.paragraph([.text("There", [.link("https://a.example")])])]
          ),
          .footnote(label: "3", [.paragraph([.text("third")])]),
        ])
    )
    // In the middle of one the file ends.
    #expect(
      try RichText(rtf: Data(#"{\rtf1 a{\footnote b"#.utf8))
        == RichText([
          .paragraph([.text("a"), .footnoteMark("1")]),
          .footnote(label: "1", [.paragraph([.text("b")])]),
        ])
    )
  }

  @Test(arguments: [
    (#"{\rtf1 a{\*\shppict{\pict\pngblip 00}}{\nonshppict{\pict 00}}b}"#, true),
    (#"{\rtf1 a{{\NeXTGraphic a.png \width400}\'ac}b}"#, true),
    (#"{\rtf1\uc0 a{{\NeXTGraphic a.png}\u172 }b}"#, true),
    (#"{\rtf1 a{\shp{\*\shpinst{\sp{\sn pib}{\sv{\pict 00}}}}}{\shprslt{\*\do c}}b}"#, true),
    (#"{\rtf1 a{\object{\*\objdata 00}{\result{\pict 00}}}b}"#, true),
    (#"{\rtf1{\header{\pict 00}}{\*\listpicture{\pict 00}}ab}"#, false),
  ])
  func `pictures were left out without a word`(file: String, hadPictures: Bool) throws {
    let read = try RichText.reading(rtf: Data(file.utf8))
    #expect(read.changes == (hadPictures ? [.leftOutPicture] : []))
    #expect(read.text.plainText == "ab")
  }

  @Test(
    arguments: [
      (#"{\rtf1{\header Draft\par}ab}"#, [.leftOutText]),
      (#"{\rtf1{\footerf\u8211\'96 1}ab}"#, [.leftOutText]),
      (#"{\rtf1 a{\*\annotation{\*\atndate 0}Really?}b}"#, [.leftOutText]),
      (#"{\rtf1 a{\v secret}b}"#, [.leftOutText]),
      (#"{\rtf1 a{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt boxed\par}}}b}"#, [.leftOutText]),
      (#"{\rtf1 a{\object{\*\objdata 00}{\result sum}}b}"#, [.leftOutText]),
      (#"{\rtf1{\info{\author Ada}{\title T}}ab}"#, [.facts]),
      (#"{\rtf1{\colortbl;\red255\green0\blue0;}a\cf1 b\cf0 }"#, [.looks]),
      (
        #"{\rtf1{\colortbl;\red9\green9\blue9;}{\header }{\info{\creatim\yr2020}}{\v  }\cf1 ab}"#,
        []
      ),
    ] as [(String, Set<TextChange>)]
  )
  func `words beside the text and colours were left out without a word`(
    file: String,
    changes: Set<TextChange>
  ) throws {
    let read = try RichText.reading(rtf: Data(file.utf8))
    #expect(read.changes == changes)
    #expect(read.text.plainText == "ab")
  }

  @Test(arguments: ["", "Hello", "{\\", "PK\u{3}\u{4}", "<html>", "{rtf1}"])
  func `what is no RTF is refused`(file: String) {
    let error = #expect(throws: RichTextError.self) { try RichText(rtf: Data(file.utf8)) }
    #expect(error?.description == "this is no RTF: it does not begin with “{\\rtf”")
  }

  @Test(arguments: [
    (#"{\rtf1"#, ""), (#"{\rtf1 a"#, "a"), (#"{\rtf1 a}b"#, "a"), (#"{\rtf1 a\"#, "a"),
    (#"{\rtf1 a\'"#, "a"), (#"{\rtf1 a\'4"#, "a"), (#"{\rtf1\u-10179 ?\u-8713 ?}"#, "🗷"),
    (#"{\rtf1\u55357 ?a}"#, "\u{FFFD}a"), (#"{\rtf1\uc99 \u65 abc}d"#, "A"),
    (#"{\rtf1\u99999999999999999999 ?b}"#, "b"), (#"{\rtf1\bin99999999999999999999999 a}"#, ""),
    (#"{\rtf1\fs-9999999999999\li-99999999999\f99999999999\ls7\ilvl99999999 a}"#, "a"),
    (#"{\rtf1{\fonttbl{\f0 A;}}{\*\fldinst}{\field{\fldrslt b}}}"#, "b"),
    (#"{\rtf1 a{\*}b}"#, "ab"), (#"{\rtf1 a}}}}"#, "a"),
  ])
  func `a damaged file is read as far as it goes`(file: String, words: String) throws {
    let read = try RichText(rtf: Data(file.utf8)).plainText
    #expect(read == words)
  }

  @Test func `whatever the bytes are, the program goes on`() throws {
    var random = Random(seed: 2)
    let valid = Array(RichText.everything.rtf)
    for _ in 0..<500 {
      _ = try RichText(rtf: Data(Array("{\\rtf1".utf8) + random.damaged(valid).dropFirst(6)))
    }
    for count in 0..<300 {
      _ = try RichText(rtf: Data(Array("{\\rtf1 ".utf8) + random.bytes(count)))
    }
  }

  @Test(arguments: [RichText.EmbeddedPicture.Kind.jpeg, .png, .webp])
  func `a picture is below the text, and reading passes over it`(
    kind: RichText.EmbeddedPicture.Kind
  ) throws {
    let picture = RichText.EmbeddedPicture(
      data: Data([0x00, 0x7f, 0xff]),
      kind: kind,
      name: "}\\b a.png",
      size: (1200, 600)
    )
    let text = RichText([.saying("A promise.")])
    let file = text.rtf(picture: picture)
    let words = String(decoding: file, as: UTF8.self)
    let measures = "\\picw1200\\pich600\\picwgoal9000\\pichgoal4500\n007fff}"
    #expect(words.contains("{\\pict\\\(kind)blip\(measures)") == (kind != .webp))
    #expect(!words.contains("a.png"))
    #expect(try RichText(rtf: file) == text)
  }

  @Test func `a footnote that begins with spaces in many looks was read for hours`() throws {
    let spaces = String(repeating: "\\b  \\b0  ", count: 120_000)
    let time = try ContinuousClock().measure {
      let read = try RichText(rtf: Data("{\\rtf1 a{\\footnote \(spaces)b}}".utf8))
      #expect(read.blocks.last == .footnote(label: "1", [.paragraph([.text("b")])]))
    }
    #expect(time < .seconds(60))
  }

  @Test(arguments: [
    "{", "}", "{\\b ", "\\par ", "{\\*\\a",
    "{\\field{\\*\\fldinst{HYPERLINK \"https://a\"}}{\\fldrslt a",
    "{\\listtext", "\\ls1\\ilvl9{\\listtext 1.}a\\par", "\\u55357 ", "\\li9999999 a\\par ", "\\'80",
    "{\\fonttbl\\f9 ", "\\", "\\b a\\b0 b", "{\\footnote a}", "{\\footnote a",
  ])
  func `a file that is meant to be slow is read in time`(piece: String) throws {
    let file = "{\\rtf1 " + String(repeating: piece, count: 1_000_000 / piece.utf8.count)
    let time = ContinuousClock().measure {
      // Too much text is refused, and that is an answer too.
      _ = try? RichText(rtf: Data(file.utf8))
    }
    #expect(time < .seconds(60))
  }
}

/// The lines of a text, with their marks, in any block.
func words(of text: RichText) -> [[Inline]] {
  text.blocks.flatMap(words)
}

private func words(of block: Block) -> [[Inline]] {
  switch block {
  case .paragraph(let line), .heading(_, let line): [line]
  case .codeBlock(_, let text):
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? [] : [.text(String($0), [.code])] }
  case .horizontalRule: []
  case .table(let table): table.rows.flatMap(\.self)
  case .picture(let picture): [[.text(picture.caption)]]
  case .file(let file): [[.text(file.name)]]
  case .blockquote(let blocks), .footnote(_, let blocks): blocks.flatMap(words)
  case .callout(let callout): [callout.title] + callout.blocks.flatMap(words)
  case .bulletList(let items), .orderedList(_, let items):
    items.flatMap { $0.blocks.flatMap(words) }
  case .taskList(let items): items.flatMap { $0.blocks.flatMap(words) }
  }
}
