/// The words of lines with the changes of two sides.
///
/// ```
/// base    Sow them in March.
/// one     Sow them in April.            March ▶ April
/// other   Sow them all in May.          ▶ all, March ▶ May
///         ──────────────────
/// kept    Sow them all in April.
/// lost    Sow them all in May.
/// ```
///
/// Nothing is lost where only one side has changed a word, or where both have put words at the same place: these follow
/// each other, and those that both have put there are there once. Who changes a word wins over who deletes it. Only
/// where both have replaced the same words by different ones, the words of the first side are kept.
struct WordMerging {
  /// The words with the changes of both sides.
  private(set) var kept: [Word] = []
  /// The same, with the words of the other side where both have changed the same ones.
  private(set) var lost: [Word] = []
  /// Whether both have changed the same words.
  private(set) var isConflict = false

  init(_ base: [Word], _ one: [Word], _ other: [Word]) {
    var ones = Alignment.replacements(from: base, to: one)[...]
    var others = Alignment.replacements(from: base, to: other)[...]
    // How much further a place of the base is on each side.
    var (shift, otherShift) = (0, 0)
    var place = 0
    func take(to end: Int) {
      for index in place..<end {
        let word = Self.word(base[index], one[index + shift], other[index + otherShift])
        kept.append(word)
        lost.append(word)
      }
    }
    while let meeting = Meeting(&ones, &others, byTouch: true) {
      let range = meeting.range
      take(to: range.lowerBound)
      let (start, otherStart) = (range.lowerBound + shift, range.lowerBound + otherShift)
      shift += meeting.one.growth
      otherShift += meeting.other.growth
      add(
        meeting,
        Array(base[range]),
        Array(one[start..<range.upperBound + shift]),
        Array(other[otherStart..<range.upperBound + otherShift])
      )
      place = range.upperBound
    }
    take(to: base.count)
  }

  /// A word that both sides have, with the blanks of the side that has changed them.
  private static func word(_ base: Word, _ one: Word, _ other: Word) -> Word {
    one.blanks != base.blanks ? one : other
  }

  private mutating func add(
    _ meeting: Meeting<Word>,
    _ base: [Word],
    _ one: [Word],
    _ other: [Word]
  ) {
    if let both = Self.both(meeting, base, one, other) {
      kept += both
      lost += both
    } else {
      kept += one
      lost += other
      isConflict = true
    }
  }

  /// The words with both changes; `nil` if both have replaced the same words.
  private static func both(
    _ meeting: Meeting<Word>,
    _ base: [Word],
    _ one: [Word],
    _ other: [Word]
  ) -> [Word]? {
    if one == other || other == base { return one }
    if one == base { return other }
    if base.isEmpty { return union(one, other) }
    if let words = sideBySide(meeting) { return words }
    // The side with less has deleted, or has not written as much yet.
    if one.isPart(of: other) { return other }
    if other.isPart(of: one) { return one }
    return sameBeginnings(base, one, other)
  }

  /// The words where the sides have changed neighbours, and none of the same words; `nil` otherwise.
  private static func sideBySide(_ meeting: Meeting<Word>) -> [Word]? {
    let pieces = (meeting.one.map { ($0, true) } + meeting.other.map { ($0, false) })
      .sorted {
        ($0.0.range.lowerBound, $0.0.range.upperBound, $0.1 ? 0 : 1)
          < ($1.0.range.lowerBound, $1.0.range.upperBound, $1.1 ? 0 : 1)
      }
    var words: [Word] = []
    var start = 0
    var last: (Replacement<Word>, Bool)?
    for (piece, side) in pieces {
      if let last, piece.range.lowerBound < last.0.range.upperBound { return nil }
      if let last, last.1 != side, last.0.range.isEmpty || piece.range.isEmpty {
        // The words that one has put in may be among those that the other has put there, too.
        words[start...] = union(Array(words[start...]), Array(piece.elements))[...]
      } else {
        start = words.count
        words += piece.elements
      }
      last = (piece, side)
    }
    return words
  }

