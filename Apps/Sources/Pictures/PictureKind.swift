public import Foundation

/// The kind of a picture, recognised by its first bytes.
///
/// Other kinds are never given to a parser, whatever their name or content type.
public enum PictureKind: String, Sendable, CaseIterable {
  case jpeg
  case png
  case webp
  case gif
  case heic
  case avif

  /// The kind of a picture, or nil for everything else.
  public init?(of data: Data) {
    let head = [UInt8](data.prefix(256))
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) {
      self = .gif
    } else if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if let kind = Brands(head)?.kind {
      self = kind
    } else {
      return nil
    }
  }

  public var contentType: String { "image/\(rawValue)" }

  /// The usual ending of a file's name.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// How the image library calls the readers of this kind.
  var reader: String {
    switch self {
    case .jpeg: "VipsForeignLoadJpegBuffer"
    case .png: "VipsForeignLoadPngBuffer"
    case .webp: "VipsForeignLoadWebpBuffer"
    case .gif: "VipsForeignLoadNsgifBuffer"
    case .heic, .avif: "VipsForeignLoadHeifBuffer"
    }
  }
}

/// The brands at the beginning of a file of boxes.
///
///     size (4 bytes) ftyp  major brand  version  other brands …
private struct Brands {
  let names: [String]

  init?(_ head: [UInt8]) {
    guard head.count >= 16, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    let size = head[0..<4].reduce(0) { ($0 << 8) | Int($1) }
    guard size >= 16 else { return nil }
    let places = [8] + stride(from: 16, to: min(size, head.count) - 3, by: 4)
    names = places.map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
  }

  var kind: PictureKind? {
    if names.contains(where: ["avif", "avis"].contains) { return .avif }
    let heic = ["heic", "heix", "heim", "heis", "hevc", "hevx"]
    return names.contains(where: heic.contains) ? .heic : nil
  }
}
