import CoreDataSQL

/// The questions of a compiled condition before its statement runs, because the best form depends on the answers.
///
/// ```
/// compiled first        "Z_PK" IN (the rows that the index of words finds), and the question is noted
/// the store looks       it finds so many rows that each row is better asked, or so few that nothing else matters
/// compiled once more    COREDATA_FOUND(…, "Z_PK"), or the rows by their keys and by no index
/// ```
///
/// So no statement runs while one is made.
package final class AskedQuestions {
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

  private let answers: [Question: Answer]
  private(set) var all: Set<Question> = []
  /// The columns that are searched instead of the texts that they are derived from.
  private(set) var canonical: Set<CanonicalColumn> = []

  init(_ answers: [Question: Answer] = [:]) {
    self.answers = answers
  }

  /// Notes a question, and gives what is known of its answer.
  func answer(to question: Question) -> Answer? {
    all.insert(question)
    return answers[question]
  }

  /// Notes that a column is searched for a text, which is right only if the column has the canonical form of its
  /// text.
  func search(_ column: CanonicalColumn) {
    canonical.insert(column)
  }
}
