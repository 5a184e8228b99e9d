import Foundation

/// The pattern of a `LIKE`, byte by byte, if pattern and text are ASCII and letters up to ſ.
///
/// One or two bytes are a character there, and only they, but for a line end of two; all other texts
/// are matched by the evaluation.
struct PlainWildcards {
  fileprivate enum Piece {
    case byte(UInt8)
    case one
    case many
  }

  private let pieces: [Piece]

  /// Nil for a pattern with other characters.
  init?(_ pattern: UnsafeRawBufferPointer) {
    guard pattern.isPlain else { return nil }
    var pieces: [Piece] = []
    var isEscaped = false
    for byte in pattern {
      switch byte {
      case _ where isEscaped:
        pieces.append(.byte(byte))
        isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "?"): pieces.append(.one)
      case UInt8(ascii: "*"): pieces.append(.many)
      case _: pieces.append(.byte(byte))
      }
    }
    if isEscaped { pieces.append(.byte(UInt8(ascii: "\\"))) }
    self.pieces = pieces
  }

  /// Nil for a text with other characters.
  ///
  /// Goes back only to the last star, so that the time is at most text times pattern.
  func match(_ text: UnsafeRawBufferPointer) -> Bool? {
    guard text.isPlain else { return nil }
    return pieces.withUnsafeBufferPointer { pieces in
      var place = 0
      var piece = 0
      var star: (piece: Int, place: Int)?
      while place < text.count {
        if piece < pieces.count, case .many = pieces[piece] {
          star = (piece, place)
          piece += 1
        } else if piece < pieces.count, pieces[piece].accepts(text[place]) {
          if case .one = pieces[piece] { place += text.width(at: place) } else { place += 1 }
          piece += 1
        } else if let last = star {
          place = last.place + text.width(at: last.place)
          piece = last.piece + 1
          star = (last.piece, place)
        } else {
          return false
        }
      }
      return pieces[piece...].allSatisfy(\.isMany)
    }
  }
}

extension PlainWildcards.Piece {
  fileprivate func accepts(_ byte: UInt8) -> Bool {
    switch self {
    case .byte(let wanted): wanted == byte
    case .one: true
    case .many: false
    }
  }

  fileprivate var isMany: Bool {
    if case .many = self { true } else { false }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether it is of these characters only.
  fileprivate var isPlain: Bool {
    var place = 0
    while place < count {
      switch self[place] {
      case UInt8(ascii: "\r"): return false
      case 0x00..<0x80: place += 1
      case 0xC2...0xC5 where place + 1 < count && self[place + 1] & 0xC0 == 0x80: place += 2
      case _: return false
      }
    }
    return true
  }

  /// How many bytes the character has.
  fileprivate func width(at place: Int) -> Int { self[place] < 0x80 ? 1 : 2 }
}
