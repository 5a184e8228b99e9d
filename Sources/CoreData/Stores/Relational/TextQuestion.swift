/// A question for an index of words.
///
/// ```
/// title CONTAINS[cdw] 'crème bru' OR body CONTAINS[cdw] '"six eg"'
///
/// in the language of FTS5: ({"ZTITLE"} : ("creme"* AND "bru"*)) OR ({"ZBODY"} : "six eg"*)
/// ```
package indirect enum TextQuestion: Hashable {
  /// Every word and phrase, in the same one of the columns.
  case terms([Term], columns: [String])
  case all([TextQuestion])
  case any([TextQuestion])
  /// The rows that the first finds and the second does not.
  case without(TextQuestion, TextQuestion)
}

extension TextQuestion {
  /// A word, or consecutive words; the last one may go on.
  package struct Term: Hashable {
    package let words: [String]
  }

  /// One of several: the same term in two columns is looked for once.
  static func one(of questions: [TextQuestion]) -> TextQuestion {
    var single: [Term: [String]] = [:]
    var order: [Term] = []
    var others: [TextQuestion] = []
    for question in questions {
      guard case .terms(let terms, let columns) = question, terms.count == 1 else {
        others.append(question)
        continue
      }
      if single[terms[0]] == nil { order.append(terms[0]) }
      single[terms[0], default: []] += columns
    }
    let merged = order.map { term in
      TextQuestion.terms([term], columns: Set(single[term] ?? []).sorted())
    }
    let all = merged + others
    return all.count == 1 ? all[0] : .any(all)
  }

  static func every(of questions: [TextQuestion]) -> TextQuestion {
    questions.count == 1 ? questions[0] : .all(questions)
  }

  /// How deep it is nested; an index reads no more than some hundred levels.
  var depth: Int {
    switch self {
    case .terms: 1
    case .all(let parts), .any(let parts): 1 + (parts.map(\.depth).max() ?? 0)
    case .without(let wanted, let unwanted): 1 + max(wanted.depth, unwanted.depth)
    }
  }

  static let depthLimit = 50
}
