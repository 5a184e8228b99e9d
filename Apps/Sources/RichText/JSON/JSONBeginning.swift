/// The beginning of a document as JSON: a document, too, whose lists and long texts end early.
///
/// ```
/// {"content":[{"content":[{"text":"One"}, … ],"type":"paragraph"},{ … }],"type":"doc"}
/// {"content":[{"content":[{"text":"One"}    ],"type":"paragraph"}      ],"type":"doc"}
/// ```
///
/// Once there are enough bytes, elements of lists are left out, all but the first: a list without any would not be a
/// list. Omitted parts are stepped over byte by byte, which takes a fraction of the time of reading it.
struct JSONBeginning {
  private(set) var json: [UInt8] = []
  /// Whether anything was left out.
  private(set) var isCut = false
  private let enough: Int
  private var position = 0
  /// The open containers, from the outside to the inside.
  private var open: [Container] = []

  private enum Container {
    case list, object
  }

  init(of text: String, enough: Int) {
    self.enough = enough
    var text = text
    text.withUTF8 { bytes in
      json.reserveCapacity(min(bytes.count, enough * 2))
      while position < bytes.count { step(through: bytes) }
    }
  }

  private mutating func step(through bytes: UnsafeBufferPointer<UInt8>) {
    switch bytes[position] {
    case UInt8(ascii: "\""):
      return takeText(from: bytes)
    case UInt8(ascii: "["):
      open.append(.list)
    case UInt8(ascii: "{"):
      open.append(.object)
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      _ = open.popLast()
    case UInt8(ascii: ",") where open.last == .list && json.count >= enough:
      isCut = true
      return skipRestOfList(in: bytes)
    default:
      break
    }
    json.append(bytes[position])
    position += 1
  }
}

// MARK: - Leaving out

extension JSONBeginning {
  /// Goes to the bracket that closes the innermost list.
  private mutating func skipRestOfList(in bytes: UnsafeBufferPointer<UInt8>) {
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position = Self.end(ofTextAt: position, in: bytes)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == 0 { return }
        depth -= 1
      default:
        break
      }
      position += 1
    }
  }

  /// Takes a text in quotation marks; of a long one of the note's own words, its beginning.
  private mutating func takeText(from bytes: UnsafeBufferPointer<UInt8>) {
    let (start, end) = (position, Self.end(ofTextAt: position, in: bytes))
    position = end
    guard end - start > enough, json.suffix(Self.wordsFollow.count).elementsEqual(Self.wordsFollow)
    else {
      json += bytes[start..<end]
      return
    }
    isCut = true
    json += bytes[start..<Self.place(toCut: bytes, from: start + 1, upTo: start + enough)]
    json.append(UInt8(ascii: "\""))
  }

  private static let wordsFollow = Array("\"text\":".utf8)

  /// The place behind a text's closing quotation mark.
  private static func end(ofTextAt start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var place = start + 1
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""): return place + 1
      case UInt8(ascii: "\\"): place += 2
      default: place += 1
      }
    }
    return bytes.count
  }

  /// The last place up to `limit` at which a character begins, and no half of an escaped one.
  private static func place(
    toCut bytes: UnsafeBufferPointer<UInt8>,
    from start: Int,
    upTo limit: Int
  ) -> Int {
    var (place, last) = (start, start)
    while place < limit {
      let isInside = bytes[place] & 0xC0 == 0x80
      guard bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count else {
        if !isInside { last = place }
        place += 1
        continue
      }
      let isUnicode = bytes[place + 1] == UInt8(ascii: "u")
      // The second half of a pair is D and a letter from C on.
      let isSecondHalf =
        isUnicode && place + 3 < bytes.count && bytes[place + 2] | 0x20 == UInt8(ascii: "d")
        && bytes[place + 3] | 0x20 >= UInt8(ascii: "c")
      if !isSecondHalf { last = place }
      place += isUnicode ? 6 : 2
    }
    return last
  }
}
