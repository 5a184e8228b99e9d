/// Why bytes are not what they should be.
package struct WireError: Error, Hashable, CustomStringConvertible {
  package let sentence: String
  package let offset: Int

  package init(sentence: String, offset: Int) {
    self.sentence = sentence
    self.offset = offset
  }

  package var description: String { "\(sentence) (at byte \(offset))" }
}
