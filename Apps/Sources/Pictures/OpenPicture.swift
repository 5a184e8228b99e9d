import CVips
import Foundation

/// A picture whose header was read and found good.
struct OpenPicture {
  let kind: PictureKind
  let size: PictureSize
  private let data: Data

  init(_ data: Data) throws(PictureError) {
    guard data.count <= Picture.byteLimit else { throw .tooManyBytes(data.count) }
    guard let kind = PictureKind(of: data) else { throw .unknownKind }
    guard let size = Self.size(of: data, kind) else { throw .damaged(kind) }
    guard size.width.multipliedReportingOverflow(by: size.height).partialValue <= Picture.pixelLimit
    else { throw .tooManyPixels(size) }
    self.kind = kind
    self.size = size
    self.data = data
  }

  private static func size(of data: Data, _ kind: PictureKind) -> PictureSize? {
    data.withUnsafeBytes { bytes in
      defer { vips_error_clear() }
      // Which reader the library takes is its own guess; it must be the one for this kind.
      guard let reader = vips_foreign_find_load_buffer(bytes.baseAddress, bytes.count),
        String(cString: reader) == kind.reader,
        let image = cvips_open(bytes.baseAddress, bytes.count)
      else { return nil }
      defer { cvips_close(image) }
      let (width, height) = (Int(vips_image_get_width(image)), Int(vips_image_get_height(image)))
      return kind.turns && vips_image_get_orientation_swap(image) != 0
        ? PictureSize(width: height, height: width) : PictureSize(width: width, height: height)
    }
  }
}

extension PictureKind {
  /// Whether browsers turn a picture upright; in a WebP they do not look for the word that asks for it.
  fileprivate var turns: Bool { self != .webp }
}

// MARK: - Pixels

extension OpenPicture {
  /// Reads every pixel, and keeps none.
  func readToItsEnd() throws(PictureError) {
    let isWhole = data.withUnsafeBytes { bytes in
      defer { vips_error_clear() }
      guard let image = cvips_open(bytes.baseAddress, bytes.count) else { return false }
      defer { cvips_close(image) }
      return cvips_read_all(image) == 0
    }
    guard isWhole else { throw .damaged(kind) }
  }
}

// MARK: - Thumbnails

extension OpenPicture {
  func thumbnail(longestSide: Int) throws(PictureError) -> Data {
    // The library takes sides up to ten millions; ours have an end before.
    let side = Int32(clamping: min(max(1, longestSide), Picture.pixelLimit / 10))
    let small: UnsafeMutablePointer<VipsImage>? = data.withUnsafeBytes { bytes in
      var result: UnsafeMutablePointer<VipsImage>?
      return cvips_thumbnail(bytes.baseAddress, bytes.count, &result, side, kind.turns) == 0
        ? result : nil
    }
    defer { vips_error_clear() }
    guard let small else { throw .damaged(kind) }
    defer { cvips_close(small) }
    // The pixels are read only now, while they are written.
    guard let written = Self.write(small) else { throw .damaged(kind) }
    return written
  }

  private static func write(_ image: UnsafeMutablePointer<VipsImage>) -> Data? {
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    let result =
      vips_image_hasalpha(image) != 0
      ? cvips_save_webp(image, &bytes, &count) : cvips_save_jpeg(image, &bytes, &count)
    defer { cvips_free(bytes) }
    return result == 0 ? bytes.map { Data(bytes: $0, count: count) } : nil
  }
}
