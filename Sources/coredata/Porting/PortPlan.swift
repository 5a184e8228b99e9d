import CoreDataSwiftCode

/// The changes that porting makes in files, and the remarks for people.
struct PortPlan {
  private(set) var changes: [PortedChange] = []
  private(set) var remarks: [PortRemark] = []

  init(for files: [PortedSource]) {
    let survey = PortSurvey(of: files)
    var drafts = files.map { PortDraft($0, survey) }
    for index in drafts.indices {
      if let reason = survey.reasonToLeave(drafts[index].source) {
        drafts[index].leave(line: reason.line, reason.sentence)
      } else {
        drafts[index].port()
      }
    }
    move(drafts.flatMap(\.moves), survey, in: &drafts)
    changes = drafts.compactMap(\.change)
    remarks = drafts.flatMap { $0.remarks.sorted { $0.line < $1.line } }
  }

  /// Puts members that were taken out of extensions into their classes.
  private func move(_ moves: [MovedMember], _ survey: PortSurvey, in drafts: inout [PortDraft]) {
    var filled: Set<String> = []
    for move in moves {
      guard let place = survey.classEnds[move.className] else { continue }
      let isFirst = filled.insert(move.className).inserted
      let gap = isFirst ? drafts[place.file].source.gap(before: place.offset) : "\n"
      drafts[place.file].edit(place.offset..<place.offset, "\(gap)\(move.text)\n")
    }
  }
}

/// A file before and after.
struct PortedChange {
  let path: String
  let old: [UInt8]
  let new: [UInt8]
}

/// Something left alone, with the reason.
struct PortRemark {
  let path: String
  let line: Int
  let reason: String

  var sentence: String { "\(path):\(line): \(reason)" }
}

/// A member on its way from an extension into its class.
struct MovedMember {
  let className: String
  let text: String
}

/// The facts about all files together.
struct PortSurvey {
  struct Place {
    let file: Int
    /// Just before the line of the class's closing brace.
    let offset: Int
  }

  /// The places for new members of classes.
  private(set) var classEnds: [String: Place] = [:]
  /// Optional methods of protocols, which become plain ones.
  private(set) var optionalMethods: Set<String> = []
  /// Methods by name, with whether they take anything.
  private(set) var takesArgument: [String: Bool] = [:]
  /// The names of all types that the files declare.
  private(set) var declaredTypes: Set<String> = []
  /// The names of classes by what they inherit first.
  private var superclasses: [String: String] = [:]
  /// The properties of type `NSSet`, with whether all of that name are.
  private var plainSets: [String: Bool] = [:]

  init(of files: [PortedSource]) {
    for file in files { readTypes(file.tokens) }
    for (index, file) in files.enumerated() {
      read(file, index, isLeft: reasonToLeave(file) != nil)
    }
  }

  func reasonToLeave(_ file: PortedSource) -> (line: Int, sentence: String)? {
    UserInterface.reason(for: file, declaring: declaredTypes)
  }

  /// Whether a class is `NSManagedObject` or inherits from it, as far as the files say.
  func isManagedObject(_ name: String) -> Bool {
    var name = name
    for _ in 0..<64 {
      if name == "NSManagedObject" { return true }
      guard let next = superclasses[name] else { return false }
      name = next
    }
    return false
  }

  /// Whether every property of that name is an `NSSet`.
  func isPlainSet(_ name: String) -> Bool { plainSets[name] == true }

  private mutating func readTypes(_ tokens: [SwiftToken]) {
    for place in tokens.indices where tokens[place].kind == .word {
      guard let name = tokens.at(place + 1), name.kind == .word else { continue }
      switch tokens[place].text {
      case "class", "struct", "enum", "protocol", "actor", "typealias":
        declaredTypes.insert(name.name)
        if tokens[place].is("class") {
          superclasses[name.name] = tokens.firstInherited(byClass: place)?.name
        }
      case "var", "let":
        guard tokens.at(place + 2)?.is(":") == true, let type = tokens.at(place + 3) else {
          continue
        }
        plainSets[name.name] = type.is("NSSet") && plainSets[name.name] ?? true
      default: break
      }
    }
  }

