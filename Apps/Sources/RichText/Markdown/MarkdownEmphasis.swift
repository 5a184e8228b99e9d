/// Finds which delimiters belong together, in one pass.
///
/// ```
/// **a *b***          ** opens, * opens, *** closes both
/// ```
///
/// A delimiter looks for its partner among those that are open, the nearest first. The next of its
/// kind need not look through the same part again; so the time grows only with the number of
/// delimiters.
struct MarkdownEmphasis {
  private var delimiters: [Delimiter] = []

  /// Styles, and the pieces that have them.
  private var styled: [(style: RichText.Styles, range: Range<Int>)] = []

  /// How many signs are left of a piece, where some have found a partner.
  private(set) var left: [Int: Int] = [:]

  fileprivate struct Delimiter {
    let sign: Unicode.Scalar
    let piece: Int
    let canOpen: Bool
    let canClose: Bool
    let count: Int
    var left: Int
  }

  /// How many delimiters wait for a partner.
  var count: Int { delimiters.count }

  mutating func add(_ sign: Unicode.Scalar, count: Int, piece: Int, _ flanking: Flanking) {
    delimiters.append(
      Delimiter(
        sign: sign,
        piece: piece,
        canOpen: flanking.canOpen,
        canClose: flanking.canClose,
        count: count,
        left: count
      )
    )
  }

  /// Matches the delimiters from this one on, and forgets them.
  mutating func match(from first: Int) {
    guard first < delimiters.count else { return }
    let waiting = delimiters[first...]
    if first == 0 { delimiters = [] } else { delimiters.removeSubrange(first...) }
    var open: [Delimiter] = []
    var bottoms: [Int: Int] = [:]
    for delimiter in waiting {
      var closer = delimiter
      while closer.canClose && closer.left > 0 {
        let kind = Self.kind(of: closer)
        let bottom = bottoms[kind] ?? 0
        guard let partner = open[min(bottom, open.count)...].lastIndex(where: { closer.closes($0) })
        else {
          bottoms[kind] = open.count
          break
        }
        open.removeSubrange((partner + 1)...)
        pair(&open[partner], &closer)
        if open[partner].left == 0 { open.removeLast() }
        for (kind, bottom) in bottoms where bottom > open.count { bottoms[kind] = open.count }
      }
      if closer.canOpen && closer.left > 0 { open.append(closer) }
    }
  }

  /// Closers of one kind are interested in the same openers.
  private static func kind(of closer: Delimiter) -> Int {
    Int(closer.sign.value) * 8 + (closer.canOpen ? 4 : 0) + closer.count % 3
  }

  private mutating func pair(_ opener: inout Delimiter, _ closer: inout Delimiter) {
    let used = opener.left >= 2 && closer.left >= 2 ? 2 : 1
    opener.left -= used
    closer.left -= used
    left[opener.piece] = opener.left
    left[closer.piece] = closer.left
    let style: RichText.Styles =
      switch closer.sign {
      case "~": used == 2 ? .strike : .underline
      case "=", ":": .highlight
      default: used == 2 ? .bold : .italic
      }
    add(style, to: (opener.piece + 1)..<closer.piece)
  }

  /// Gives some pieces a style that was found in another way.
  mutating func add(_ style: RichText.Styles, to pieces: Range<Int>) {
    styled.append((style, pieces))
  }
}

extension MarkdownEmphasis.Delimiter {
  /// Whether this can end what the other began.
  ///
  /// Signs that could do both are not taken apart if their counts add up to a multiple of three, so
  /// that `*a**b*` is one emphasis with two stars in it.
  fileprivate func closes(_ opener: MarkdownEmphasis.Delimiter) -> Bool {
    guard opener.sign == sign else { return false }
    guard opener.canClose || canOpen, (opener.count + count) % 3 == 0 else { return true }
    return opener.count % 3 == 0 && count % 3 == 0
  }
}

extension MarkdownEmphasis {
  /// The styles of the pieces, one after the other.
  struct Running {
    private var changes: [Int: [(style: Int, by: Int)]] = [:]
    private var counts = Array(repeating: 0, count: Self.styles.count)
    private var piece = 0

    private static let styles: [RichText.Styles] = [
      .bold, .italic, .strike, .highlight, .underline, .superscript, .subscript,
    ]

    init(_ emphasis: MarkdownEmphasis, count: Int) {
      for (style, range) in emphasis.styled {
        guard let style = Self.styles.firstIndex(of: style) else { continue }
        changes[range.lowerBound, default: []].append((style, 1))
        changes[range.upperBound, default: []].append((style, -1))
      }
    }

    mutating func next() -> RichText.Styles {
      for change in changes[piece] ?? [] { counts[change.style] += change.by }
      piece += 1
      return zip(Self.styles, counts).reduce(into: []) { styles, style in
        if style.1 > 0 { styles.insert(style.0) }
      }
    }
  }
}
