/// The parts of a query outside of all parentheses, which decide what its rows are.
///
/// ```
/// WITH ranked AS ( … ) SELECT \(objects: Note.self) FROM \(Note.self) JOIN ranked ON …
/// WITH ranked AS       SELECT \(objects: Note.self) FROM \(Note.self) JOIN ranked ON …
/// ```
struct SQLQueryOutline {
  private(set) var parts: [Part] = []
  private var reading = Reading.code
  private var depth = 0
  private var word: [UInt8] = []
  private var last: UInt8 = 0

  enum Part {
    /// A word, in capital letters.
    case word(String)
    /// An interpolated part.
    case piece(SQLQuery.Piece)
    /// A sign, or something in quotation marks.
    case other
  }

  private enum Reading: Equatable {
    case code
    case quoted(until: UInt8)
    case line
    case comment
  }

  init(_ query: SQLQuery) {
    for piece in query.pieces {
      if case .text(let text) = piece {
        for byte in text.utf8 { read(byte) }
      } else {
        endWord()
        if reading == .code { add(.piece(piece)) }
      }
    }
    endWord()
  }
}

// MARK: - Findings

extension SQLQueryOutline {
  /// The piece directly behind the first `SELECT`.
  var selected: SQLQuery.Piece? {
    var before: String?
    for part in parts {
      switch part {
      case .word(let word) where before == "SELECT" && ["DISTINCT", "ALL"].contains(word): continue
      case .word(let word): before = word
      case .piece(let piece) where before == "SELECT": return piece
      case .piece, .other: before = nil
      }
    }
    return nil
  }

  /// Whether rows of several `SELECT`s come together.
  var isCompound: Bool {
    parts.contains { part in
      guard case .word(let word) = part else { return false }
      return ["UNION", "INTERSECT", "EXCEPT"].contains(word)
    }
  }

  /// The tables that it names itself.
  var tables: [(choice: SQLQuery.EntityChoice, alias: String?)] {
    parts.compactMap { part in
      guard case .piece(.table(let choice, let alias)) = part else { return nil }
      return (choice, alias)
    }
  }
}

// MARK: - Reading

extension SQLQueryOutline {
  private mutating func read(_ byte: UInt8) {
    let before = reading
    switch reading {
    case .code: readCode(byte)
    case .quoted(let end): if byte == end { reading = .code }
    case .line: if byte == UInt8(ascii: "\n") { reading = .code }
    case .comment: if last == UInt8(ascii: "*"), byte == UInt8(ascii: "/") { reading = .code }
    }
    last = reading == before ? byte : 0
  }

  private mutating func readCode(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      word.append(byte)
      return
    case _:
      endWord()
    }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return
    case UInt8(ascii: "("): depth += 1
    case UInt8(ascii: ")"): depth -= 1
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): reading = .quoted(until: byte)
    case UInt8(ascii: "["): reading = .quoted(until: UInt8(ascii: "]"))
    case UInt8(ascii: "-") where last == byte: reading = .line
    case UInt8(ascii: "*") where last == UInt8(ascii: "/"): reading = .comment
    case _: break
    }
    add(.other)
  }

  private mutating func endWord() {
    guard !word.isEmpty else { return }
    add(.word(String(decoding: word, as: UTF8.self).uppercased()))
    word = []
  }

  private mutating func add(_ part: Part) {
    if depth == 0 { parts.append(part) }
  }
}
