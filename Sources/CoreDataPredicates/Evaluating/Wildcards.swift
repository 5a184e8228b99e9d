/// The pattern of a `LIKE`: `?` means one character, `*` for any number of them.
///
/// A backslash takes the meaning from the next character.
struct Wildcards {
  private enum Piece: Equatable {
    case character(Character)
    case one
    case many
  }

  private let pieces: [Piece]

  init(_ pattern: String) {
    var pieces: [Piece] = []
    var isEscaped = false
    for character in pattern {
      switch character {
      case _ where isEscaped:
        pieces.append(.character(character))
        isEscaped = false
      case "\\": isEscaped = true
      case "?": pieces.append(.one)
      case "*": pieces.append(.many)
      default: pieces.append(.character(character))
      }
    }
    if isEscaped { pieces.append(.character("\\")) }
    self.pieces = pieces
  }

  /// Goes back only to the last star, so that the time is at most text times pattern.
  func match(_ text: String) -> Bool {
    let text = Array(text)
    var place = 0
    var piece = 0
    var star: (piece: Int, place: Int)?
    while place < text.count {
      if piece < pieces.count, pieces[piece] == .many {
        star = (piece, place)
        piece += 1
      } else if piece < pieces.count, accepts(pieces[piece], text[place]) {
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
    return pieces[piece...].allSatisfy { $0 == .many }
  }

  private func accepts(_ piece: Piece, _ character: Character) -> Bool {
    switch piece {
    case .character(let wanted): wanted == character
    case .one: true
    case .many: false
    }
  }
}
