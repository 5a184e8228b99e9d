import CoreDataSwiftCode

// MARK: - Optional requirements

extension PortDraft {
  /// `@objc optional func f()` becomes a requirement with an empty body in an extension.
  mutating func portOptionalRequirements() {
    for place in tokens.indices
    where tokens[place].is("protocol") && tokens.at(place + 1)?.kind == .word {
      guard let open = tokens.brace(after: place), let close = tokens.closing(of: open) else {
        continue
      }
      let defaults = (open..<close).filter { tokens[$0].is("optional") }.compactMap {
        requirement($0)
      }
      guard !defaults.isEmpty else { continue }
      let access = tokens.at(place - 1)?.is("public") == true ? "public " : ""
      let members = defaults.map { "  \(access)\($0) {}" }.joined(separator: "\n")
      let end = tokens[close].range.upperBound
      edit(end..<end, "\n\nextension \(tokens[place + 1].name) {\n\(members)\n}")
    }
  }

  /// The signature of an optional method without a result; the word goes.
  private mutating func requirement(_ place: Int) -> String? {
    guard tokens.at(place + 1)?.is("func") == true, tokens.result(ofFunction: place + 1) == nil,
      let open = tokens[place...].firstIndex(where: { $0.is("(") }),
      let close = tokens.closing(of: open)
    else {
      leave(
        line: tokens[place].line,
        "Swift's protocols have no optional requirements; give this one a default in an extension of the "
          + "protocol, and call it without '?'"
      )
      return nil
    }
    edit(rangeWithBlanks(from: place, through: place), "")
    return source.text(tokens[place + 1].range.lowerBound..<tokens[close].range.upperBound)
  }
}

// MARK: - Overrides in extensions

extension PortDraft {
  /// Takes overrides out of extensions; the class's own declaration gets them.
  mutating func portOverrides() {
    for place in tokens.indices
    where tokens[place].is("extension") && tokens.at(place + 1)?.kind == .word {
      guard let open = tokens.brace(after: place), let close = tokens.closing(of: open) else {
        continue
      }
      // Of `Journal.Note` it is the class Note.
      var name = place + 1
      while tokens.at(name + 1)?.is(".") == true, tokens.at(name + 2)?.kind == .word { name += 2 }
      var index = open + 1
      while index < close {
        if ["(", "[", "{"].contains(tokens[index].text) {
          index = (tokens.closing(of: index) ?? index) + 1
        } else {
          if tokens[index].is("override") {
            portOverride(index, of: tokens[name].name, from: open, inPublic: tokens.isPublic(place))
          }
          index += 1
        }
      }
    }
  }

  private mutating func portOverride(
    _ place: Int,
    of className: String,
    from open: Int,
    inPublic isPublic: Bool
  ) {
    guard let body = tokens.brace(after: place), let end = tokens.closing(of: body) else { return }
    guard survey.classEnds[className] != nil else {
      leave(
        line: tokens[place].line,
        "an extension cannot override here; set the entity's code generation to Category/Extension, write "
          + "'class \(className): NSManagedObject {}' and move the override into it"
      )
      return
    }
    guard let range = lines(from: place, through: end, after: open) else {
      leave(
        line: tokens[place].line,
        "an extension cannot override here; give the override lines of its own, and run port once more"
      )
      return
    }
    let access = tokens[..<place].last?.text ?? ""
    if isPublic, !Self.accessLevels.contains(access),
      !Self.accessLevels.contains(tokens.at(place + 1)?.text ?? "")
    {
      let start = tokens[place].range.lowerBound
      edit(start..<start, "public ")
    }
    moves.append(MovedMember(className: className, text: text(ofLines: range)))
    dropEdits(in: range)
    let next = source.endOfLine(at: range.upperBound)
    let isBlankBelow = source.text(range.upperBound..<next).allSatisfy(\.isWhitespace)
    edit(range.lowerBound..<(isBlankBelow ? next : range.upperBound), "")
  }

  /// The whole lines of a member, with the attributes and comments just above it; `nil` if something else is on them.
  private func lines(from place: Int, through end: Int, after open: Int) -> Range<Int>? {
    var first = place
    while first - 1 > open, !tokens[first - 1].is("}"), !tokens[first].isFirstOnLine { first -= 1 }
    guard tokens[first].isFirstOnLine, tokens.at(end + 1)?.isFirstOnLine ?? true else { return nil }
    var start = source.startOfLine(at: tokens[first].range.lowerBound)
    while start > 0 {
      let above = source.startOfLine(at: start - 1)
      let line = source.text(above..<start).drop { $0 == " " || $0 == "\t" }
      guard line.hasPrefix("//") || line.hasPrefix("@") else { break }
      start = above
    }
    return start..<source.endOfLine(at: tokens[end].range.lowerBound)
  }

  private func text(ofLines range: Range<Int>) -> String {
    var text = edited(range)
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
