import Foundation
import Testing

@testable import RichText

/// Formulas in texts: where they are, how they are read and written.
struct FormulaTests {
  // MARK: - In a text

  @Test(arguments: [
    ("so $x$ is", ["x"]), ("$5 and $6", []), ("$ x$ and $x $", []), ("$a$1", []),
    ("$$a$$ and $b$", ["a", "b"]),
    ("$$$a$$$", []), (#"$a\$b$"#, [#"a\$b"#]), ("$[[a]]$", []), ("[[$a$]] $b$", ["b"]), ("$a", []),
    ("$\u{2060}a$", []),
    ("$$\u{2060}a$$", []),
    ("$a\nb$", []), ("$\(String(repeating: "a", count: 3_000))$", []),
  ])
  func `formulas are found as in Obsidian`(text: String, formulas: [String]) {
    let found = MarkdownFormula.parts(of: text).compactMap { part -> String? in
      guard case .formula(let tex, _) = part else { return nil }
      return tex
    }
    #expect(found == formulas)
  }

  @Test(arguments: [#"It is \$x\$ here"#, #"\$5 and 6\$"#, #"\$\$a\$\$ b"#, #"$a$ and \$b\$"#])
  func `a sign with a backslash begins no formula`(markdown: String) throws {
    let text = RichText(markdown: markdown)
    let formulas = text.htmlFragment.components(separatedBy: "<math").count - 1
    #expect(formulas == (markdown.hasPrefix("$a$") ? 1 : 0))
    #expect(RichText(markdown: text.markdown) == text)
    #expect(try HTMLPage(text.htmlFragment).text.plainText.contains("$"))
    // Other programs see no formula either: one sign alone begins none.
    let visible = text.markdown.replacing(#"\$"#, with: "")
    #expect(visible.count { $0 == "$" } <= formulas * 2 + 1)
  }

  @Test func `a price keeps no sign that nobody sees`() {
    #expect(RichText(markdown: #"\$5 or \$6"#).plainText == "$5 or $6")
  }

  @Test func `words that are no formula any more are written without a backslash too many`() {
    let text = RichText([.paragraph([.text("$\u{2060}5")])])
    #expect(text.markdown == "\\$5\n")
  }

  // MARK: - As MathML

  @Test(arguments: [
    ("x^2", "<msup><mi>x</mi><mn>2</mn></msup>"),
    (
      "a_{ij}'",
      "<msubsup><mi>a</mi><mrow><mi>i</mi><mi>j</mi></mrow><mrow><mo>′</mo></mrow></msubsup>"
    ),
    (#"\frac{1}{2}"#, "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"),
    (#"\sqrt[3]{x}"#, "<mroot><mrow><mi>x</mi></mrow><mrow><mn>3</mn></mrow></mroot>"),
    ("3.14-n", "<mn>3.14</mn><mo>−</mo><mi>n</mi>"),
    (
      #"\sum_{n=1}^\infty"#,
      "<munderover><mo movablelimits=\"true\">∑</mo><mrow><mi>n</mi><mo>=</mo><mn>1</mn></mrow>"
        + "<mi mathvariant=\"normal\">∞</mi></munderover>"
    ),
    (#"\mathbb{R}"#, "<mrow><mi>ℝ</mi></mrow>"), (#"\mathbf x"#, "<mi>𝐱</mi>"),
    (#"\text{if }a<b"#, "<mtext>if\u{A0}</mtext><mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
    (#"\hat x"#, "<mover accent=\"true\"><mi>x</mi><mo stretchy=\"false\">^</mo></mover>"),
    (
      #"\left(\frac12\right]"#,
      "<mrow><mo fence=\"true\" stretchy=\"true\">(</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mo fence=\"true\" stretchy=\"true\">]</mo></mrow>"
    ),
    (
      #"\begin{pmatrix}a & b \\ c & d\end{pmatrix}"#,
      "<mrow><mo fence=\"true\" stretchy=\"true\">(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr>"
        + "<mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mo fence=\"true\" stretchy=\"true\">)</mo></mrow>"
    ),
  ])
  func `a formula is written as MathML`(tex: String, elements: String) {
    let math = MathML.math(tex, isDisplay: false)
    #expect(math.hasPrefix("<math><semantics><mrow>\(elements)</mrow><annotation"), "\(math)")
  }

  @Test(arguments: [
    #"\unknown"#, #"\frac{1}{"#, "a}b", #"\left( a"#, "x^1^2", #"\begin{matrix} a"#,
    #"\href{javascript:a}{b}"#,
    #"\textcolor{red\"onclick}{x}"#, #"\begin{a}b\end{a}"#, "a & b } c", #"\"#,
  ])
  func `a formula with something unknown is shown by its source`(tex: String) {
    let math = MathML.math(tex, isDisplay: true)
    #expect(
      math.hasPrefix(
        "<math display=\"block\"><semantics><mrow><mtext>\(HTML.escaped(tex))</mtext>"
      ),
      "\(math)"
    )
  }

  @Test func `cases are at one margin, and aligned rows meet at their signs`() {
    let sides = { (tex: String) in
      MathML.math(tex, isDisplay: true).split(separator: "text-align: ").dropFirst().map {
        String($0.prefix { $0.isLetter })
      }
    }
    #expect(
      sides(#"\begin{cases} 0 & a \\ 1 & b \end{cases}"#) == ["left", "left", "left", "left"]
    )
    #expect(
      sides(#"\begin{aligned} a &= b \\ c &= d \end{aligned}"#) == [
        "right", "left", "right", "left",
      ]
    )
  }

  @Test func `a hostile formula is words`() {
    for tex in [
      "</math><script>alert(1)</script>", #"\text{<img src=x onerror=alert(1)>}"#, "<b>", "\"'&",
    ] {
      let page = RichText([.codeBlock(language: "math", tex), .paragraph([.text("$\(tex)$")])])
        .html(title: "T")
      for tag in ["<script", "<img", "<b>"] { #expect(!page.contains(tag)) }
    }
  }

  @Test func `a formula as deep as memory took the program with it`() {
    let deep = String(repeating: "{", count: 4_000) + String(repeating: "}", count: 4_000)
    #expect(MathML.math(deep, isDisplay: false).contains("<mtext>"))
    let long = String(repeating: "x^2+", count: 100_000)
    #expect(MathML.math(long, isDisplay: false).contains("<mtext>"))
    let scripts = String(repeating: "^", count: 9_000)
    #expect(MathML.math(scripts, isDisplay: false).contains("<mtext>"))
    let roots = String(repeating: #"\sqrt"#, count: 2_000)
    #expect(MathML.math(roots, isDisplay: false).contains("<mtext>"))
  }

  @Test func `whatever a formula is, it becomes MathML or words`() {
    var random = Random(seed: 68)
    let pieces = [
      "\\frac", "{", "}", "^", "_", "x", "2", "\\left(", "\\right)", "\\begin{matrix}",
      "\\end{matrix}", "&", "\\\\", "\\sqrt",
      "[", "]", "\\text{a}", "\\sum", "'", " ", "\\mathbb", "\\hat", "\\not", "\\big(", "%",
      "\\limits", "\\substack", "\\",
    ]
    for _ in 0..<3_000 {
      let tex = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      let math = MathML.math(tex, isDisplay: false)
      let tags = math.split(separator: "<").map { $0.prefix { $0 != ">" && $0 != " " } }
      let opened = tags.count { !$0.hasPrefix("/") }
      #expect(opened == tags.count - opened, "\(tex)")
    }
  }

  // MARK: - Out and in again

  @Test func `our own pages bring formulas back`() throws {
    let text = RichText([
      .paragraph([.text(#"So $e^{i\pi}$ is, and $\odd$ & $a<b$."#)]),
      .codeBlock(language: "math", "a &= b \\\\\nc &= d"),
      .paragraph([.text("In $$x$$ here")]),
    ])
    let page = try HTMLPage(text.html(title: "T"))
    #expect(page.changes == [])
    #expect(page.text.blocks.suffix(3) == text.blocks[...])
  }

  @Test func `a page of KaTeX said each formula twice`() throws {
    let katex = """
      <p>So <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow>\
      <annotation encoding="application/x-tex">x</annotation></semantics></math></span>\
      <span class="katex-html" aria-hidden="true">x</span></span> is.</p>
      """
    #expect(try HTMLPage(katex).text.plainText == "So $x$ is.")
  }

  @Test func `headings of all six levels go out and come in`() throws {
    let text = RichText(
      RichText.HeadingLevel.allCases.map { .heading($0, [.text("Level \($0.rawValue)")]) }
    )
    #expect(RichText(markdown: text.markdown) == text)
    #expect(try RichText(json: text.json) == text)
    #expect(try RichText(rtf: text.rtf) == text)
    #expect(try HTMLPage(text.htmlFragment).text == text)
  }
}
