import CoreDataSwiftCode

// MARK: - Imports

extension PortDraft {
  /// Replaces imports of frameworks that are not there; adds Core Data's if it is used without one.
  mutating func portImports() {
    let imports = tokens.indices.compactMap { ImportStatement(at: $0, in: tokens) }
    var present = Set(imports.map { tokens[$0.module].text })
    for statement in imports {
      let module = tokens[statement.module].text
      guard BuildCondition.absentModules.contains(module), !isConditional(statement.keyword) else {
        continue
      }
      let needed = ["CoreData", "Foundation"].first { wanted in
        !present.contains(wanted)
          && (wanted == "Foundation" ? present.isDisjoint(with: ["CoreData"]) : usesCoreData)
      }
      if let needed {
        let start = tokens[statement.keyword + 1].range.lowerBound
        edit(start..<tokens[statement.last].range.upperBound, needed)
        present.insert(needed)
      } else {
        edit(rangeWithBlanks(from: statement.first, through: statement.last), "")
      }
    }
    guard usesCoreData, !present.contains("CoreData") else { return }
    // After an import under an #if, it would not hold for Linux.
    let last = imports.last(where: { !isConditional($0.keyword) })
    let place =
      last.map { source.endOfLine(at: tokens[$0.keyword].range.lowerBound) } ?? startOfCode
    edit(place..<place, "import CoreData\n")
  }

  private var startOfCode: Int {
    tokens.first.map { source.startOfLine(at: $0.range.lowerBound) } ?? 0
  }

  /// Whether a place is under an `#if`, where somebody has thought of it already.
  func isConditional(_ place: Int) -> Bool {
    tokens[..<place].reduce(0) { depth, token in
      token.is("#if") ? depth + 1 : token.is("#endif") ? depth - 1 : depth
    } > 0
  }

  private var usesCoreData: Bool {
    tokens.indices.contains { place in
      let text = tokens[place].text
      if text == "NSPredicate" || text == "NSSortDescriptor" || text == "NSExpression" {
        return tokens.at(place + 1)?.is("(") == true
      }
      return [
        "NSManaged", "NSFetch", "NSPersistent", "NSEntityDescription", "NSBatch", "NSMergePolicy",
      ]
      .contains { text.hasPrefix($0) }
    }
  }
}

/// An import, as places among the tokens of its file.
private struct ImportStatement {
  /// The first on its line: an attribute, an access level, or the keyword.
  let first: Int
  let keyword: Int
  let module: Int
  /// The last of the path, as `log` in `os.log`.
  let last: Int

  private static let kinds: Set = [
    "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]

  init?(at place: Int, in tokens: [SwiftToken]) {
    guard tokens[place].is("import"), let next = tokens.at(place + 1) else { return nil }
    let module = Self.kinds.contains(next.text) ? place + 2 : place + 1
    guard tokens.at(module)?.kind == .word else { return nil }
    var first = place
    while !tokens[first].isFirstOnLine, let before = tokens.at(first - 1),
      before.kind == .word || before.is("@")
    {
      first -= 1
    }
    guard tokens[first].isFirstOnLine else { return nil }
    var last = module
    while tokens.at(last + 1)?.is(".") == true, tokens.at(last + 2)?.kind == .word { last += 2 }
    (self.first, keyword, self.module, self.last) = (first, place, module, last)
  }
}

/// The signs that a file draws.
enum UserInterface {
  private static let words: Set<String> = [
    "AppDelegate", "IBAction", "IBOutlet", "NSApplication", "NSColor", "NSImage", "NSView",
    "NSViewController",
    "NSWindow", "ObservedObject", "PreviewProvider", "SceneDelegate", "State", "StateObject",
    "WindowGroup",
    "EnvironmentObject",
  ]

  /// The first word of a user interface and why the file is left; nil for a file of a model.
  static func reason(for source: PortedSource) -> (line: Int, sentence: String)? {
    let tokens = source.tokens
    for place in tokens.indices
    where tokens[place].kind == .word && tokens.at(place - 1)?.is("import") != true {
      let token = tokens[place]
      guard tokens.at(place - 2)?.is("canImport") != true else { continue }
      let isAttribute = tokens.at(place - 1)?.is("@") == true
      let isWord =
        words.contains(token.text)
        && (isAttribute || !["State", "EnvironmentObject"].contains(token.text))
      let isView = token.is("View") && ["some", ":", "any"].contains(tokens.at(place - 1)?.text)
      guard isWord || isView || token.text.isNameOfUIKit else { continue }
      return (
        token.line,
        "the file draws a user interface (\(token.text)) and is left alone; leave it out of the target, or "
          + "move what it does with the model into a file of its own"
      )
    }
    return nil
  }
}

extension String {
  /// `UIColor` and its like: two capitals and a third, then a small letter.
  fileprivate var isNameOfUIKit: Bool {
    guard hasPrefix("UI"), count > 4, let third = dropFirst(2).first,
      let fourth = dropFirst(3).first
    else {
      return false
    }
    return third.isUppercase && fourth.isLowercase
  }
}
