/// How many notes are read at once with their texts, so that a list of long ones takes no more memory than others.
///
/// The first portion is a small one; each that follows is as large as the texts of the one before allow.
struct ReadingPortion {
  private(set) var count = 5

  private static let most = 20
  /// How much of texts is in memory at once, about, in bytes of their documents; as words and as RTF they are there too.
  private static let room = 1 << 20

  mutating func follow(_ notes: [Note]) {
    if notes.isEmpty { return }
    let byteCount = notes.reduce(0) { $0 + ($1.document_?.utf8.count ?? 0) }
    count = min(max(Self.room * notes.count / max(byteCount, 1), 1), Self.most)
  }
}
