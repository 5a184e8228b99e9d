import CoreDataSwiftCode

// MARK: - Imports

extension PortDraft {
  /// Replaces imports of frameworks that are not there; adds Core Data's where it is used without.
  mutating func portImports() {
    let imports = tokens.indices.filter {
      tokens[$0].is("import") && tokens.at($0 + 1)?.kind == .word
    }
    .filter { tokens[$0].isFirstOnLine || tokens[$0 - 1].isFirstOnLine }
    var present = Set(imports.map { tokens[$0 + 1].text })
    for place in imports {
      let module = tokens[place + 1].text
      guard BuildCondition.absentModules.contains(module), !isConditional(place) else { continue }
      let needed = ["CoreData", "Foundation"].first { wanted in
        !present.contains(wanted)
          && (wanted == "Foundation" ? present.isDisjoint(with: ["CoreData"]) : usesCoreData)
      }
      if let needed {
        edit(tokens[place + 1].range, needed)
        present.insert(needed)
      } else {
        edit(rangeWithBlanks(from: place, through: place + 1), "")
      }
    }
    guard usesCoreData, !present.contains("CoreData") else { return }
    let place =
      imports.last.map { source.endOfLine(at: tokens[$0].range.lowerBound) } ?? startOfCode
    edit(place..<place, "import CoreData\n")
  }

  private var startOfCode: Int {
    tokens.first.map { source.startOfLine(at: $0.range.lowerBound) } ?? 0
  }

  /// Whether a place stands under an `#if`, where somebody has thought of it already.
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

/// What tells that a file draws.
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
