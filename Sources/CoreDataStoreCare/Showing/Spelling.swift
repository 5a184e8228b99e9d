/// The word that somebody may have meant.
///
/// ```swift
/// Spelling.nearest(to: "inspec", among: ["inspect", "explain"])     // inspect
/// ```
package enum Spelling {
  private static let longest = 500

  /// Nil when no word is near: about one mistake in three letters is forgiven.
  package static func nearest(to word: String, among words: some Sequence<String>) -> String? {
    // Nobody mistypes a text of many lines, and comparing two of them takes the product of their lengths.
    guard word.utf8.count <= longest else { return nil }
    let typed = word.lowercased()
    let length = typed.count
    let found =
      words
      .compactMap { word -> (word: String, distance: Int)? in
        guard word.utf8.count <= longest else { return nil }
        let most = max(1, min(length, word.count) / 3)
        guard (length - word.count).magnitude <= most else { return nil }
        let distance = distance(typed, word.lowercased())
        return distance <= most ? (word, distance) : nil
      }
      .min { ($0.distance, $0.word) < ($1.distance, $1.word) }
    if let found { return found.word }
    // A beginning that fits one word only.
    let begun = words.filter { typed.count > 2 && $0.lowercased().hasPrefix(typed) }
    return begun.count == 1 ? begun[0] : nil
  }

  /// `"; did you mean 'inspect'?"`, or nothing.
  package static func question(_ word: String, among words: some Sequence<String>) -> String {
    nearest(to: word, among: words).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// How many letters must be put in, left out, replaced, or exchanged with their neighbour.
  package static func distance(_ first: String, _ second: String) -> Int {
    let (left, right) = (Array(first), Array(second))
    var twoBack: [Int] = []
    var back = Array(0...right.count)
    for row in left.indices {
      var line = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var least = min(back[column] + (isSame ? 0 : 1), back[column + 1] + 1, line[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, twoBack[column - 1] + 1)
        }
        line.append(least)
      }
      (twoBack, back) = (back, line)
    }
    return back[right.count]
  }
}
