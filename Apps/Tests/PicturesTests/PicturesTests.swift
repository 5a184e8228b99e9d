import CVips
import Foundation
import Testing

@testable import Pictures

/// Pictures that are made on the spot.
enum Sample {
  static func picture(
    _ ending: String,
    width: Int = 40,
    height: Int = 20,
    bands: Int = 3,
    orientation: Int = 1
  ) async throws -> Data {
    // The first question to a picture makes the library ready.
    _ = try? await Picture.size(of: Data())
    return try await Studio.work {
      let image = try #require(cvips_black(Int32(width), Int32(height), Int32(bands)))
      defer { cvips_close(image) }
      if orientation != 1 { vips_image_set_int(image, "orientation", Int32(orientation)) }
      var bytes: UnsafeMutableRawPointer?
      var count = 0
      try #require(cvips_save(image, ending, &bytes, &count) == 0)
      defer { cvips_free(bytes) }
      return Data(bytes: try #require(bytes), count: count)
    }
  }

  /// A PNG whose header promises more than it holds.
  static func promise(width: UInt32, height: UInt32) -> Data {
    var header = Data("IHDR".utf8)
    for number in [width, height] { header += withUnsafeBytes(of: number.bigEndian) { Data($0) } }
    header += [8, 2, 0, 0, 0]
    let sum = header.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1
      }
    }
    return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + header
      + withUnsafeBytes(of: (~sum).bigEndian) { Data($0) }
      + Data([0, 0, 0, 0]) + Data("IDAT".utf8) + Data([0x35, 0xAF, 0x06, 0x1E])
  }
}

struct `A picture` {
  @Test(arguments: [
    (".jpg", PictureKind.jpeg), (".png", .png), (".webp", .webp), (".gif", .gif),
    (".heic", .heic), (".avif", .avif),
  ])
  func `is known by its first bytes`(ending: String, kind: PictureKind) async throws {
    let data = try await Sample.picture(ending, width: 64, height: 32)
    #expect(PictureKind(of: data) == kind)
    #expect(try await Picture.size(of: data) == PictureSize(width: 64, height: 32))
    let thumbnail = try await Picture.thumbnail(of: data, longestSide: 16)
    #expect(try await Picture.size(of: thumbnail) == PictureSize(width: 16, height: 8))
  }

