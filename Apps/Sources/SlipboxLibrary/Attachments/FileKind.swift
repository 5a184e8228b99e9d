import Foundation

/// The kind of a file that is not a picture of pixels, recognised by its own bytes; its name says nothing.
///
/// ```
/// %PDF-…  <svg …  RIFF…WAVE  fLaC  OggS  1A 45 DF A3 (WebM, Matroska)  ….ftyp  ID3, FF FB (MP3)  FF F1 (AAC)
/// ```
///
/// The media type decides how a page shows the file: it plays `audio/…` and `video/…`, and opens the pages of a PDF.
/// Only the beginning of a file and the heads of its boxes are read.
struct FileKind: Sendable, Equatable {
  let type: String

  static let other = FileKind(type: "application/octet-stream")
  static let pdf = FileKind(type: "application/pdf")
  static let svg = FileKind(type: "image/svg+xml")

  private init(type: String) {
    self.type = type
  }

  init(of data: Data) {
    let head = [UInt8](data.prefix(Self.headLength))
    self = Self.documents(head) ?? Self.sounds(head) ?? Self.containers(head, data) ?? .other
  }

  /// Enough for the descriptions of all tracks in usual files.
  private static let headLength = 65_536

  private static func documents(_ head: [UInt8]) -> FileKind? {
    if head.starts(with: "%PDF-".utf8) { return .pdf }
    return SVGHead(head[...]) == nil ? nil : .svg
  }
}

// MARK: - Sounds

extension FileKind {
  private static func sounds(_ head: [UInt8]) -> FileKind? {
    if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WAVE".utf8) {
      return FileKind(type: "audio/wav")
    }
    if head.starts(with: "fLaC".utf8) { return FileKind(type: "audio/flac") }
    if head.starts(with: "ID3".utf8) || isRow(of: lengthOfMP3, head) {
      return FileKind(type: "audio/mpeg")
    }
    return isRow(of: lengthOfAAC, head) ? FileKind(type: "audio/aac") : nil
  }

  /// Whether a file begins with two frames, so that it is not taken for a sound by two bytes.
  private static func isRow(of length: (ArraySlice<UInt8>) -> Int?, _ head: [UInt8]) -> Bool {
    guard let first = length(head[...]), first < head.count else { return false }
    return length(head[first...]) != nil
  }

  /// The length of a frame of MP3, layer III.
  private static func lengthOfMP3(_ bytes: ArraySlice<UInt8>) -> Int? {
    let head = Array(bytes.prefix(4))
    guard head.count == 4, head[0] == 0xFF, head[1] & 0xE6 == 0xE2 else { return nil }
    let version = Int((head[1] >> 3) & 3)
    let (rate, pace) = (Int(head[2] >> 4), Int((head[2] >> 2) & 3))
    guard version != 1, (1...14).contains(rate), pace < 3 else { return nil }
    let isFirst = version == 3
    let first = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    let others = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    let paces = [44_100, 48_000, 32_000].map { version == 3 ? $0 : version == 2 ? $0 / 2 : $0 / 4 }
    let bits = (isFirst ? first[rate] : others[rate]) * 1_000
    return (isFirst ? 144 : 72) * bits / paces[pace] + Int((head[2] >> 1) & 1)
  }

  /// The length of a frame of AAC with its own head.
  private static func lengthOfAAC(_ bytes: ArraySlice<UInt8>) -> Int? {
    let head = Array(bytes.prefix(6))
    guard head.count == 6, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return nil }
    let length = (Int(head[3] & 3) << 11) | (Int(head[4]) << 3) | Int(head[5] >> 5)
    return length > 7 ? length : nil
  }
}

// MARK: - Containers of sounds and pictures

