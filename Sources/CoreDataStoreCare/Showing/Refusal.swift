/// A request that is well-formed, but cannot be fulfilled.
package struct Refusal: Error, CustomStringConvertible {
  /// The event, and the advice.
  package let sentence: String
  /// The text that somebody wrote, in one line, and the number of characters before the mistake.
  package let mark: (text: String, place: Int)?

  package init(_ sentence: String) {
    self.sentence = sentence
    mark = nil
  }

  /// A sentence, and the text with a mark at the place.
  ///
  /// ```
  /// cannot parse "title ==": expected a value at the end
  ///   title ==
  ///           ^
  /// ```
  package init(_ sentence: String, in text: String, at place: Int?) {
    self.sentence = sentence
    mark = place.map { (text.map { $0.isNewline ? " " : String($0) }.joined(), $0) }
  }

  package var description: String {
    guard let mark else { return sentence }
    return "\(sentence)\n  \(mark.text)\n  \(String(repeating: " ", count: mark.place))^"
  }
}
