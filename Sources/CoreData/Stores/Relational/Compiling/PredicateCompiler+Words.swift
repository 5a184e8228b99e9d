import CoreDataPredicates
import CoreDataSQL

/// Words: `CONTAINS[cdw]`, answered by an index of words where the file has one.
///
/// ```
/// folder == %@ AND (title CONTAINS[cdw] "crème" OR body CONTAINS[cdw] "crème")
///
/// with      "ZFOLDER" = ?1 AND "Z_PK" IN (SELECT rowid FROM "COREDATA_ZNOTE_TEXT" WHERE … MATCH ?2)
/// rare      the same, and the table's own indexes are left alone (`NOT INDEXED`)
/// frequent  "ZFOLDER" = ?1 AND COREDATA_FOUND('COREDATA_ZNOTE_TEXT', ?2, "Z_PK")
/// without   "ZFOLDER" = ?1 AND (COREDATA_WORDS("ZTITLE", ?2, 65539) OR COREDATA_WORDS("ZBODY", …))
/// ```
///
/// All find the same rows; phrases, `CONTAINS[cdw] '"crème brûlée"'`, too. What stands under one `AND` or `OR` and can be asked of the index is one
/// question.
extension PredicateCompiler {
  /// Whether every word of a text begins a word of another.
  func containsWords(
    _ comparison: Comparison,
    _ whole: CompiledValue,
    _ needle: CompiledValue,
    _ part: Side
  ) throws(PredicateCompilationError) -> Condition {
    guard case .constant(.value(.text(let pattern), _)) = part else {
      return try wordsFound(in: whole, needle, comparison)
    }
    let search = WordSearch(pattern, comparison.options)
    if search.terms.isEmpty {
      if !whole.isNullable { return .always(true) }
      return Condition(
        "\(whole.sql) IS NOT NULL",
        isCertain: true,
        contrary: "\(whole.sql) IS NULL"
      )
    }
    guard let place = whole.indexed, comparison.options.isOfIndex, !search.hasEndlessPhrase else {
      return try wordsFound(in: whole, needle, comparison)
    }
    return isFound(.terms(search.questions, columns: [place.column]), place)
  }

  private func wordsFound(
    in whole: CompiledValue,
    _ needle: CompiledValue,
    _ comparison: Comparison
  ) throws(PredicateCompilationError) -> Condition {
    guard let sql = dialect.holds(.words, whole.sql, needle.sql, comparison.options) else {
      throw PredicateCompilationError(
        comparison,
        "the database has no words of texts",
        remedy: "leave the letter w out, or filter in memory"
      )
    }
    return Condition(sql, isCertain: false)
  }

  /// What a text's column is called in the index of its table; nil where there is none.
  func indexed(_ column: String, of row: RowPlace) -> IndexedText? {
    guard let index = textIndexes[row.entity.tableName], index.columns.contains(column) else {
      return nil
    }
    return IndexedText(index: index, column: column, key: row.key, isNullable: row.isNullable)
  }

  private func isFound(_ question: TextQuestion, _ place: IndexedText) -> Condition {
    let key = place.key
    let answer = key == root.key ? questions.answer(to: .words(question, place.index)) : nil
    if answer == .many {
      let found = dialect.isFound(key, by: question, in: place.index)
      return Condition(
        found,
        isCertain: !place.isNullable,
        contrary: place.isNullable ? nil : "NOT \(found)"
      )
    }
    let keys = dialect.keys(matching: question, in: place.index)
    return Condition(
      "\(key) IN (\(keys))",
      isCertain: !place.isNullable,
      contrary: place.isNullable ? nil : "\(key) NOT IN (\(keys))",
      isFew: answer == .few
    )
  }
}

/// A text whose words are in an index, under the key of its row.
struct IndexedText {
  let index: TextIndex
  let column: String
  let key: SQLFragment
  let isNullable: Bool
}

// MARK: - One question for several comparisons

extension PredicateCompiler {
  /// The terms that the index answers, as one condition, and those that are left.
  func gathered(
    _ trees: [CoreDataPredicates.PredicateTree],
    by gather: ([TextQuestion]) -> TextQuestion
  ) -> (condition: Condition?, rest: [CoreDataPredicates.PredicateTree]) {
    guard let index = textIndexes[entity.tableName] else { return (nil, trees) }
    var questions: [TextQuestion] = []
    var rest: [CoreDataPredicates.PredicateTree] = []
    for tree in trees {
      if let question = question(tree, index) {
        questions.append(question)
      } else {
        rest.append(tree)
      }
    }
    if questions.isEmpty { return (nil, trees) }
    let place = IndexedText(index: index, column: "", key: root.key, isNullable: root.isNullable)
    return (isFound(gather(questions), place), rest)
  }

  /// A predicate as a question; nil where the index cannot answer it.
  func question(
    _ tree: CoreDataPredicates.PredicateTree,
    _ index: TextIndex
  ) -> TextQuestion? {
    switch tree {
    case .comparison(let comparison):
      return question(comparison, index)
    case .and(let terms):
      return questions(terms, index).map(TextQuestion.every)
    case .or(let terms):
      return questions(terms, index).map(TextQuestion.one)
    case .not, .constant, .block:
      return nil
    }
  }

  private func questions(
    _ trees: [CoreDataPredicates.PredicateTree],
    _ index: TextIndex
  ) -> [TextQuestion]? {
    var questions: [TextQuestion] = []
    for tree in trees {
      guard let question = question(tree, index), question.depth < TextQuestion.depthLimit else {
        return nil
      }
      questions.append(question)
    }
    return questions.isEmpty ? nil : questions
  }

  private func question(_ comparison: Comparison, _ index: TextIndex) -> TextQuestion? {
    guard comparison.op == .contains, comparison.modifier == .direct,
      comparison.options.isOfIndex,
      let names = comparison.left.names, names.count == 1,
      case .attribute(let column)? = entity[names[0]], index.columns.contains(column),
      case .constant(let constant) = comparison.right, case .text(let pattern) = constant.kind
    else { return nil }
    let search = WordSearch(pattern, comparison.options)
    if search.terms.isEmpty || search.hasEndlessPhrase { return nil }
    return .terms(search.questions, columns: [column])
  }
}

extension Comparison.Options {
  /// Whether these are the options that an index of words is made for.
  fileprivate var isOfIndex: Bool { foldsWords && !contains(.localeSensitive) }
}

extension WordSearch {
  fileprivate var questions: [TextQuestion.Term] {
    terms.map { term in .init(words: term.words.map { String(decoding: $0, as: UTF8.self) }) }
  }
}
