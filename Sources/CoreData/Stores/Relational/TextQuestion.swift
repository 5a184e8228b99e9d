/// What an index of words is asked, in the language of FTS5.
///
/// ```
/// title CONTAINS[cdw] "crème bru" OR body CONTAINS[cdw] "egg"
///
/// ({"ZTITLE"} : ("creme"* AND "bru"*)) OR ({"ZBODY"} : "egg"*)
/// ```
///
/// Words stand in quotes and have letters and digits only, so that no text can be anything else.
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

  /// How deep it is nested; FTS5 reads no more than some hundred levels.
  var depth: Int {
    switch self {
    case .words: 1
    case .all(let parts), .any(let parts): 1 + (parts.map(\.depth).max() ?? 0)
    }
  }

  static let depthLimit = 50

  func text(of index: TextIndex) -> String {
    switch self {
    case .words(let words, let columns):
      let every = words.map { "\"\($0)\"*" }.joined(separator: " AND ")
      if words.count == 1, columns == index.columns { return every }
      let names = columns.map { "\"\($0)\"" }.joined(separator: " ")
      return "{\(names)} : " + (words.count == 1 ? every : "(\(every))")
    case .all(let parts):
      return parts.map { "(\($0.text(of: index)))" }.joined(separator: " AND ")
    case .any(let parts):
      return parts.map { "(\($0.text(of: index)))" }.joined(separator: " OR ")
    }
  }
}
