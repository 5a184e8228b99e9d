import CoreDataSwiftCode

// MARK: - Imports

extension PortDraft {
  /// Replaces imports of frameworks that are not there; adds Core Data's if it is used without one.
  mutating func portImports() {
    let imports = tokens.indices.compactMap { ImportStatement(at: $0, in: tokens) }
    var present = Set(imports.map { tokens[$0.module].text })
    for statement in imports {
      let module = tokens[statement.module].text
      if isConditional(statement.keyword) { continue }
      guard BuildCondition.absentModules.contains(module) else {
        portSubmodule(of: statement)
        continue
      }
      if module == "Combine", keepsCombine(tokens[statement.module].line) { continue }
      let needed = ["CoreData", "Foundation"].first { wanted in
        !present.contains(wanted)
          && (wanted == "Foundation"
            ? present.isDisjoint(with: ["CoreData", "SwiftData"]) : usesCoreData)
      }
      if let needed {
        let start = tokens[statement.keyword + 1].range.lowerBound
        edit(start..<tokens[statement.last].range.upperBound, needed)
        present.insert(needed)
      } else {
        edit(rangeWithBlanks(from: statement.first, through: statement.last), "")
      }
    }
    // After an import under an #if, it would not hold for Linux.
    let last = imports.last(where: { !isConditional($0.keyword) })
    let place =
      last.map { source.endOfLine(at: tokens[$0.keyword].range.lowerBound) } ?? startOfCode
    importCombine(at: place)
    guard usesCoreData, !present.contains("CoreData") else { return }
    edit(place..<place, "import CoreData\n")
  }

  /// `import CoreData.CoreDataDefines` imports the whole module, because no module has submodules on Linux.
  private mutating func portSubmodule(of statement: ImportStatement) {
    guard statement.last > statement.module, statement.module == statement.keyword + 1,
      ["CoreData", "Foundation", "SwiftData"].contains(tokens[statement.module].text)
    else { return }
    let module = tokens[statement.module].range
    edit(module.upperBound..<tokens[statement.last].range.upperBound, "")
  }

  /// Adds the import of Combine that Foundation and SwiftUI make on Apple's systems.
  private mutating func importCombine(at place: Int) {
    let names: Set = ["ObservableObject", "Published"]
    let use = tokens.first {
      $0.kind == .word && names.contains($0.name) && !survey.declaredTypes.contains($0.name)
    }
    guard let use, !modules.contains("Combine"), !modules.isEmpty else { return }
    edit(place..<place, "import Combine\n")
    leave(
      line: use.line,
      "\(use.name) is of Combine, which Foundation imports on Apple's systems only; add the product CoreDataCombine to "
        + "the target"
    )
  }

  /// Leaves the import of Combine in a file that uses it, and offers the module of that name.
  private mutating func keepsCombine(_ line: Int) -> Bool {
    let names = Set(tokens.filter { $0.kind == .word }.map(\.name))
    guard !names.isDisjoint(with: AbsentNames.ofCombine.subtracting(survey.declaredTypes)) else {
      return false
    }
    leave(
      line: line,
      "Combine does not exist on Linux; add the product CoreDataCombine to the target, whose module Combine has "
        + "subjects, @Published and the usual operators"
    )
    return true
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
        "containerURL", "NSManaged", "NSFetch", "NSPersistent", "NSEntityDescription", "NSBatch",
        "NSMergePolicy",
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

extension [SwiftToken] {
  var importedModules: Set<String> {
    Set(indices.compactMap { ImportStatement(at: $0, in: self) }.map { self[$0.module].text })
  }
}

/// The signs that a file draws.
enum UserInterface {
  /// Attributes of a view's parts.
  private static let attributes: Set<String> = [
    "EnvironmentObject", "IBAction", "IBOutlet", "ObservedObject", "State", "StateObject",
  ]
  private static let types: Set<String> = [
    "NSApplication", "NSColor", "NSFont", "NSImage", "NSView", "NSViewController", "NSWindow",
    "PreviewProvider", "Color", "Image", "WindowGroup",
  ]

  /// The first word that makes a file one of a user interface, and why the file is left; `nil` for other files.
  ///
  /// Such a file declares a type that draws. A file of a model that names a picture or a color is ported.
  static func reason(
    for source: PortedSource,
    declaring declaredTypes: Set<String>
  ) -> (line: Int, sentence: String)? {
    let tokens = source.tokens
    guard !tokens.importedModules.isDisjoint(with: AbsentNames.drawing) else { return nil }
    for place in tokens.indices
    where tokens[place].kind == .word && tokens.at(place - 1)?.is("import") != true {
      let token = tokens[place]
      let isPart = tokens.at(place - 1)?.is("@") == true && attributes.contains(token.text)
      let isView = token.is("View") && ["some", "any"].contains(tokens.at(place - 1)?.text)
      let isBase =
        (token.is("View") || token.is("App") || isNameOfDrawing(token.name))
        && !declaredTypes.contains(token.name) && isInherited(at: place, in: tokens)
      guard isPart || isView || isBase else { continue }
      return (
        token.line,
        "the file draws a user interface (\(token.text)) and is left alone; leave it out of the target, or "
          + "move its work with the model into a file of its own" + advice(tokens)
      )
    }
    return nil
  }

  /// The replacements of SwiftUI's parts of SwiftData.
  private static func advice(_ tokens: [SwiftToken]) -> String {
    guard tokens.importedModules.contains("SwiftData") else { return "" }
    let hasQuery = tokens.indices.contains {
      tokens[$0].is("@") && tokens.at($0 + 1)?.is("Query") == true
    }
    let hasContainer = tokens.contains { $0.is("modelContainer") }
    return (hasQuery ? "; a ResultsObserver follows a fetch as @Query does" : "")
      + (hasContainer ? "; ModelContainer(for:) makes the container" : "")
  }

  /// Whether a name is of a type of UIKit, AppKit or SwiftUI.
  static func isNameOfDrawing(_ name: String) -> Bool { types.contains(name) || name.isOfUIKit }

  /// Whether a type is in the list behind the colon of a class's or another type's declaration.
  private static func isInherited(at place: Int, in tokens: [SwiftToken]) -> Bool {
    var index = place - 1
    while index > 0, tokens[index].is(",") || tokens[index].is(".") || tokens[index].kind == .word {
      index -= 1
    }
    guard index >= 2, tokens[index].is(":"), tokens[index - 1].kind == .word else { return false }
    var keyword = index - 2
    while keyword > 0, tokens[keyword].is(".") { keyword -= 2 }
    return keyword >= 0 && ["class", "struct", "enum", "extension"].contains(tokens[keyword].text)
  }
}

extension String {
  /// `UIColor` and its like: two capitals and a third, then a small letter.
  fileprivate var isOfUIKit: Bool {
    guard hasPrefix("UI"), count > 4, let third = dropFirst(2).first,
      let fourth = dropFirst(3).first
    else {
      return false
    }
    return third.isUppercase && fourth.isLowercase
  }
}
