// Formulas of MathML, as they are in our own pages and in those of many others.

extension HTMLBuilder {
  /// Reads a formula from the source in TeX that it has beside its MathML; without one, only its letters stay.
  mutating func readFormula(_ tag: HTMLTag, _ children: [HTMLTree.Node], _ marks: RichText.Marks) {
    guard let source = Self.source(in: children) else {
      changes.insert(.formula)
      return read(children, marks)
    }
    let isDisplay = tag.attributes["display"] == "block"
    if isDisplay, line.isEmpty, !source.contains("$$") {
      return add(.codeBlock(language: MarkdownFormula.language, source))
    }
    let words = source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let signs = isDisplay ? "$$" : "$"
    guard !words.isEmpty, !words.contains("$") else {
      changes.insert(.formula)
      return read(children, marks)
    }
    add(signs + words + signs, marks)
  }

  /// The source in TeX, without blanks around it.
  private static func source(in nodes: [HTMLTree.Node]) -> String? {
    for case .element(let tag, let children) in nodes {
      if tag.name == "annotation", tag.attributes["encoding"] == "application/x-tex" {
        let source = children.map { node in
          guard case .text(let text) = node else { return "" }
          return text
        }.joined()
        return Text.trimmed(source[...])
      }
      if let source = source(in: children) { return source }
    }
    return nil
  }
}