  @Test(arguments: [
    "%PDF-1.7\n1 0 obj", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
    "<?xml version=\"1.0\"?><svg/>",
    "", "GIF", "RIFF1234WAVE", "II*\u{0}", "#!/bin/sh", "BM",
    "\u{0}\u{0}\u{0}\u{18}ftypmp42\u{0}\u{0}\u{0}\u{0}isom",
  ])
  func `is nothing else`(text: String) async throws {
    #expect(PictureKind(of: Data(text.utf8)) == nil)
    await #expect(throws: PictureError.unknownKind) {
      try await Picture.thumbnail(of: Data(text.utf8), longestSide: 100)
    }
  }

  @Test(arguments: ["%PDF-1.7\n1 0 obj", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", ""])
  func `does not become one by its first bytes`(rest: String) async throws {
    let heads: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF89a".utf8),
      Array("RIFF0000WEBP".utf8), Array("\u{0}\u{0}\u{0}\u{10}ftypavif\u{0}\u{0}\u{0}\u{0}".utf8),
      Array("\u{0}\u{0}\u{0}\u{10}ftypheic\u{0}\u{0}\u{0}\u{0}".utf8),
    ]
    for head in heads {
      let data = Data(head) + Data(rest.utf8)
      let kind = try #require(PictureKind(of: data))
      await #expect(throws: PictureError.damaged(kind)) {
        try await Picture.thumbnail(of: data, longestSide: 100)
      }
    }
  }

  @Test func `is small when it comes from a large one, and stays when it is small`() async throws {
    let large = try await Sample.picture(".jpg", width: 4_032, height: 3_024)
    let thumbnail = try await Picture.thumbnail(of: large, longestSide: 600)
    #expect(PictureKind(of: thumbnail) == .jpeg)
    #expect(try await Picture.size(of: thumbnail) == PictureSize(width: 600, height: 450))
    let small = try await Sample.picture(".jpg")
    let same = try await Picture.thumbnail(of: small, longestSide: 600)
    #expect(try await Picture.size(of: same) == PictureSize(width: 40, height: 20))
  }

  @Test(arguments: [(1, 40, 20), (3, 40, 20), (6, 20, 40), (8, 20, 40)])
  func `stands upright, and forgets how it was held`(
    orientation: Int,
    width: Int,
    height: Int
  ) async throws {
    let data = try await Sample.picture(".jpg", orientation: orientation)
    let upright = PictureSize(width: width, height: height)
    #expect(try await Picture.size(of: data) == upright)
    let thumbnail = try await Picture.thumbnail(of: data, longestSide: 40)
    #expect(try await Picture.size(of: thumbnail) == upright)
    #expect(thumbnail.range(of: Data("Exif".utf8)) == nil)
    #expect(orientation == 1 || data.range(of: Data("Exif".utf8)) != nil)
  }

  @Test func `a WebP that lies was as high as no browser shows it`() async throws {
    let data = try await Sample.picture(".webp", orientation: 6)
    let lying = PictureSize(width: 40, height: 20)
    #expect(try await Picture.size(of: data) == lying)
    #expect(try await Picture.size(of: Picture.thumbnail(of: data, longestSide: 40)) == lying)
  }

  @Test(arguments: [".png", ".webp"])
  func `keeps its transparency`(ending: String) async throws {
    let data = try await Sample.picture(ending, bands: 4)
    let thumbnail = try await Picture.thumbnail(of: data, longestSide: 10)
    #expect(PictureKind(of: thumbnail) == .webp)
  }

  @Test func `may be grey`() async throws {
    let data = try await Sample.picture(".png", bands: 1)
    let thumbnail = try await Picture.thumbnail(of: data, longestSide: 10)
    #expect(PictureKind(of: thumbnail) == .jpeg)
  }

  @Test(arguments: [".jpg", ".png", ".webp", ".gif", ".heic", ".avif"])
  func `that ends too early is refused with a sentence`(ending: String) async throws {
    let data = try await Sample.picture(ending, width: 300, height: 300)
    let kind = try #require(PictureKind(of: data))
    for part in [data.count / 4, data.count / 2] {
      let error = await #expect(throws: PictureError.self) {
        try await Picture.thumbnail(of: data.prefix(part), longestSide: 100)
      }
      #expect(error == .damaged(kind) || error == .unknownKind)
    }
  }

  @Test func `survives any change of its bytes`() async throws {
    for ending in [".jpg", ".png", ".webp", ".gif"] {
      let data = try await Sample.picture(ending, width: 60, height: 60)
      for position in stride(from: 8, to: data.count, by: max(1, data.count / 40)) {
        var changed = data
        changed[position] ^= 0xFF
        do {
          _ = try await Picture.thumbnail(of: changed, longestSide: 30)
        } catch is PictureError {
          continue
        }
      }
    }
  }

  @Test func `with too many pixels is refused by its header`() async throws {
    for (width, height) in [(60_000, 60_000), (100_000, 1_001)] as [(UInt32, UInt32)] {
      let bomb = Sample.promise(width: width, height: height)
      let size = PictureSize(width: Int(width), height: Int(height))
      await #expect(throws: PictureError.tooManyPixels(size)) {
        try await Picture.thumbnail(of: bomb, longestSide: 100)
      }
    }
    let broken = Sample.promise(width: 10, height: 10)
    await #expect(throws: PictureError.damaged(.png)) {
      try await Picture.thumbnail(of: broken, longestSide: 100)
    }
  }

  @Test func `with too many bytes is refused before it is read`() async throws {
    let data = Data([0xFF, 0xD8, 0xFF]) + Data(count: Picture.byteLimit)
    await #expect(throws: PictureError.tooManyBytes(data.count)) {
      try await Picture.size(of: data)
    }
  }

  @Test func `says in a sentence why it is not taken`() {
    #expect(
      PictureError.damaged(.heic).localizedDescription
        == "The picture is damaged: it begins as HEIC but cannot be read to its end."
    )
    #expect(
      PictureError.tooManyBytes(70 << 20).localizedDescription
        == "The picture has 70 MB; up to 64 MB are taken."
    )
  }

  @Test func `is worked on beside many others`() async throws {
    let data = try await Sample.picture(".jpg", width: 800, height: 600)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<40 {
        group.addTask { try await Picture.thumbnail(of: data, longestSide: 100).count }
      }
      for try await count in group { #expect(count > 100) }
    }
  }
}
