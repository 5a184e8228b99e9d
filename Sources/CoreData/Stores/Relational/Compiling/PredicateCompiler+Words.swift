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
///
/// on rows   "ZFOLDER" = $2 AND (coredata_kept_words(z_zone, "ZBODY", "ZTITLE") @@ …)
/// ```
///
/// All find the same rows; phrases, `CONTAINS[cdw] '"crème brûlée"'`, too. Terms of one `AND` or `OR` that the index
/// can answer become one question; under an `AND`, negated terms belong to it.
extension PredicateCompiler {
  /// Whether every word of a text begins a word of another.
  mutating func containsWords(
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
        "the database cannot look for these words",
        remedy: "look for words of a constant text, leave the letter w out, or filter in memory"
      )
    }
    return Condition(sql, isCertain: false)
  }

  /// The name of a text's column in the index of its table; `nil` if the index does not have it.
  func indexed(_ column: String, of row: RowPlace, as alias: String) -> IndexedText? {
    guard let index = textIndexes[row.entity.tableName], index.columns.contains(column) else {
      return nil
    }
    return IndexedText(
      index: index,
      column: column,
      key: row.key,
      alias: alias,
      isNullable: row.isNullable
    )
  }

  private mutating func isFound(_ question: TextQuestion, _ place: IndexedText) -> Condition {
    switch dialect.indexedWords {
    case .inTables(let tables): return isFound(question, place, tables)
    case .onRows(let columns):
      let found = columns.isFound(question, in: place.index, of: place.alias)
      return Condition(
        found,
        isCertain: !place.isNullable,
        contrary: place.isNullable ? nil : "NOT \(found)"
      )
    }
  }

  private mutating func isFound(
    _ question: TextQuestion,
    _ place: IndexedText,
    _ tables: any WordIndexTables
  ) -> Condition {
    let key = place.key
    let answer = key == root.key ? draft.answer(to: .words(question, place.index)) : nil
    if answer == .many {
      let found = tables.isFound(key, by: question, in: place.index)
      return Condition(
        found,
        isCertain: !place.isNullable,
        contrary: place.isNullable ? nil : "NOT \(found)"
      )
    }
    let keys = tables.keys(matching: question, in: place.index)
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
  /// The name of the row's table.
  let alias: String
  let isNullable: Bool
}

// MARK: - One question for several comparisons

/// The part of an `AND` or `OR` that an index of words answers, as one question, and the terms that are left.
struct GatheredWords {
  let question: TextQuestion?
  let rest: [CoreDataPredicates.PredicateTree]
}

extension PredicateCompiler {
  /// The rows to find with all terms.
  ///
  /// Negated terms belong to the question if there is another term: `"tea"* NOT "green"*`.
  func gathered(all trees: [CoreDataPredicates.PredicateTree]) -> GatheredWords {
    var wanted: [TextQuestion] = []
    var unwanted: [TextQuestion] = []
    let rest = trees.filter { tree in
      if let question = self.question(tree) {
        wanted.append(question)
      } else if case .not(let excluded) = tree, let question = self.question(excluded) {
        unwanted.append(question)
      } else {
        return true
      }
      return false
    }
    if wanted.isEmpty { return GatheredWords(question: nil, rest: trees) }
    let every = TextQuestion.every(of: wanted)
    let question = unwanted.isEmpty ? every : .without(every, .one(of: unwanted))
    return GatheredWords(question: question, rest: rest)
  }

  /// The rows to find with any of the terms.
  func gathered(any trees: [CoreDataPredicates.PredicateTree]) -> GatheredWords {
    var questions: [TextQuestion] = []
    let rest = trees.filter { tree in
      guard let question = self.question(tree) else { return true }
      questions.append(question)
      return false
    }
    return GatheredWords(question: questions.isEmpty ? nil : .one(of: questions), rest: rest)
  }

  /// A predicate as a question; `nil` if the index cannot answer it.
  private func question(_ tree: CoreDataPredicates.PredicateTree) -> TextQuestion? {
    guard let index = textIndexes[entity.tableName] else { return nil }
    let question: TextQuestion?
    switch tree {
    case .comparison(let comparison): question = self.question(comparison, index)
    case .and(let terms): question = gathered(all: terms).whole
    case .or(let terms): question = gathered(any: terms).whole
    case .not, .constant, .block: question = nil
    }
    return question.flatMap { $0.depth < TextQuestion.depthLimit ? $0 : nil }
  }

  /// The condition of a question to the index of the statement's own table.
  mutating func isFound(_ question: TextQuestion) -> Condition? {
    guard let index = textIndexes[entity.tableName], let alias = root.alias else { return nil }
    let place = IndexedText(
      index: index,
      column: "",
      key: root.key,
      alias: alias,
      isNullable: root.isNullable
    )
    return isFound(question, place)
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

extension GatheredWords {
  /// The question, if nothing is left.
  fileprivate var whole: TextQuestion? { rest.isEmpty ? question : nil }
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
