/// The name of a symbol as the compiler writes it into an object file.
///
/// The grammar is Swift's stable mangling, documented with the compiler. Identifiers and types that come
/// again are abbreviated by their place among those before, and so are words within identifiers.
struct SymbolName {
  private var text: [UInt8] = []
  private var words: [[UInt8]] = []
  private var known: [Mentioned: Int] = [:]
  private var lastAbbreviation: Abbreviation?

  private enum Mentioned: Hashable {
    case identifier(String)
    case nominal(SymbolNominal)
    case type(SymbolType)
  }

  /// An abbreviation at the end of the text, which the next one may be joined with.
  private struct Abbreviation {
    let start: Int
    let end: Int
    let letter: UInt8
    let isStandard: Bool
    var count = 1
  }

  /// The getter or setter of a property.
  static func accessor(_ kind: Accessor, of property: SymbolEntity, _ type: SymbolType) -> String {
    var name = Self()
    name.append("$s")
    name.append(property)
    name.append(type)
    name.append("v\(kind.rawValue)")
    return name.string
  }

  /// A method without effects; there is a label for each parameter, empty for none.
  static func method(
    _ method: SymbolEntity,
    labels: [String],
    parameters: [SymbolType],
    result: SymbolType?
  ) -> String {
    var name = Self()
    name.append("$s")
    name.append(method)
    name.append(labels: labels)
    if let result { name.append(result) } else { name.append("y") }
    name.append(parameters: parameters, hasLabels: !labels.allSatisfy(\.isEmpty))
    name.append("F")
    return name.string
  }

  enum Accessor: String {
    case getter = "g"
    case setter = "s"
  }

  private var string: String { String(decoding: text, as: UTF8.self) }
}

/// A member of a type.
struct SymbolEntity: Hashable {
  let name: String
  let context: SymbolContext
  /// The mark of its file, for declarations that are known in that file only.
  let fileMark: String?
}

// MARK: - Entities and types

extension SymbolName {
  private mutating func append(_ entity: SymbolEntity) {
    append(entity.context)
    append(identifier: entity.name)
    guard let mark = entity.fileMark else { return }
    append(identifier: mark)
    append("LL")
  }

  private mutating func append(_ context: SymbolContext) {
    switch context {
    case .module("Swift"): append("s")
    case .module(let name): append(identifier: name)
    case .type(let type): append(type)
    case .extension(let type, let module):
      append(type)
      append(identifier: module)
      append("E")
    }
  }

  private mutating func append(_ nominal: SymbolNominal) {
    if abbreviate(.nominal(nominal)) { return }
    append(nominal.context)
    append(identifier: nominal.name)
    append(String(nominal.kind.rawValue))
    remember(.nominal(nominal))
  }

  private mutating func append(_ type: SymbolType) {
    switch type {
    case .standard(let letter): append(standard: letter)
    case .nominal(let nominal): append(nominal)
    case .any: append("yp")
    case .anyObject: append("yXl")
    case .existential(let type): append(type)
    case .optional(let wrapped):
      if abbreviate(.type(type)) { return }
      append(wrapped)
      append("Sg")
      remember(.type(type))
    case .generic(let base, let arguments):
      if abbreviate(.type(type)) { return }
      append(base)
      append("y")
      for argument in arguments { append(argument) }
      append("G")
      remember(.type(type))
    }
  }

  private mutating func append(_ type: SymbolProtocol) {
    switch type {
    case .standard(let letter): append(standard: letter)
    case .nominal(let nominal):
      append(nominal.context)
      append(identifier: nominal.name)
    }
    append("_p")
  }

  /// Appends the labels; `y` says that none of the parameters has one.
  private mutating func append(labels: [String]) {
    if labels.allSatisfy(\.isEmpty) {
      if !labels.isEmpty { append("y") }
      return
    }
    for label in labels {
      if label.isEmpty { append("_") } else { append(identifier: label) }
    }
  }

  private mutating func append(parameters: [SymbolType], hasLabels: Bool) {
    guard parameters.count > 1 || hasLabels else {
      if let type = parameters.first { append(type) } else { append("y") }
      return
    }
    for (index, type) in parameters.enumerated() {
      append(type)
      if index == 0 { append("_") }
    }
    append("t")
  }
}

// MARK: - Abbreviations

extension SymbolName {
  private mutating func remember(_ mentioned: Mentioned) {
    known[mentioned] = known.count
  }

