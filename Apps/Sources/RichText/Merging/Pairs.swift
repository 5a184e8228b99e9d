/// The words of an element, by which others are compared with it.
struct Likeness {
  /// Elements of different kinds are never alike.
  let kind: Int
  let words: Set<Substring>

  /// Between 0 and 1; 1 for elements without words.
  func compared(with other: Likeness) -> Double {
    if kind != other.kind { return 0 }
    let fewer = min(words.count, other.words.count)
    if fewer == 0 { return words.count == other.words.count ? 1 : 0.5 }
    return Double(words.intersection(other.words).count) / Double(fewer)
  }
}

extension [RichText.Block] {
  var likeness: Likeness {
    Likeness(
      kind: 0,
      words: Set(RichText(self).plainText.split { !$0.isLetter && !$0.isNumber })
    )
  }
}

extension RichText.Block {
  var likeness: Likeness { Likeness(kind: kind, words: [self].likeness.words) }

  /// Lines are of one kind: a paragraph may become a heading.
  private var kind: Int {
    switch self {
    case .paragraph, .heading: 0
    case .bulletList: 1
    case .orderedList: 2
    case .taskList: 3
    case .blockquote: 4
    case .codeBlock: 5
    case .horizontalRule: 6
    case .table: 7
    case .picture: 8
    case .file: 9
    case .callout: 10
    case .footnote: 11
    }
  }
}

/// The elements of a side, each beside the element of the base that it comes from.
struct Pairs<Element: Hashable> {
  /// For each element of the base, the one of the side; `nil` if that has deleted it.
  private(set) var pairs: [Element?]
  /// The new elements before each element of the base, and behind all.
  private(set) var new: [[Element]]

  init(_ base: [Element], _ side: [Element], likeness: (Element) -> Likeness) {
    pairs = Array(repeating: nil, count: base.count)
    new = Array(repeating: [], count: base.count + 1)
    var place = 0
    for change in Alignment.replacements(from: base, to: side) {
      keep(base, place..<change.range.lowerBound)
      pair(base, change, likeness)
      place = change.range.upperBound
    }
    keep(base, place..<base.count)
  }

  private mutating func keep(_ base: [Element], _ range: Range<Int>) {
    for index in range { pairs[index] = base[index] }
  }

  /// Pairs the elements that are most alike, in their order.
  private mutating func pair(
    _ base: [Element],
    _ change: Replacement<Element>,
    _ likeness: (Element) -> Likeness
  ) {
    let (old, side) = (Array(base[change.range]), Array(change.elements))
    var next = 0
    for (index, found) in Self.alike(old, side, likeness) {
      new[change.range.lowerBound + index] += side[next..<found]
      pairs[change.range.lowerBound + index] = side[found]
      next = found + 1
    }
    new[change.range.upperBound] += side[next...]
  }

  /// How many pairs are compared.
  private static var patience: Int { 10_000 }

  private static func alike(
    _ old: [Element],
    _ side: [Element],
    _ likeness: (Element) -> Likeness
  ) -> [(Int, Int)] {
    guard old.count * side.count <= patience else {
      return old.count == side.count ? old.indices.map { ($0, $0) } : []
    }
    let (one, other) = (old.map(likeness), side.map(likeness))
    let width = side.count + 1
    var best = [Double](repeating: 0, count: (old.count + 1) * width)
    func score(_ i: Int, _ j: Int) -> Double {
      let score = one[i].compared(with: other[j])
      return score >= 0.3 ? score : 0
    }
    for i in old.indices.reversed() {
      for j in side.indices.reversed() {
        let pair = score(i, j)
        best[i * width + j] = max(
          pair > 0 ? pair + best[(i + 1) * width + j + 1] : 0,
          best[(i + 1) * width + j],
          best[i * width + j + 1]
        )
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < old.count, j < side.count {
      let pair = score(i, j)
      if pair > 0, best[i * width + j] == pair + best[(i + 1) * width + j + 1] {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if best[i * width + j] == best[(i + 1) * width + j] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
