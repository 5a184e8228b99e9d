extension RichText {
  /// One text of several: the first, and below it each other under a heading with its title.
  ///
  /// ```
  /// Slots   Places of values.        Places of values.
  /// Faults  Promises.           →    ## Faults
  ///                                  Promises.
  /// ```
  ///
  /// The headings are of the second level, or of the first if a text has headings of the second. Footnotes whose labels
  /// are taken get others.
  public static func gathered(
    _ first: RichText,
    _ others: [(title: String, text: RichText)]
  ) -> RichText {
    let highest = others.flatMap(\.text.blocks).compactMap(\.headingLevel).min() ?? 6
    let level: HeadingLevel = highest > 2 ? .two : .one
    var blocks = first == RichText() ? [] : first.blocks
    var labels = Set(blocks.flatMap(\.footnoteLabels))
    for (title, text) in others {
      if !title.isEmpty { blocks.append(.heading(level, [.text(title)])) }
      let renamed = text.renamingFootnotes(apartFrom: labels)
      blocks += renamed.blocks
      labels.formUnion(renamed.blocks.flatMap(\.footnoteLabels))
    }
    return RichText(blocks)
  }

  /// The text whose footnotes have labels that are not taken.
  private func renamingFootnotes(apartFrom taken: Set<String>) -> RichText {
    let labels = Set(blocks.flatMap(\.footnoteLabels))
    var (names, used, number) = ([String: String](), taken.union(labels), 1)
    for label in labels.intersection(taken).sorted() {
      while used.contains(String(number)) { number += 1 }
      names[label] = String(number)
      used.insert(String(number))
    }
    if names.isEmpty { return self }
    let renamed = mapLines { line in
      line.map { piece in
        guard case .footnoteMark(let label) = piece else { return piece }
        return .footnoteMark(names[label] ?? label)
      }
    }
    return RichText(
      renamed.blocks.map { block in
        guard case .footnote(let label, let inside) = block else { return block }
        return .footnote(label: names[label] ?? label, inside)
      }
    )
  }

  /// The text whose links lead elsewhere where `change` gives another; `nil` if it never does, or if the text would
  /// become too large to be read again.
  public func relinking(_ change: (Link) -> Link?) -> RichText? {
    var isNew = false
    let text = mapLines { line in
      line.map { piece in
        guard case .text(let words, var marks) = piece, let link = marks.link,
          let other = change(link), other != link
        else { return piece }
        isNew = true
        marks.link = other
        return .text(words, marks)
      }
    }
    guard isNew else { return nil }
    do {
      try text.checkLimits()
      return text
    } catch {
      return nil
    }
  }
}

extension RichText.Block {
  fileprivate var headingLevel: Int? {
    if case .heading(let level, _) = self { level.rawValue } else { nil }
  }

  /// The labels of the marks in a block, and its own if it is a footnote.
  fileprivate var footnoteLabels: [String] { footnoteMarks + (footnoteLabel.map { [$0] } ?? []) }
}
