/// Which way a row of `*`, `_` or `~` points, by the characters on both sides of it.
///
/// ```
/// a **b** c        the first opens, the second closes
/// snake_case       neither: `_` does not work inside a word
/// ```
struct Flanking {
  let canOpen: Bool
  let canClose: Bool

  /// A missing character is the edge of the text, and counts as a blank.
  init(_ delimiter: Character, before: Unicode.Scalar?, after: Unicode.Scalar?) {
    let (before, after) = (Side(before), Side(after))
    let isLeft = after != .blank && (after != .punctuation || before != .letter)
    let isRight = before != .blank && (before != .punctuation || after != .letter)
    if delimiter == "_" {
      canOpen = isLeft && (!isRight || before == .punctuation)
      canClose = isRight && (!isLeft || after == .punctuation)
    } else {
      canOpen = isLeft
      canClose = isRight
    }
  }

  private enum Side {
    case blank
    case punctuation
    case letter

    init(_ scalar: Unicode.Scalar?) {
      guard let scalar else {
        self = .blank
        return
      }
      switch scalar.value {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: self = .letter
      case 0...0x20: self = .blank
      case 0x21...0x7E: self = .punctuation
      default: self.init(beyondASCII: scalar.properties)
      }
    }

    private init(beyondASCII scalar: Unicode.Scalar.Properties) {
      switch scalar.generalCategory {
      case .spaceSeparator, .control: self = .blank
      case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
        .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
        .modifierSymbol, .otherSymbol:
        self = .punctuation
      default: self = .letter
      }
    }
  }
}
