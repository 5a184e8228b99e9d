import CoreDataSwiftCode

// MARK: - #selector

extension PortDraft {
  mutating func portSelector(at index: Int) {
    guard tokens.at(index + 1)?.is("(") == true, let close = tokens.closing(of: index + 1) else {
      return
    }
    let method = SelectedMethod(tokens[(index + 2)..<close])
    if let comparison = method.comparison {
      edit(
        tokens[index].range.lowerBound..<tokens[close].range.upperBound,
        "Selector(\"\(comparison)\")"
      )
    } else if !portObserver(index, close, method) {
      leave(
        line: tokens[index].line,
        "#selector does not exist on Linux; give the receiver a closure, or call "
          + "\(method.name) yourself"
      )
    }
  }

  /// `center.addObserver(self, selector: #selector(f(_:)), name: n, object: o)` gets a closure.
  private mutating func portObserver(_ selector: Int, _ end: Int, _ method: SelectedMethod) -> Bool
  {
    guard let open = tokens[..<selector].lastIndex(where: { $0.is("(") }),
      tokens.at(open - 1)?.is("addObserver") == true, tokens.at(open + 1)?.is("self") == true,
      let close = tokens.closing(of: open), tokens.at(end + 1)?.is(",") == true
    else { return false }
    let arguments = arguments(from: end + 2, to: close)
    guard let name = arguments["name"] else { return false }
    let start = receiverStart(of: open - 1)
    let isStatement = tokens[start].isFirstOnLine
    let takes = method.takesArgument ?? survey.takesArgument[method.name] ?? true
    let label = method.label.map { "\($0): " } ?? ""
    let call = "self?.\(method.name)(\(takes ? "\(label)notification" : ""))"
    edit(
      tokens[start].range.lowerBound..<tokens[close].range.upperBound,
      """
      \(isStatement ? "_ = " : "")\(source.text(tokens[start].range.lowerBound..<tokens[open].range.upperBound))\
      forName: \(name), object: \(arguments["object"] ?? "nil"), queue: nil) \
      { [weak self] \(takes ? "notification" : "_") in \(call) }
      """
    )
    leave(
      line: tokens[selector].line,
      "the observer is a closure now; keep what addObserver returns and hand it to removeObserver, where the "
        + "object goes before the notifications end"
    )
    return true
  }

  /// The texts of arguments by their labels.
  private func arguments(from start: Int, to end: Int) -> [String: String] {
    var arguments: [String: String] = [:]
    var place = start
    while place < end, tokens[place].kind == .word, tokens.at(place + 1)?.is(":") == true {
      var last = place + 2
      while last < end, !tokens[last].is(",") {
        last =
          ["(", "[", "{"].contains(tokens[last].text)
          ? (tokens.closing(of: last) ?? last) + 1 : last + 1
      }
      let text = source.text(tokens[place + 2].range.lowerBound..<tokens[last - 1].range.upperBound)
      arguments[tokens[place].text] = text
      place = last + 1
    }
    return arguments
  }

  /// The first token of the expression before a method's name.
  private func receiverStart(of method: Int) -> Int {
    var place = method
    while place >= 2, tokens[place - 1].is(".") {
      place -= 2
      if tokens[place].is("?"), place >= 1 { place -= 1 }
      guard tokens[place].is(")") else { continue }
      var depth = 0
      repeat {
        if tokens[place].is(")") { depth += 1 }
        if tokens[place].is("(") { depth -= 1 }
        place -= 1
      } while depth > 0 && place > 0
    }
    return place
  }
}

/// The method in a `#selector`.
private struct SelectedMethod {
  let type: String?
  let name: String
  /// Whether it takes something; nil if that is not said.
  let takesArgument: Bool?
  /// The label of what it takes, if it has one.
  let label: String?

  init(_ tokens: ArraySlice<SwiftToken>) {
    let path = tokens.prefix { !$0.is("(") }.filter { $0.kind == .word }.map(\.name)
    type = path.count > 1 ? path[path.count - 2] : nil
    name = path.last ?? ""
    takesArgument = tokens.contains { $0.is("(") } ? tokens.contains { $0.is(":") } : nil
    let colon = tokens.firstIndex { $0.is(":") }
    label = colon.flatMap { tokens[tokens.index(before: $0)].name }.flatMap { $0 == "_" ? nil : $0 }
  }

  /// The selector of a comparison, as sort descriptors take it.
  var comparison: String? {
    let comparisons: Set = [
      "caseInsensitiveCompare", "compare", "localizedCaseInsensitiveCompare", "localizedCompare",
      "localizedStandardCompare",
    ]
    let types: Set = ["NSString", "String", "NSNumber", "NSDate", "NSDecimalNumber"]
    guard comparisons.contains(name), type.map(types.contains) ?? false else { return nil }
    return "\(name):"
  }
}
