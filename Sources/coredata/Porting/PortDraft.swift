import CoreDataSwiftCode

/// A file with the edits that were found for it.
struct PortDraft {
  let source: PortedSource
  let survey: PortSurvey
  /// The modules that the file imports.
  let modules: Set<String>
  private(set) var remarks: [PortRemark] = []
  var moves: [MovedMember] = []
  private var edits: [(range: Range<Int>, text: String)] = []

  init(_ source: PortedSource, _ survey: PortSurvey) {
    self.source = source
    self.survey = survey
    modules = source.tokens.importedModules
  }

  var tokens: [SwiftToken] { source.tokens }

  /// Finds everything there is to change.
  mutating func port() {
    portImports()
    portOptionalRequirements()
    for index in tokens.indices {
      portCloudKit(at: index)
      switch tokens[index].text {
      case "@": portAttribute(at: index)
      case "#keyPath": portKeyPath(at: index)
      case "#selector": portSelector(at: index)
      case "forResource", "forResourcesWithExtension": portBundle(at: index)
      case "func": portFunction(at: index)
      case "init": portInitializer(at: index)
      case _ where tokens[index].kind == .string: portInterpolations(at: index)
      default: portWord(at: index)
      }
    }
    leaveAbsentNames()
    // Last, so that a member takes its other edits along.
    portOverrides()
  }

  mutating func edit(_ range: Range<Int>, _ text: String) {
    edits.append((range, text))
  }

  mutating func leave(line: Int, _ reason: String) {
    remarks.append(PortRemark(path: source.path, line: line, reason: reason))
  }

  /// The file with its edits; nil if there are none.
  var change: PortedChange? {
    guard !edits.isEmpty else { return nil }
    var new: [UInt8] = []
    var position = 0
    let sorted = edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    for (_, edit) in sorted where edit.range.lowerBound >= position {
      new += source.bytes[position..<edit.range.lowerBound]
      new += Array(source.withOwnLineEnds(edit.text).utf8)
      position = edit.range.upperBound
    }
    new += source.bytes[position...]
    return new == source.bytes ? nil : PortedChange(path: source.path, old: source.bytes, new: new)
  }

  /// The text of a range with the edits inside it.
  func edited(_ range: Range<Int>) -> String {
    var text = ""
    var position = range.lowerBound
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where edit.range.lowerBound >= position && edit.range.upperBound <= range.upperBound {
      text += source.text(position..<edit.range.lowerBound) + edit.text
      position = edit.range.upperBound
    }
    return text + source.text(position..<range.upperBound)
  }

  mutating func dropEdits(in range: Range<Int>) {
    edits.removeAll {
      range.contains($0.range.lowerBound) && $0.range.upperBound <= range.upperBound
    }
  }
}

// MARK: - Attributes

extension PortDraft {
  private mutating func portAttribute(at index: Int) {
    guard let name = tokens.at(index + 1), name.kind == .word else { return }
    if name.is("objc") || name.is("objcMembers") { removeAttribute(at: index) }
    if name.is("Query"), modules.contains("SwiftData") {
      leave(line: name.line, "@Query is SwiftUI's; follow the fetch with a ResultsObserver")
    }
  }

  private mutating func removeAttribute(at index: Int) {
    var end = index + 1
    var objcName: String?
    if let open = tokens.at(index + 2), open.is("("),
      open.range.lowerBound == tokens[end].range.upperBound,
      let close = tokens.closing(of: index + 2)
    {
      objcName = source.text(open.range.upperBound..<tokens[close].range.lowerBound)
      end = close
    }
    edit(rangeWithBlanks(from: index, through: end), "")
    guard let keyword = declaration(after: end) else { return }
    for modifier in tokens[(end + 1)..<max(keyword, end + 1)].indices
    where tokens[modifier].is("dynamic") {
      edit(rangeWithBlanks(from: modifier, through: modifier), "")
    }
    warnOfName(objcName, keyword)
    bindToClasses(keyword)
  }

  /// A protocol with `@objc` is for classes only, so that references to it may be weak.
  private mutating func bindToClasses(_ keyword: Int) {
    guard tokens[keyword].is("protocol"), let name = tokens.at(keyword + 1), name.kind == .word,
      tokens.at(keyword + 2)?.is("{") == true
    else { return }
    edit(name.range.upperBound..<name.range.upperBound, ": AnyObject")
  }

  /// The keyword of the declaration that an attribute belongs to.
  private func declaration(after index: Int) -> Int? {
    let keywords: Set = [
      "class", "var", "let", "func", "enum", "protocol", "extension", "init", "case", "subscript",
    ]
    return (index + 1..<min(index + 12, tokens.count)).first { place in
      keywords.contains(tokens[place].text)
        && !(tokens[place].is("class") && tokens.at(place + 1)?.is("func") == true)
    }
  }

  private mutating func warnOfName(_ objcName: String?, _ keyword: Int) {
    guard let objcName, tokens[keyword].is("class"), let name = tokens.at(keyword + 1),
      name.name != objcName
    else { return }
    leave(
      line: name.line,
      "Objective-C knew class \(name.name) as \(objcName); if a model, a mapping model or an archive says "
        + "\(objcName), let it say \(name.name), or rename the class"
    )
  }

  /// A range of tokens with the blanks behind it, or with its whole line if nothing else is on it.
  func rangeWithBlanks(from first: Int, through last: Int) -> Range<Int> {
    let start = tokens[first].range.lowerBound
    let end = tokens[last].range.upperBound
    let next = tokens.at(last + 1)
    if tokens[first].isFirstOnLine, next?.isFirstOnLine ?? true,
      source.isRestBlank(at: end)
    {
      return source.startOfLine(at: start)..<source.endOfLine(at: end)
    }
    return start..<source.endOfBlanks(at: end)
  }
}

