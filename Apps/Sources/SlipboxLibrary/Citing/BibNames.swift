import Foundation

/// Reads the people of a field: `Doe, Jane and Ludwig van Beethoven and {The Authors} and others`.
///
/// ```
/// First von Last          Ludwig van Beethoven
/// von Last, First         van Beethoven, Ludwig
/// von Last, Jr, First     King, Jr, Martin Luther
/// {…}                     one name that is not divided
/// ```
enum BibNames {
  static func names(in field: [UInt8]) -> Reference.Names {
    var names = Reference.Names()
    for words in lists(of: words(in: field)) {
      guard names.list.count < Reference.mostNames else {
        names.hasOthers = true
        break
      }
      if words.count == 1, String(decoding: words[0], as: UTF8.self).lowercased() == "others" {
        names.hasOthers = true
      } else if let name = name(of: words) {
        names.list.append(name)
      }
    }
    return names
  }

  /// Words and commas outside of braces.
  private static func words(in field: [UInt8]) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    var (depth, start, index) = (0, 0, 0)
    func end() { if index > start { words.append(field[start..<index]) } }
    while index < field.count {
      switch field[index] {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth = max(0, depth - 1)
      case 0x00...0x20 where depth == 0, UInt8(ascii: "~") where depth == 0:
        end()
        start = index + 1
      case UInt8(ascii: ",") where depth == 0:
        end()
        words.append(field[index...index])
        start = index + 1
      default: break
      }
      index += 1
    }
    index = field.count
    end()
    return words
  }

  private static func lists(of words: [ArraySlice<UInt8>]) -> [[ArraySlice<UInt8>]] {
    words.split { $0.count == 3 && String(decoding: $0, as: UTF8.self).lowercased() == "and" }
      .map(Array.init)
  }

  private static func name(of words: [ArraySlice<UInt8>]) -> Reference.Name? {
    if words.count == 1, let word = words.first, word.first == UInt8(ascii: "{") {
      let name = text(words)
      return name.isEmpty ? nil : Reference.Name(family: name)
    }
    let parts = words.split(
      maxSplits: 8,
      omittingEmptySubsequences: false,
      whereSeparator: isComma
    )
    let name =
      switch parts.count {
      case 1: undivided(Array(parts[0]))
      case 2: Reference.Name(family: text(parts[0]), given: text(parts[1]))
      default:
        Reference.Name(family: text(parts[0]), given: text(parts[2]), suffix: text(parts[1]))
      }
    return name.family.isEmpty && name.given.isEmpty ? nil : name
  }

  /// The last name begins with the first word in lower case, else it is the last word.
  private static func undivided(_ words: [ArraySlice<UInt8>]) -> Reference.Name {
    let start = words.dropLast().firstIndex(where: isSmall) ?? words.count - 1
    return Reference.Name(family: text(words[start...]), given: text(words[..<start]))
  }

  private static func isComma(_ word: ArraySlice<UInt8>) -> Bool {
    word.count == 1 && word.first == UInt8(ascii: ",")
  }

  private static func isSmall(_ word: ArraySlice<UInt8>) -> Bool {
    let isPlain = word.first != UInt8(ascii: "{") || word.dropFirst().first == UInt8(ascii: "\\")
    return isPlain && TeX.text(of: Array(word)).first { $0.isLetter }?.isLowercase == true
  }

  private static func text(_ words: some Sequence<ArraySlice<UInt8>>) -> String {
    Reference.tidy(TeX.text(of: Array(words.joined(separator: [0x20]))))
  }
}
