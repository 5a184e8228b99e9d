import CoreData
import Foundation
import Pictures
import Testing

@testable import SlipboxLibrary

struct AttachmentTests {
  @Test func `a picture that is cut off was taken, and found out at the first look`() async throws {
    let box = try Box()
    let id = try await box.note("title").id.uuid
    let cut = SamplePicture.png.prefix(SamplePicture.png.count * 2 / 3)
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.attach(Data(cut), name: "cut.png", to: id, by: nil)
    }
    #expect(try await box.library.note(id).attachment == nil)
  }

  @Test func `a picture that cannot be read was read at each look`() async throws {
    let box = try Box()
    let id = try await box.note("title").id.uuid
    let cut = Data(SamplePicture.png.prefix(SamplePicture.png.count * 2 / 3))
    // As an older version, or another app, may have put it in.
    let attachment = try await box.library.write(by: nil) { context in
      let attachment = Attachment(image: cut, context: context)
      attachment.type_ = "image/png"
      try context.note(id).attachment = attachment
      try context.save()
      return attachment.objectID
    }
    for _ in 0..<2 {
      await #expect(throws: LibraryProblem.self) {
        _ = try await box.library.thumbnail(of: id, size: 200)
      }
      #expect(box.library.thumbnails.failure(of: attachment) == .damaged(.png))
    }
  }

  @Test func `positions left with exports`() async throws {
    let box = try Box()
    let id = try await box.note("title").id.uuid
    let place = "52.5163N 13.3777E"
    let named = Array("tEXt".utf8) + Array("Comment\0\(place)".utf8)
    let sum = ~named.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1
      }
    }
    func bytes(_ number: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
    let chunk = bytes(UInt32(named.count - 4)) + named + bytes(sum)
    let picture = SamplePicture.png.prefix(33) + chunk + SamplePicture.png.dropFirst(33)
    _ = try await box.library.attach(Data(picture), name: "p.png", to: id, by: nil)
    let base64 = Data(picture).base64EncodedString()
    let silent = try await box.library.export(id, as: .html)
    #expect(silent.data.range(of: Data(base64.utf8)) == nil)
    #expect(silent.data.range(of: Data("data:image/png;base64,".utf8)) != nil)
    let whole = try await box.library.export(id, as: .html, keepsMetadata: true)
    #expect(whole.data.range(of: Data(base64.utf8)) != nil)
    let rtf = try await box.library.export(id, as: .rtf)
    let hexadecimal = Data(Array(place.utf8).map { String(format: "%02x", $0) }.joined().utf8)
    #expect(rtf.data.range(of: hexadecimal) == nil)
    // The picture itself is as it was put in.
    #expect(try await box.library.picture(of: id).data == Data(picture))
    // Some notes are for others; all of them are a copy for the writer.
    let words = Data(place.utf8)
    let some = try await Archive.exported { try await box.library.export([id], to: $0) }
    #expect(some.range(of: words) == nil)
    let kept = try await Archive.exported {
      try await box.library.export([id], to: $0, keepsMetadata: true)
    }
    #expect(kept.range(of: words) != nil)
    let all = try await Archive.exported { try await box.library.exportAll(to: $0) }
    #expect(all.range(of: words) != nil)
  }
}
