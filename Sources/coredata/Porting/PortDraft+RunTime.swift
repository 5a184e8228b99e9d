import CoreDataSwiftCode

// MARK: - Names that Apple's systems look up at run time

extension PortDraft {
  /// Tells of methods that the framework calls by their names on Apple's systems, which compile and nobody calls, and of
  /// those that cannot be overridden.
  mutating func portFunction(at index: Int) {
    guard let name = tokens.at(index + 1), name.kind == .word else { return }
    if isValidation(at: index) {
      leave(
        line: name.line,
        "\(name.name) is called by its name on Apple's systems; list it in propertyValidations of an extension"
          + " that adopts PropertyValidating"
      )
    } else if name.name.hasPrefix(Self.affecting), name.name != Self.affecting + "Value" {
      leave(
        line: name.line,
        "\(name.name) is called by its name on Apple's systems; override"
          + " keyPathsForValuesAffectingValue(forKey:), and return these paths for its key"
      )
    } else if name.is("observeValue"), overrideWord(before: index) != nil {
      leave(
        line: name.line,
        "observeValue(forKeyPath:of:change:context:) overrides nothing on Linux; adopt KeyValueObserver, and"
          + " leave out override and the call of super"
      )
    } else if ["willChangeValue", "didChangeValue"].contains(name.name),
      overrideWord(before: index) != nil
    {
      leave(
        line: name.line,
        "\(name.name) cannot be overridden on Linux, and must not be on Apple's systems; override willSave(), or"
          + " observe the property"
      )
    }
  }

  private static let affecting = "keyPathsForValuesAffecting"

  /// Whether a function is the rule of a single property, which nothing in the file names yet.
  private func isValidation(at index: Int) -> Bool {
    let name = tokens[index + 1].name
    guard name.hasPrefix("validate"), name.dropFirst(8).first?.isUppercase == true,
      name != "validateValue", tokens.at(index + 2)?.is("(") == true,
      let close = tokens.closing(of: index + 2)
    else { return false }
    return tokens[(index + 2)..<close].contains { $0.is("AutoreleasingUnsafeMutablePointer") }
      && !tokens.contains { $0.is("PropertyValidating") }
  }

  /// The word `override` among the modifiers before a declaration's keyword.
  private func overrideWord(before index: Int) -> Int? {
    modifiers(before: index).last { tokens[$0].is("override") }
  }

  private func modifiers(before index: Int) -> Range<Int> {
    let words: Set = [
      "override", "public", "open", "internal", "private", "fileprivate", "nonisolated", "class",
      "required", "convenience", "dynamic", "final",
    ]
    var first = index
    while first > 0, words.contains(tokens[first - 1].text) { first -= 1 }
    return first..<index
  }
}

// MARK: - Initializers

extension PortDraft {
  /// `override init(entity:insertInto:)` is also `required`, and so is a store's; it has the access of its class.
  ///
  /// A managed object's class with another designated initializer does not inherit that one, and gets it.
  mutating func portInitializer(at index: Int) {
    let labels: Set = ["entity", "persistentStoreCoordinator"]
    guard tokens.at(index + 1)?.is("(") == true, let label = tokens.at(index + 2),
      tokens.at(index - 1)?.is(".") != true
    else { return }
    let modifiers = modifiers(before: index)
    guard labels.contains(label.text) else {
      if !modifiers.contains(where: { tokens[$0].is("convenience") }) { addInitializer(at: index) }
      return
    }
    guard let word = overrideWord(before: index) else { return }
    if !modifiers.contains(where: { tokens[$0].is("required") }) {
      let start = tokens[word].range.lowerBound
      edit(start..<start, "required ")
    }
    let access = modifiers.first { Self.accessLevels.contains(tokens[$0].text) }
    let isPublic = tokens.enclosingClass(of: index).map(tokens.isPublic) ?? false
    if let access, ["private", "fileprivate"].contains(tokens[access].text) {
      let range = rangeWithBlanks(from: access, through: access)
      edit(range, isPublic ? "public " : "")
    } else if access == nil, isPublic {
      let start = tokens[modifiers.lowerBound].range.lowerBound
      edit(start..<start, "public ")
    }
  }