  /// The words where both have written the same in the place of the base, and gone on from there; `nil` otherwise.
  private static func sameBeginnings(_ base: [Word], _ one: [Word], _ other: [Word]) -> [Word]? {
    let start = zip(one, other).prefix { $0 == $1 }.count
    let (rest, otherRest) = (one.dropFirst(start), other.dropFirst(start))
    let end = zip(rest.reversed(), otherRest.reversed()).prefix { $0 == $1 }.count
    let (middle, otherMiddle) = (Array(rest.dropLast(end)), Array(otherRest.dropLast(end)))
    let known = Set(base)
    guard start + end > 0, known.isDisjoint(with: middle), known.isDisjoint(with: otherMiddle)
    else { return nil }
    return one.prefix(start) + union(middle, otherMiddle) + one.suffix(end)
  }
}

// MARK: - Words of both sides at one place

extension WordMerging {
  /// All words of two sides, those that both have once.
  static func union(_ one: [Word], _ other: [Word]) -> [Word] {
    guard one.contains(where: \.isEnd) || other.contains(where: \.isEnd) else {
      return one.union(other)
    }
    let (lines, otherLines) = (one.lines, other.lines)
    var all: [[Word]] = []
    var place = 0
    for change in Alignment.replacements(from: lines, to: otherLines) {
      all += lines[place..<change.range.lowerBound]
      all += paragraphs(Array(lines[change.range]), Array(change.elements))
      place = change.range.upperBound
    }
    return Array((all + lines[place...]).joined())
  }

  /// The lines of one, and those of the other behind them; two that say nearly the same become one.
  private static func paragraphs(_ one: [[Word]], _ other: [[Word]]) -> [[Word]] {
    var (one, rest) = (one, other)
    for index in one.indices {
      guard let found = rest.firstIndex(where: { one[index].isLike($0) }) else { continue }
      one[index] = one[index].union(rest.remove(at: found))
    }
    return one + rest
  }
}

extension [Word] {
  /// All words of both, those that both have in the same order once.
  fileprivate func union(_ other: [Word]) -> [Word] {
    let (pieces, others) = (Piece.pieces(of: self), Piece.pieces(of: other))
    var all: [Piece] = []
    var (place, shift) = (0, 0)
    func keep(to end: Int) {
      for index in place..<end { all.append(pieces[index].longer(others[index + shift])) }
    }
    for change in Alignment.replacements(from: pieces, to: others) {
      keep(to: change.range.lowerBound)
      all += pieces[change.range]
      all += change.elements
      place = change.range.upperBound
      shift += change.elements.count - change.range.count
    }
    keep(to: pieces.count)
    return all.flatMap(\.words)
  }

  /// The lines, each with its end; the last may lack one.
  fileprivate var lines: [[Word]] {
    reduce(into: [[]]) { lines, word in
      lines[lines.count - 1].append(word)
      if word.isEnd { lines.append([]) }
    }.filter { !$0.isEmpty }
  }

  /// Whether its words are in the other in the same order.
  fileprivate func isPart(of other: [Word]) -> Bool {
    var rest = self[...]
    for word in other where rest.first == word { rest.removeFirst() }
    return rest.isEmpty
  }

  /// Whether at least half of the words of the shorter line are in the longer one.
  fileprivate func isLike(_ other: [Word]) -> Bool {
    let (words, others) = (filter { !$0.isEnd }, other.filter { !$0.isEnd })
    let fewer = Swift.min(words.count, others.count)
    guard fewer > 0 else { return false }
    let changed = Alignment.replacements(from: words, to: others).reduce(0) { $0 + $1.range.count }
    return (words.count - changed) * 2 >= fewer
  }
}

extension [Replacement<Word>] {
  /// How many more words there are than before.
  fileprivate var growth: Int { reduce(0) { $0 + $1.elements.count - $1.range.count } }
}

/// A word and the signs behind it.
///
/// Two are equal if the words are: a full stop belongs to its sentence, and is not the same as that of another one.
private struct Piece: Hashable {
  private(set) var words: [Word]

  static func pieces(of words: [Word]) -> [Piece] {
    words.reduce(into: []) { pieces, word in
      let isSign = word.isText && !word.hasLetters && word.blanks.isEmpty && !word.isFirst
      if isSign, !pieces.isEmpty {
        pieces[pieces.count - 1].words.append(word)
      } else {
        pieces.append(Piece(words: [word]))
      }
    }
  }

  private var key: ArraySlice<Word> { words[0].hasLetters ? words[..<1] : words[...] }

  static func == (one: Piece, other: Piece) -> Bool { one.key == other.key }

  func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// Of two with the same word, the one with more signs.
  func longer(_ other: Piece) -> Piece { other.words.count > words.count ? other : self }
}
