/// The names of views, or of the columns of one, each once.
struct ViewNames {
  private var taken: Set<String>

  init(taken: [String]) {
    self.taken = Set(taken.map { $0.lowercased() })
  }

  /// Takes a name in SQL's spelling; if it is taken, with the first number from 2 that is free.
  mutating func add(_ name: String) -> String {
    let name = SQLName.snake(name)
    var candidate = SQLName.cut(name, to: SQLName.longest)
    var number = 2
    while !taken.insert(candidate).inserted {
      let suffix = "_\(number)"
      candidate = SQLName.cut(name, to: SQLName.longest - suffix.utf8.count) + suffix
      number += 1
    }
    return candidate
  }
}

/// The spelling of names that programs for SQL databases expect.
package enum SQLName {
  /// The length in bytes at which PostgreSQL cuts names.
  package static let longest = 63

  /// A name in small letters, with underscores between its words: `createdAt` is `created_at`, and `URLString` is
  /// `url_string`.
  package static func snake(_ name: String) -> String {
    let letters = Array(name)
    var result = ""
    for (place, letter) in letters.enumerated() {
      if letter.isUppercase, place > 0 {
        let before = letters[place - 1]
        let beginsWord = place + 1 < letters.count && letters[place + 1].isLowercase
        if before.isLowercase || before.isNumber || before.isUppercase && beginsWord {
          result.append("_")
        }
      }
      result += letter.lowercased()
    }
    return result
  }

  /// The beginning of a text that has at most so many bytes, without a part of a character.
  static func cut(_ text: String, to count: Int) -> String {
    var text = text
    while text.utf8.count > count { text.removeLast() }
    return text
  }
}