extension FileKind {
  private static func containers(_ head: [UInt8], _ data: Data) -> FileKind? {
    if head.starts(with: "OggS".utf8) { return ogg(head) }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return matroska(head) }
    return boxes(head, data)
  }

  /// The first page of each stream comes first, with the name of what is in it.
  private static func ogg(_ head: [UInt8]) -> FileKind {
    let names = [[0x80] + Array("theora".utf8), [0x01] + Array("video".utf8), Array("OVP80".utf8)]
    let start = Array(head.prefix(4_096))
    let isVideo = names.contains { has($0, in: start) }
    return FileKind(type: isVideo ? "video/ogg" : "audio/ogg")
  }

  /// The kind of a track is the first letter of its codec's name: `V_VP9`, `A_OPUS`.
  private static func matroska(_ head: [UInt8]) -> FileKind? {
    let start = Array(head.prefix(64))
    let names = ["webm", "matroska"].filter { has(Array($0.utf8), in: start) }
    guard let name = names.first else { return nil }
    // The element “CodecID”, its length, and the first letters of the name.
    let isVideo = (4...32).contains { has([0x86, 0x80 + UInt8($0)] + Array("V_".utf8), in: head) }
    return FileKind(type: "\(isVideo ? "video" : "audio")/\(name)")
  }

  /// MP4 and its relatives: a file of boxes, whose first names the brand.
  private static func boxes(_ head: [UInt8], _ data: Data) -> FileKind? {
    guard head.count >= 16, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    let brand = String(decoding: head[8..<12], as: UTF8.self)
    if ["M4A ", "M4B "].contains(brand) { return FileKind(type: "audio/mp4") }
    if brand == "qt  " { return FileKind(type: "video/quicktime") }
    let known = ["iso", "mp4", "avc", "dash", "M4V", "MSNV", "3gp", "3g2", "cmf", "hvc", "hev"]
    guard known.contains(where: brand.hasPrefix) else { return nil }
    return FileKind(type: hasOnlySound(data) ? "audio/mp4" : "video/mp4")
  }

  /// Whether the description of the tracks names a sound and no picture.
  private static func hasOnlySound(_ data: Data) -> Bool {
    var place = data.startIndex
    for _ in 0..<mostBoxes {
      guard let box = Box(data, at: place) else { return false }
      if box.name == "moov" {
        let description = [UInt8](data[box.content].prefix(mostDescription))
        return has(Array("soun".utf8), in: description) && !has(Array("vide".utf8), in: description)
      }
      place = box.content.upperBound
    }
    return false
  }

  private static let mostBoxes = 64
  private static let mostDescription = 1 << 20

  /// One box of a file: `size (4 bytes) name (4 bytes) [size (8 bytes)] content`.
  private struct Box {
    let name: String
    let content: Range<Int>

    init?(_ data: Data, at place: Int) {
      func number(_ start: Int, _ count: Int) -> Int? {
        guard data.endIndex - start >= count else { return nil }
        return data[start..<start + count].reduce(0) { ($0 << 8) | Int($1) }
      }
      guard let short = number(place, 4), data.endIndex - place >= 8 else { return nil }
      name = String(decoding: data[place + 4..<place + 8], as: UTF8.self)
      var start = place + 8
      var size = short
      if short == 1 {
        // A size of eight bytes whose first ones are not 0 leads behind every file.
        guard let high = number(start, 4), high == 0, let long = number(start + 4, 4) else {
          return nil
        }
        (start, size) = (start + 8, long)
      }
      let end = short == 0 ? data.endIndex : place + size
      guard end >= start, end <= data.endIndex else { return nil }
      content = start..<end
    }
  }
}

extension FileKind {
  private static func has(_ wanted: [UInt8], in bytes: [UInt8]) -> Bool { bytes.has(wanted) }
}

extension [UInt8] {
  /// Whether it has some other bytes, in a row.
  func has(_ wanted: [UInt8]) -> Bool {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let first = wanted.first else { return false }
      let end = start + bytes.count
      var place = start
      while end - place >= wanted.count, let found = memchr(place, Int32(first), end - place) {
        let hit = UnsafeRawPointer(found)
        guard end - hit >= wanted.count else { return false }
        if memcmp(hit, wanted, wanted.count) == 0 { return true }
        place = hit + 1
      }
      return false
    }
  }
}
