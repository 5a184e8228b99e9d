public import Foundation

/// Why a picture is not taken.
public enum PictureError: Error, Sendable, Equatable {
  /// The first bytes are those of no picture that is known here.
  case unknownKind
  case tooManyBytes(Int)
  case tooManyPixels(PictureSize)
  case damaged(PictureKind)
  /// Reading it takes more memory or time than one picture may.
  case tooDear(PictureKind)
  /// The program that reads pictures cannot be started.
  case noHelper(String)
  case unreadable(file: String)
}

extension PictureError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .unknownKind:
      "This is no picture that can be shown; JPEG, PNG, WebP, GIF, HEIC and AVIF can."
    case .tooManyBytes(let count):
      "The picture has \(count / 1_048_576) MB; up to \(Picture.byteLimit / 1_048_576) MB are taken."
    case .tooManyPixels(let size):
      "The picture has \(size.width) × \(size.height) pixels; up to 100 million in all are taken."
    case .damaged(let kind):
      "The picture is damaged: it begins as \(kind.rawValue.uppercased()) but cannot be read to its end."
    case .tooDear(let kind):
      "This \(kind.rawValue.uppercased()) takes more memory or time than one picture may; save it anew with less, and try again."
    case .noHelper(let reason):
      "Pictures cannot be read now: \(reason)."
    case .unreadable(let file):
      "The file \(file) cannot be read."
    }
  }
}