// MARK: - Key paths and bundles

extension PortDraft {
  private mutating func portKeyPath(at index: Int) {
    guard tokens.at(index + 1)?.is("(") == true, let close = tokens.closing(of: index + 1) else {
      return
    }
    let words = tokens[(index + 2)..<close].filter { $0.kind == .word }.map(\.name)
    let path = Self.key(words)
    guard !path.isEmpty else {
      leave(line: tokens[index].line, "#keyPath names no property; write the key as a string")
      return
    }
    edit(tokens[index].range.lowerBound..<tokens[close].range.upperBound, "\"\(path)\"")
  }

  /// `Bundle.main.url(forResource: "Notes", withExtension: "momd")` is the target's bundle here.
  private mutating func portBundle(at index: Int) {
    guard let open = tokens[..<index].lastIndex(where: { $0.is("(") }),
      let close = tokens.closing(of: open),
      tokens[open..<close].contains(where: { ["\"momd\"", "\"mom\""].contains($0.text) }),
      tokens.at(open - 3)?.is("main") == true, tokens.at(open - 5)?.is("Bundle") == true
    else { return }
    edit(tokens[open - 3].range, "module")
  }

  /// `Bundle(for: Store.self).url(forResource: "Notes", withExtension: "momd")` is the target's bundle here too.
  private mutating func portBundleOfClass(at index: Int) {
    guard tokens.at(index + 1)?.is("(") == true, let close = tokens.closing(of: index + 1),
      let call = tokens.at(close + 2), ["url", "path", "urls", "paths"].contains(call.text),
      tokens.at(close + 3)?.is("(") == true, let end = tokens.closing(of: close + 3),
      tokens[(close + 3)..<end].contains(where: { ["\"momd\"", "\"mom\""].contains($0.text) })
    else { return }
    edit(tokens[index].range.lowerBound..<tokens[close].range.upperBound, "Bundle.module")
  }

  /// An app group's folder becomes the default folder of containers, which every program of a user can reach.
  private mutating func portGroupFolder(at index: Int) {
    guard index >= 4, tokens[index - 1].is("."), tokens[index - 2].is("default"),
      tokens[index - 3].is("."), tokens[index - 4].is("FileManager"),
      tokens.at(index + 1)?.is("(") == true,
      tokens.at(index + 2)?.is("forSecurityApplicationGroupIdentifier") == true,
      let close = tokens.closing(of: index + 1)
    else { return }
    edit(
      tokens[index - 4].range.lowerBound..<tokens[close].range.upperBound,
      "Optional(NSPersistentContainer.defaultDirectoryURL())"
    )
    leave(
      line: tokens[index].line,
      "app groups do not exist on Linux; the store is in the container's default folder now, which differs from "
        + "program to program: name a folder that all of them know"
    )
  }

  private func isArgumentOfString(at index: Int) -> Bool {
    index >= 2 && tokens[index - 1].is("(") && tokens[index - 2].is("String")
      && tokens.at(index + 1)?.is(":") == true
  }

  /// `note.tags = [tag]`, where `tags` is an `NSSet`, which a literal cannot make on Linux.
  ///
  /// A variable of the same name is not meant, and neither is `[Tag]()`.
  private mutating func portSetLiteral(at index: Int) {
    guard tokens.at(index + 1)?.is("=") == true, tokens.at(index + 2)?.is("[") == true,
      let close = tokens.closing(of: index + 2),
      !["var", "let"].contains(tokens.at(index - 1)?.text), tokens.at(close + 1)?.is("(") != true
    else { return }
    let start = tokens[index + 2].range.lowerBound
    edit(start..<start, "NSSet(array: ")
    let end = tokens[close].range.upperBound
    edit(end..<end, ")")
  }

  /// Whether a generic type follows `as!`, `as?` or `is`.
  private func isTypeOfCast(at index: Int) -> Bool {
    guard tokens.at(index + 1)?.is("<") == true, let before = tokens.at(index - 1) else {
      return false
    }
    if before.is("is") { return true }
    return (before.is("!") || before.is("?")) && tokens.at(index - 2)?.is("as") == true
  }

  private mutating func portWord(at index: Int) {
    let token = tokens[index]
    guard token.kind == .word else { return }
    if survey.optionalMethods.contains(token.name), tokens.at(index - 1)?.is(".") == true,
      let mark = tokens.at(index + 1), mark.is("?"), tokens.at(index + 2)?.is("(") == true
    {
      edit(mark.range, "")
    }
    switch token.text {
    case "NSFetchRequest" where isTypeOfCast(at: index):
      leave(
        line: token.line,
        "a cast between types of NSFetchRequest always fails on Linux; write "
          + "NSFetchRequest<NSFetchRequestResult>(request), or give the request its type where it is made"
      )
    case "NSFetchedResultsController" where isTypeOfCast(at: index):
      leave(
        line: token.line,
        "a cast between types of NSFetchedResultsController always fails on Linux; compare with === and use "
          + "the controller that you have made"
      )
    case "CFAbsoluteTimeGetCurrent" where tokens.at(index + 2)?.is(")") == true:
      edit(
        token.range.lowerBound..<tokens[index + 2].range.upperBound,
        "Date().timeIntervalSinceReferenceDate"
      )
    case "Bundle" where tokens.at(index + 2)?.is("for") == true: portBundleOfClass(at: index)
    case "containerURL": portGroupFolder(at: index)
    case "localized" where isArgumentOfString(at: index):
      leave(
        line: token.line,
        "String(localized:) does not exist on Linux; write the text, or look it up in a table of your own"
      )
    case _ where survey.isPlainSet(token.name): portSetLiteral(at: index)
    default: break
    }
  }
}
