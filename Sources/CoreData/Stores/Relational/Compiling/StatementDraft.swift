import CoreDataSQL

/// A statement in the making: the facts about the file that it may rely on, and the questions that arose.
///
/// ```
/// compiled first        "Z_PK" IN (the rows that the index of words finds), and the question is noted
/// the store looks       it finds so many rows that each row is better asked, or so few that nothing else matters
/// compiled once more    COREDATA_FOUND(…, "Z_PK"), or the rows by their keys and by no index
/// ```
///
/// So no statement runs while one is made.
package struct StatementDraft {
  enum Question: Hashable {
    /// Which rows an index of words finds.
    case words(TextQuestion, TextIndex)
    /// Which objects have a member: a statement that gives their keys.
    case owners(SQLFragment)
  }

  enum Answer {
    /// So few rows that they are looked up by their keys.
    case few
    /// So many rows that each of the others' rows is better asked.
    case many
  }

  /// The columns that may be searched instead of the texts that they are derived from.
  let canonical: CanonicalColumns
  private var answers: [Question: Answer] = [:]
  private(set) var questions: Set<Question> = []
  /// The columns that are searched in this way.
  private(set) var searched: Set<CanonicalColumn> = []

  package init(canonical: CanonicalColumns = .none) {
    self.canonical = canonical
  }

  /// Notes a question, and returns the answer if it is known.
  mutating func answer(to question: Question) -> Answer? {
    questions.insert(question)
    return answers[question]
  }

  /// Notes that a column is searched for a text, which is right only if the column has the canonical form of its text.
  mutating func search(_ column: CanonicalColumn) {
    searched.insert(column)
  }

  /// The same draft for another compilation, with answers.
  func answered(_ answers: [Question: Answer]) -> StatementDraft {
    var draft = StatementDraft(canonical: canonical)
    draft.answers = answers
    return draft
  }
}
