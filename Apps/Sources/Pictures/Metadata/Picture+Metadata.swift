public import Foundation

extension Picture {
  /// The same picture without the place, the time and the camera of the photograph; `nil` for a kind or a form from
  /// which they cannot be removed.
  ///
  /// Pixels and colours stay to the bit, and so does which side is up. Removed are Exif, XMP, IPTC, comments, and
  /// anything after the picture's end, where cameras put a second one.
  public static func withoutMetadata(_ data: Data) -> Data? {
    let bytes = [UInt8](data)
    switch PictureKind(of: data) {
    case .jpeg: return JPEGFile.stripped(bytes).map { Data($0) }
    case .png: return PNGFile.stripped(bytes).map { Data($0) }
    case .webp: return WebPFile.stripped(bytes).map { Data($0) }
    case .gif: return GIFFile.stripped(bytes).map { Data($0) }
    case .heic, .avif, nil: return nil
    }
  }
}
