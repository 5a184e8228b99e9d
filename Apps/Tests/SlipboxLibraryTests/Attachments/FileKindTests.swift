import Foundation
import Pictures
import Testing

@testable import SlipboxLibrary

/// The kinds of files by their contents.
struct FileKindTests {
  @Test(arguments: [
    ("%PDF-1.7", "application/pdf"), ("RIFF\0\0\0\0WAVEfmt ", "audio/wav"),
    ("fLaC\0", "audio/flac"),
    ("ID3\u{4}\0", "audio/mpeg"), ("OggS\0\u{2}----OpusHead", "audio/ogg"),
    ("OggS\0\u{2}----\u{80}theora", "video/ogg"),
    ("----ftypM4A mp42isom", "audio/mp4"), ("----ftypqt      qt  ", "video/quicktime"),
    ("----ftypisom----isom", "video/mp4"), ("----ftypjp2 ----jp2 ", "application/octet-stream"),
    ("MThd\0\0\0\u{6}", "application/octet-stream"), ("", "application/octet-stream"),
    ("<html><svg></svg>", "application/octet-stream"), ("<svg/>", "image/svg+xml"),
  ])
  func `a kind is found by the first bytes`(letters: String, type: String) {
    let bytes = letters.unicodeScalars.map { UInt8($0.value) }
    #expect(FileKind(of: Data(bytes)).type == type)
  }

  @Test func `a sound in a container that also holds films is a sound`() {
    func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let size = content.count + 8
      return [0, 0, UInt8(size >> 8), UInt8(size & 0xFF)] + Array(name.utf8) + content
    }
    func film(_ track: String) -> Data {
      let handler = box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array(track.utf8))
      let head = box("ftyp", Array("isom\0\0\u{2}\0isom".utf8))
      return Data(head + box("mdat", Array(repeating: 7, count: 500)) + box("moov", handler))
    }
    #expect(FileKind(of: film("soun")).type == "audio/mp4")
    #expect(FileKind(of: film("vide")).type == "video/mp4")
    // A box that claims to be longer than the file is not followed.
    #expect(FileKind(of: film("soun").dropLast(3)).type == "video/mp4")
    func recording(_ codec: String) -> Data {
      let name: [UInt8] = [0x42, 0x82, 0x84] + Array("webm".utf8)
      let track: [UInt8] = [0x86, 0x80 + UInt8(codec.utf8.count)] + Array(codec.utf8)
      return Data([0x1A, 0x45, 0xDF, 0xA3, 0x9F] + name + track)
    }
    #expect(FileKind(of: recording("A_OPUS")).type == "audio/webm")
    #expect(FileKind(of: recording("V_VP8")).type == "video/webm")
  }

  @Test func `two frames make a sound, and two bytes do not`() {
    // 128 kbit/s at 44,100 Hz: 417 bytes.
    let frame = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
    #expect(FileKind(of: Data(frame + frame)).type == "audio/mpeg")
    #expect(FileKind(of: Data(frame)) == .other)
    #expect(FileKind(of: Data([0xFF, 0xFE, 0x41, 0x00, 0x42, 0x00])) == .other)
    let short: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x00] + [UInt8](repeating: 0, count: 10)
    #expect(FileKind(of: Data(short + short)).type == "audio/aac")
  }

  @Test(arguments: [
    ("<svg width='40' height=\"30\" viewBox='0 0 4 3'>", 40, 30),
    ("<svg viewBox='0 0 640 480'>", 640, 480),
    (
      "<?xml version='1.0'?>\n<!-- a > b -->\n<!DOCTYPE svg PUBLIC 'x'>\n<svg width='2in' height='1in'>",
      192, 96
    ),
    ("\u{FEFF}<svg>", 300, 150), ("<svg width='100%' height='100%' viewBox='0,0,20,10'>", 20, 10),
    ("<svg width='50' viewBox='0 0 20 10'>", 50, 25), ("<svg width='1e9' height='-3'>", 300, 1),
    ("<svg width='9999999' height='5'>", 100_000, 5),
  ])
  func `the size of a drawing is read from its first element`(text: String, width: Int, height: Int)
  {
    #expect(SVGHead(Array(text.utf8)[...])?.size == PictureSize(width: width, height: height))
  }

  @Test(arguments: [
    "<svgx>", "svg", "<svg", "<!-- <svg>", "<p><svg>",
    "<!DOCTYPE svg [<!ENTITY a \"aaaa\">]><svg>",
  ])
  func `other texts are no drawings`(text: String) {
    #expect(SVGHead(Array(text.utf8)[...]) == nil)
  }

  @Test func `a file that an earlier version did not know is recognised once`() async throws {
    let box = try Box()
    let id = try await box.note("title").id.uuid
    let sound = Data("RIFF\0\0\0\0WAVEfmt ".utf8)
    let old = try await box.library.addFile(Data("a file".utf8), name: "a.wav", to: id, by: nil)
    let file = try old.id.uuid
    try await box.library.write(by: nil) { context in
      try context.attachment(.file(file)).fullImageData = sound
    }
    try await box.library.purge()
    #expect(try await box.library.readFile(file) { facts, _ in facts.type } == "audio/wav")
    // The second housekeeping reads no file again.
    try await box.library.write(by: nil) { context in
      try context.attachment(.file(file)).type_ = "application/octet-stream"
    }
    try await box.library.purge()
    #expect(
      try await box.library.readFile(file) { facts, _ in facts.type } == "application/octet-stream"
    )
  }
}
