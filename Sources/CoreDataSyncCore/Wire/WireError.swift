/// Why bytes are not what they should be.
package struct WireError: Error, Hashable, CustomStringConvertible {
  package let sentence: String
  package let offset: Int
  /// The sender whose protocol the bytes are of.
  package let sender: Sender
  /// Whether the bytes were once right: something has changed them since.
  package let isDamage: Bool

  /// How old the program is that has sent a message.
  package enum Sender: Hashable, Sendable {
    /// It speaks this program's protocol, or says nothing of it.
    case contemporary
    case older
    case newer
  }

  package init(
    sentence: String,
    offset: Int,
    sender: Sender = .contemporary,
    isDamage: Bool = false
  ) {
    self.isDamage = isDamage
    self.sentence = sentence
    self.offset = offset
    self.sender = sender
  }

  package var description: String { "\(sentence) (at byte \(offset))" }
}