  static let accessLevels: Set = ["public", "open", "internal", "private", "fileprivate"]

  private mutating func addInitializer(at index: Int) {
    guard let keyword = tokens.enclosingClass(of: index), let name = tokens.at(keyword + 1),
      let open = tokens.brace(after: keyword), let close = tokens.closing(of: open),
      survey.isManagedObject(name.name)
    else { return }
    let others = (open..<close).filter {
      tokens[$0].is("init") && tokens[$0 - 1].is(".") == false && tokens.at($0 + 1)?.is("(") == true
    }
    guard !others.contains(where: { tokens.at($0 + 2)?.is("entity") == true }),
      others.first(where: { place in
        !modifiers(before: place).contains { tokens[$0].is("convenience") }
      }) == index
    else { return }
    let access = tokens.isPublic(keyword) ? "public " : ""
    moves.append(
      MovedMember(
        className: name.name,
        text: """
            \(access)required override init(
              entity: NSEntityDescription,
              insertInto context: NSManagedObjectContext?
            ) {
              super.init(entity: entity, insertInto: context)
            }
          """
      )
    )
  }
}

extension [SwiftToken] {
  /// The keyword of the class around a place; `nil` outside of classes, as in an extension.
  func enclosingClass(of place: Int) -> Int? {
    var depth = 0
    for index in indices[..<place].reversed() {
      if self[index].is("}") { depth += 1 }
      guard self[index].is("{") else { continue }
      guard depth == 0 else {
        depth -= 1
        continue
      }
      return self[..<index].indices.last {
        ["class", "struct", "enum", "extension", "actor", "func", "var", "init"]
          .contains(self[$0].text) && brace(after: $0) == index
      }.flatMap { self[$0].is("class") ? $0 : nil }
    }
    return nil
  }

  /// Whether a declaration is public, by the modifiers before its keyword.
  func isPublic(_ keyword: Int) -> Bool {
    var index = keyword - 1
    while index >= 0, ["final", "public", "open", "nonisolated"].contains(self[index].text) {
      if self[index].is("public") || self[index].is("open") { return true }
      index -= 1
    }
    return false
  }
}

// MARK: - Key paths in texts

extension PortDraft {
  /// `"\(#keyPath(Note.title)) == %@"` has the key in its place, and so has `#"\#(#keyPath(Note.title))"#`.
  mutating func portInterpolations(at index: Int) {
    let token = tokens[index]
    let hashes = token.text.prefix { $0 == "#" }
    guard token.text.dropFirst(hashes.count).first == "\"" else { return }
    let interpolation = "\\\(hashes)("
    if token.text.contains(interpolation + "#selector(") {
      leave(line: token.line, "#selector does not exist on Linux; write the name into the text")
    }
    let parts = token.text.split(
      separator: interpolation + "#keyPath(",
      omittingEmptySubsequences: false
    )
    var text = String(parts[0])
    for (before, part) in zip(parts, parts.dropFirst()) {
      // A backslash before the backslash makes characters of both, unless the text is raw.
      guard !hashes.isEmpty || !before.hasSuffix("\\") else { return }
      guard let end = part.firstRange(of: "))"), let key = Self.key(inText: part[..<end.lowerBound])
      else {
        leave(line: token.line, "#keyPath does not exist on Linux; write the key into the text")
        return
      }
      text += key + part[end.upperBound...]
    }
    if parts.count > 1 { edit(token.range, text) }
  }

  /// The key of a key path in a text; `nil` for a text that is more than a path.
  private static func key(inText path: Substring) -> String? {
    let isPath = path.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    let key = Self.key(path.split(separator: ".").map(String.init))
    return isPath && !key.isEmpty ? key : nil
  }

  /// The key that a key path's words mean: those behind the type's name.
  static func key(_ words: [String]) -> String {
    words.drop { $0.first?.isUppercase == true || $0 == "self" }.joined(separator: ".")
  }
}
