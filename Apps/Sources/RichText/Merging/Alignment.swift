/// A part of a row, and its new elements.
struct Replacement<Element: Hashable> {
  let range: Range<Int>
  let elements: ArraySlice<Element>
}

/// The replacements that make one row out of another.
enum Alignment {
  /// The replacements in order, with at least one thing left as it is between two of them.
  ///
  /// They are as few as can be: the longest common row stays. Rows so long that finding it would take long are replaced
  /// from the first difference to the last.
  static func replacements<Element: Hashable>(
    from old: [Element],
    to new: [Element]
  ) -> [Replacement<Element>] {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let room = min(old.count, new.count) - start
    let end = zip(old.reversed(), new.reversed()).prefix(room).prefix { $0 == $1 }.count
    let (before, after) = (start..<old.count - end, start..<new.count - end)
    let kept =
      before.count * after.count <= patience
      ? common(Array(old[before]), Array(new[after])).map { ($0 + start, $1 + start) } : []
    var replacements: [Replacement<Element>] = []
    var place = (start, start)
    for (oldIndex, newIndex) in kept + [(before.upperBound, after.upperBound)] {
      if place.0 < oldIndex || place.1 < newIndex {
        replacements.append(
          Replacement(range: place.0..<oldIndex, elements: new[place.1..<newIndex])
        )
      }
      place = (oldIndex + 1, newIndex + 1)
    }
    return replacements
  }

  /// How many pairs are compared.
  private static let patience = 250_000

  /// The longest common row, as pairs of places.
  private static func common<Element: Hashable>(
    _ old: [Element],
    _ new: [Element]
  ) -> [(Int, Int)] {
    // Numbers in the place of things, which may be long.
    var numbers: [Element: Int] = [:]
    func number(_ element: Element) -> Int {
      if let known = numbers[element] { return known }
      numbers[element] = numbers.count
      return numbers.count - 1
    }
    let (old, new) = (old.map(number), new.map(number))
    let width = new.count + 1
    var longest = [Int32](repeating: 0, count: (old.count + 1) * width)
    for i in old.indices.reversed() {
      for j in new.indices.reversed() {
        longest[i * width + j] =
          old[i] == new[j]
          ? longest[(i + 1) * width + j + 1] + 1
          : max(longest[(i + 1) * width + j], longest[i * width + j + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      if old[i] == new[j] {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
