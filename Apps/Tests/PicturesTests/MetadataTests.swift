import CVips
import Foundation
import Testing

@testable import Pictures

struct `What a picture says about its taker` {
  private static let place = "52.5163N 13.3777E"

  /// A picture with Exif, XMP, a comment, and if possible a second picture after its end.
  private func talkative(_ ending: String, orientation: Int = 1) async throws -> Data {
    _ = try? await Picture.size(of: Data())
    return try await Studio.work {
      let image = try #require(cvips_black(40, 20, 3))
      defer { cvips_close(image) }
      vips_image_set_int(image, "orientation", Int32(orientation))
      vips_image_set_string(image, "exif-ifd0-ImageDescription", Self.place)
      vips_image_set_string(image, "exif-ifd3-GPSMapDatum", Self.place)
      vips_image_set_string(image, "png-comment-0-Comment", Self.place)
      let xmp = Array("<x:xmpmeta>\(Self.place)</x:xmpmeta>".utf8)
      vips_image_set_blob_copy(image, "xmp-data", xmp, xmp.count)
      var bytes: UnsafeMutableRawPointer?
      var count = 0
      try #require(cvips_save(image, ending, &bytes, &count) == 0)
      defer { cvips_free(bytes) }
      let data = Data(bytes: try #require(bytes), count: count)
      // The library packs the texts of a PNG.
      let text = Bomb.chunk("tEXt", Array("Comment\0\(Self.place)".utf8))
      return ending == ".png" ? data.prefix(33) + text + data.dropFirst(33) : data
    }
  }

  @Test(arguments: [".jpg", ".png", ".webp"], [1, 6])
  func `left with exports`(ending: String, orientation: Int) async throws {
    let data = try await talkative(ending, orientation: orientation)
    #expect(data.range(of: Data(Self.place.utf8)) != nil)
    let silent = try #require(Picture.withoutMetadata(data + Data(Self.place.utf8)))
    #expect(silent.range(of: Data(Self.place.utf8)) == nil)
    #expect(PictureKind(of: silent) == PictureKind(of: data))
    // It is upright as before.
    #expect(try await Picture.size(of: silent) == Picture.size(of: data))
    #expect(Picture.withoutMetadata(silent) == silent)
  }

  @Test func `is cut out of a GIF too`() async throws {
    let data = try await Sample.picture(".gif", width: 30, height: 30)
    let head = 13 + (data[10] & 0x80 == 0 ? 0 : 3 << (Int(data[10] & 7) + 1))
    let comment = Data([0x21, 0xFE, UInt8(Self.place.utf8.count)]) + Data(Self.place.utf8) + [0]
    let silent = try #require(
      Picture.withoutMetadata(data.prefix(head) + comment + data.dropFirst(head))
    )
    #expect(silent.range(of: Data(Self.place.utf8)) == nil)
    #expect(try await Picture.size(of: silent) == PictureSize(width: 30, height: 30))
  }

  @Test(arguments: [".avif", ".heic"])
  func `cannot be cut out of every kind`(ending: String) async throws {
    #expect(Picture.withoutMetadata(try await Sample.picture(ending, width: 64, height: 64)) == nil)
  }

  @Test(arguments: [".jpg", ".png", ".webp", ".gif"])
  func `is looked for in any bytes without harm`(ending: String) async throws {
    let data =
      ending == ".gif"
      ? try await Sample.picture(ending) : try await talkative(ending, orientation: 8)
    for position in data.indices {
      for byte in [0, 0xFF, data[position] ^ 0x80, data[position] &+ 1] as [UInt8] {
        var changed = data
        changed[position] = byte
        _ = Picture.withoutMetadata(changed)
      }
      _ = Picture.withoutMetadata(data.prefix(position))
    }
  }
}
