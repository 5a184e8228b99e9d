/// What an index of words is asked.
///
/// ```
/// title CONTAINS[cdw] "crème bru" OR body CONTAINS[cdw] "egg"
///
/// in the language of FTS5: ({"ZTITLE"} : ("creme"* AND "bru"*)) OR ({"ZBODY"} : "egg"*)
/// ```
indirect enum TextQuestion: Hashable {
  /// Every word, in the same one of the columns.
  case words([String], columns: [String])
  case all([TextQuestion])
  case any([TextQuestion])
}

extension TextQuestion {
  /// One of several: the same word in two columns is one word that is looked for once.
  static func one(of questions: [TextQuestion]) -> TextQuestion {
    var single: [String: [String]] = [:]
    var order: [String] = []
    var others: [TextQuestion] = []
    for question in questions {
      guard case .words(let words, let columns) = question, words.count == 1 else {
        others.append(question)
        continue
      }
      if single[words[0]] == nil { order.append(words[0]) }
      single[words[0], default: []] += columns
    }
    let merged = order.map { word in
      TextQuestion.words([word], columns: Set(single[word] ?? []).sorted())
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
    case .words: 1
    case .all(let parts), .any(let parts): 1 + (parts.map(\.depth).max() ?? 0)
    }
  }

  static let depthLimit = 50
}