  private mutating func abbreviate(_ mentioned: Mentioned) -> Bool {
    guard let index = known[mentioned] else { return false }
    if index < 26 {
      append(abbreviation: UInt8(ascii: "A") + UInt8(index), isStandard: false)
    } else {
      append("A\(index == 26 ? "" : "\(index - 27)")_")
    }
    return true
  }

  private mutating func append(standard letter: Character) {
    append(abbreviation: letter.asciiValue ?? UInt8(ascii: "S"), isStandard: true)
  }

  /// Appends `AB` or `SS`, or joins it with the one just before: `AbC`, `A2B`, `S2S`.
  private mutating func append(abbreviation letter: UInt8, isStandard: Bool) {
    if var last = lastAbbreviation, last.end == text.count, last.isStandard == isStandard {
      if last.letter == letter {
        last.count += 1
        text.replaceSubrange(last.start..., with: Array("\(last.count)".utf8) + [letter])
        note(&last)
        return
      }
      if !isStandard {
        text[text.count - 1] |= 0x20
        text.append(letter)
        var next = Abbreviation(
          start: text.count - 1,
          end: text.count,
          letter: letter,
          isStandard: isStandard
        )
        note(&next)
        return
      }
    }
    text.append(isStandard ? UInt8(ascii: "S") : UInt8(ascii: "A"))
    text.append(letter)
    var next = Abbreviation(
      start: text.count - 1,
      end: text.count,
      letter: letter,
      isStandard: isStandard
    )
    note(&next)
  }

  private mutating func note(_ abbreviation: inout Abbreviation) {
    lastAbbreviation = Abbreviation(
      start: abbreviation.start,
      end: text.count,
      letter: abbreviation.letter,
      isStandard: abbreviation.isStandard,
      count: abbreviation.count
    )
  }

  private mutating func append(_ part: String) {
    text += Array(part.utf8)
  }
}

// MARK: - Identifiers

extension SymbolName {
  private static let mostWords = 26

  private mutating func append(identifier: String) {
    if abbreviate(.identifier(identifier)) { return }
    let bytes = Array(identifier.utf8)
    if bytes.contains(where: { $0 >= 0x80 }) {
      append(encoded: Punycode.encode(identifier))
    } else {
      append(plain: bytes)
    }
    remember(.identifier(identifier))
  }

  private mutating func append(encoded: String) {
    append("00\(encoded.utf8.count)")
    if let first = encoded.utf8.first, first.isDigit || first == UInt8(ascii: "_") { append("_") }
    append(encoded)
  }

  /// Appends an identifier, with a letter for every word that was there before.
  private mutating func append(plain bytes: [UInt8]) {
    let pieces = cut(bytes)
    let lastWord = pieces.lastIndex { if case .word = $0 { true } else { false } }
    if lastWord != nil { append("0") }
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .text(let piece):
        append("\(piece.count)")
        text += piece
      case .word(let number):
        let isLast = index == lastWord
        text.append((isLast ? UInt8(ascii: "A") : UInt8(ascii: "a")) + UInt8(number))
        if isLast, index == pieces.count - 1 { append("0") }
      }
    }
  }

  private enum Piece {
    case text([UInt8])
    /// A word by its place among those before.
    case word(Int)
  }

  /// Cuts an identifier into known words and the text between them, and learns its new words.
  private mutating func cut(_ bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var textStart = 0
    for range in Self.words(in: bytes) {
      let word = Array(bytes[range])
      if let number = words.firstIndex(of: word) {
        if textStart < range.lowerBound {
          pieces.append(.text(Array(bytes[textStart..<range.lowerBound])))
        }
        pieces.append(.word(number))
        textStart = range.upperBound
      } else if word.count >= 2, words.count < Self.mostWords {
        words.append(word)
      }
    }
    if textStart < bytes.count { pieces.append(.text(Array(bytes[textStart...]))) }
    return pieces
  }

  /// The words of an identifier: each begins at a letter, and ends before a capital or an underscore.
  private static func words(in bytes: [UInt8]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for index in 0...bytes.count {
      let byte = index < bytes.count ? bytes[index] : UInt8(ascii: "_")
      if let begun = start,
        byte == UInt8(ascii: "_") || byte.isCapital && !bytes[index - 1].isCapital
      {
        words.append(begun..<index)
        start = nil
      }
      if start == nil, !byte.isDigit, byte != UInt8(ascii: "_") { start = index }
    }
    return words
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}
