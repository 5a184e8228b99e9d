/// What a compiled condition asks of indexes of words.
///
/// ```
/// compiled first        "Z_PK" IN (the rows that the index finds), and the question is noted
/// the store looks       it finds so many rows that each row is better asked
/// compiled once more    COREDATA_FOUND(…, "Z_PK")
/// ```
///
/// So no statement runs while one is made.
final class AskedQuestions {
  /// One question to one index.
  struct Question: Hashable {
    let text: TextQuestion
    let index: TextIndex
  }

  private let frequent: Set<Question>
  private(set) var all: Set<Question> = []

  init(frequent: Set<Question> = []) {
    self.frequent = frequent
  }

  /// Notes a question, and tells whether it is known to find so many rows that it is better asked of each
  /// row than first.
  func isFrequent(_ text: TextQuestion, in index: TextIndex) -> Bool {
    let question = Question(text: text, index: index)
    all.insert(question)
    return frequent.contains(question)
  }
}
