/// A row of things, and the changes of two sides.
///
/// ```
/// base    a  b  c  d  e
/// one     a  x  c  d  e        b ▶ x
/// other   a  b  c  y  z        d e ▶ y z
///         ─────────────
/// merged  a  x  c  y  z
/// ```
struct ThreeWay<Element: Hashable> {
  private let base: [Element]
  private let one: [Replacement<Element>]
  private let other: [Replacement<Element>]

  init(_ base: [Element], _ one: [Element], _ other: [Element]) {
    self.base = base
    self.one = Alignment.replacements(from: base, to: one)
    self.other = Alignment.replacements(from: base, to: other)
  }

  /// The row with the changes of both sides; `inside` merges a thing that both have changed, or gives nil.
  func merged(_ inside: (Element, Element, Element) -> Element?) -> [Element]? {
    var merged: [Element] = []
    var place = 0
    var (ones, others) = (one[...], other[...])
    while let meeting = Meeting(&ones, &others) {
      guard let piece = meeting.merged(of: base, inside) else { return nil }
      merged += base[place..<meeting.range.lowerBound]
      merged += piece
      place = meeting.range.upperBound
    }
    return merged + base[place...]
  }
}

/// The replacements of both sides that touch the same part of the base.
struct Meeting<Element: Hashable> {
  private(set) var range: Range<Int>
  private(set) var one: [Replacement<Element>] = []
  private(set) var other: [Replacement<Element>] = []

  /// Takes the next replacements that belong together off both rows; `nil` at the end of both.
  ///
  /// With `byTouch`, replacements that follow each other without an element between them belong together, too.
  init?(
    _ ones: inout ArraySlice<Replacement<Element>>,
    _ others: inout ArraySlice<Replacement<Element>>,
    byTouch: Bool = false
  ) {
    switch (ones.first?.range, others.first?.range) {
    case (nil, nil): return nil
    case (let first?, nil): range = first
    case (nil, let first?): range = first
    case (let first?, let second?): range = first.isBefore(second) ? first : second
    }
    while true {
      if let next = ones.first, next.range.meets(range, byTouch) {
        range = range.union(next.range)
        one.append(ones.removeFirst())
      } else if let next = others.first, next.range.meets(range, byTouch) {
        range = range.union(next.range)
        other.append(others.removeFirst())
      } else {
        return
      }
    }
  }

  func merged(
    of base: [Element],
    _ inside: (Element, Element, Element) -> Element?
  ) -> [Element]? {
    let before = Array(base[range])
    let (one, other) = (row(one, of: base), row(other, of: base))
    if one == other || other == before { return one }
    if one == before { return other }
    if before.isEmpty { return Self.both(one, other) }
    guard one.count == before.count, other.count == before.count else { return nil }
    var merged: [Element] = []
    for (index, element) in before.enumerated() {
      switch (one[index], other[index]) {
      case (let one, let other) where one == other || other == element: merged.append(one)
      case (element, let other): merged.append(other)
      case (let one, let other):
        guard let both = inside(element, one, other) else { return nil }
        merged.append(both)
      }
    }
    return merged
  }

  /// The elements of a side at this part.
  func row(_ replacements: [Replacement<Element>], of base: [Element]) -> [Element] {
    var row: [Element] = []
    var place = range.lowerBound
    for replacement in replacements {
      row += base[place..<replacement.range.lowerBound] + replacement.elements
      place = replacement.range.upperBound
    }
    return row + base[place..<range.upperBound]
  }

  /// The elements that both have inserted at one place: those common to both at the beginning and end are there once.
  private static func both(_ one: [Element], _ other: [Element]) -> [Element] {
    let start = zip(one, other).prefix { $0 == $1 }.count
    let (rest, otherRest) = (one.dropFirst(start), other.dropFirst(start))
    let end = zip(rest.reversed(), otherRest.reversed()).prefix { $0 == $1 }.count
    return Array(one.dropLast(end) + otherRest)
  }
}

extension Range<Int> {
  fileprivate func isBefore(_ other: Self) -> Bool {
    (lowerBound, upperBound) <= (other.lowerBound, other.upperBound)
  }

  /// Whether two parts of a row have something in common; places between two things have when they are
  /// the same place.
  fileprivate func meets(_ other: Self, _ byTouch: Bool) -> Bool {
    if byTouch { return lowerBound <= other.upperBound && other.lowerBound <= upperBound }
    return self == other || lowerBound < other.upperBound && other.lowerBound < upperBound
  }

  fileprivate func union(_ other: Self) -> Self {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
