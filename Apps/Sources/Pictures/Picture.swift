public import Foundation

/// The width and height of a picture when it is upright.
public struct PictureSize: Sendable, Equatable {
  public let width: Int
  public let height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// The questions that one can ask about a picture.
///
///     first bytes ─▶ PictureKind ─▶ PictureHelper: header ─▶ size, checked ─▶ pixels ─▶ thumbnail
///
/// Each arrow refuses what does not fit, before the next and dearer step. Headers and pixels are read by a
/// process of their own (``PictureHelper``), with limits of memory and time: damage that a picture does to its reader
/// ends with that process.
public enum Picture {
  /// The most bytes and pixels that are taken.
  public static let byteLimit = 64 << 20
  public static let pixelLimit = 100_000_000

  /// The size of a picture, upright; reads it to its end.
  ///
  /// - Throws: A ``PictureError`` for data that is not a picture, or is damaged, or too large.
  public static func size(of data: Data) async throws -> PictureSize {
    try await PictureHelper.size(of: checked(data))
  }

  /// A picture whose longer side has at most so many pixels; a small one keeps its size.
  ///
  /// It is upright, and carries neither place nor camera. It is a WebP if the picture has transparency, otherwise a
  /// JPEG; `PictureKind(of:)` tells.
  public static func thumbnail(of data: Data, longestSide: Int) async throws -> Data {
    try await PictureHelper.thumbnail(of: checked(data), longestSide: longestSide)
  }

  /// The data, if a parser may see it.
  private static func checked(_ data: Data) throws(PictureError) -> (Data, PictureKind) {
    guard data.count <= byteLimit else { throw .tooManyBytes(data.count) }
    guard let kind = PictureKind(of: data) else { throw .unknownKind }
    return (data, kind)
  }
}
