extension RichText {
  /// A piece of a line.
  ///
  /// ```
  /// [.text("Read "), .text("this", [.bold]), .text(" after "), .text("Slots", [.link(.note(id))])]
  ///
  /// Read **this** after [[Slots|0b8e…]]
  /// ```
  public enum Inline: Hashable, Sendable {
    case text(String, Marks = [])
    case hardBreak

    /// The number of a footnote, whose text is at the end: see ``RichText/Block/footnote(label:_:)``.
    case footnoteMark(String)
  }
}
