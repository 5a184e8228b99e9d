import Foundation

/// The pattern of a `LIKE` where pattern and text are ASCII, byte by byte.
///
/// Bytes and characters are the same there, but for a line end of two bytes; all other texts are
/// matched by the evaluation.
struct AsciiWildcards {
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
          piece += 1
          place += 1
        } else if let last = star {
          star = (last.piece, last.place + 1)
          piece = last.piece + 1
          place = last.place + 1
        } else {
          return false
        }
      }
      return pieces[piece...].allSatisfy(\.isMany)
    }
  }
}

extension AsciiWildcards.Piece {
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
  /// Whether each byte is a character.
  fileprivate var isPlain: Bool {
    allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\r") }
  }
}