  private mutating func read(_ file: PortedSource, _ index: Int, isLeft: Bool) {
    let tokens = file.tokens
    for place in tokens.indices where tokens[place].kind == .word {
      switch tokens[place].text {
      case "class" where !isLeft:
        guard let name = tokens.at(place + 1), name.kind == .word,
          let open = tokens.brace(after: place),
          let close = tokens.closing(of: open)
        else { continue }
        classEnds[name.name] = Place(
          file: index,
          offset: tokens[close].isFirstOnLine
            ? file.startOfLine(at: tokens[close].range.lowerBound) : tokens[close].range.lowerBound
        )
      case "func":
        guard let name = tokens.at(place + 1), tokens.at(place + 2)?.is("(") == true else {
          continue
        }
        takesArgument[name.name] = tokens.at(place + 3)?.is(")") == false
        if tokens.at(place - 1)?.is("optional") == true, tokens.result(ofFunction: place) == nil {
          optionalMethods.insert(name.name)
        }
      default: break
      }
    }
  }
}

extension [SwiftToken] {
  func at(_ index: Int) -> SwiftToken? { indices.contains(index) ? self[index] : nil }

  /// The first brace after a place, if a declaration has one.
  func brace(after place: Int) -> Int? {
    self[place...].firstIndex { $0.is("{") || $0.is("}") }.flatMap { self[$0].is("{") ? $0 : nil }
  }

  /// The sign that closes the one at a place.
  func closing(of place: Int) -> Int? {
    var depth = 0
    for index in place..<count where self[index].kind == .sign {
      switch self[index].text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: break
      }
      if depth == 0 { return index }
    }
    return nil
  }

  /// The name of the type that a class inherits first, without a module's name; `nil` if it inherits nothing.
  func firstInherited(byClass place: Int) -> SwiftToken? {
    var index = place + 2
    var depth = 0
    while let token = at(index), depth > 0 || token.is("<") {
      depth += token.is("<") ? 1 : token.is(">") ? -1 : 0
      index += 1
    }
    guard at(index)?.is(":") == true else { return nil }
    if at(index + 1)?.is("CoreData") == true, at(index + 2)?.is(".") == true { index += 2 }
    return at(index + 1)
  }

  /// The first token of a function's result; `nil` if it does not return anything.
  func result(ofFunction place: Int) -> SwiftToken? {
    guard let open = self[place...].firstIndex(where: { $0.is("(") }),
      let close = closing(of: open),
      at(close + 1)?.is("->") == true
    else { return nil }
    return at(close + 2)
  }
}

extension PortedSource {
  func startOfLine(at offset: Int) -> Int {
    bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? beginning
  }

  /// The beginning of the text: after the mark of its encoding, if there is one.
  private var beginning: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  /// A line feed, unless the line before a place is blank.
  func gap(before offset: Int) -> String {
    guard offset > 0, bytes[offset - 1] == UInt8(ascii: "\n") else { return "\n" }
    let line = text(startOfLine(at: offset - 1)..<offset - 1)
    return line.allSatisfy(\.isWhitespace) ? "" : "\n"
  }

  /// The start of the next line.
  func endOfLine(at offset: Int) -> Int {
    guard offset < bytes.count else { return bytes.count }
    return bytes[offset...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
  }

  /// Whether only blanks are between a place and the end of its line.
  func isRestBlank(at offset: Int) -> Bool {
    text(offset..<endOfLine(at: offset)).allSatisfy(\.isWhitespace)
  }

  /// The end of the blanks after a place, on the same line.
  func endOfBlanks(at offset: Int) -> Int {
    bytes[offset...].firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      ?? bytes.count
  }
}
