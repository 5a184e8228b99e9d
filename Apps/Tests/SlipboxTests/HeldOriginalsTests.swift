import CoreDataWebServer
import Foundation
import Testing

@testable import Slipbox
@testable import SlipboxLibrary

struct `Large pictures that clients take` {
  private static let facts = OriginalPicture.Facts(name: "a.png", type: "image/png", tag: "p1")
  private static let large = Data(count: HeldOriginals.usualSize + 1)

  private let originals = HeldOriginals(in: FileManager.default.temporaryDirectory)

  private func take(
    _ facts: OriginalPicture.Facts = facts,
    known: String? = nil,
    _ data: () throws -> Data = { large }
  ) throws -> Response {
    let headers: Headers = known.map { ["If-None-Match": $0] } ?? [:]
    return try originals.response(to: Request(.get, "/", headers: headers), with: facts, data)
  }

  private func file(of response: Response) -> HeldFile? {
    if case .held(let file) = response.body { file } else { nil }
  }

  private struct Unwanted: Error {}

  @Test func `every client had a copy in memory and on the disk`() throws {
    let first = try take()
    let second = try take { throw Unwanted() }
    #expect(file(of: first) != nil && file(of: first) === file(of: second))
    #expect(second.headers["ETag"] == "\"p1\"")
    #expect(second.headers["Content-Type"] == "image/png")
    // Another picture has a file of its own.
    let other = try take(.init(name: "b.png", type: "image/png", tag: "p2"))
    #expect(file(of: other) !== file(of: first))
  }

  @Test func `a file stays as long as somebody takes it`() throws {
    weak var file: HeldFile?
    do {
      let response = try take()
      file = self.file(of: response)
      #expect(file?.byteCount == Self.large.count)
    }
    #expect(file == nil)
    #expect(throws: Unwanted.self) { try take { throw Unwanted() } }
  }

  @Test func `a picture was read for a client that had it`() throws {
    let response = try take(known: "W/\"p0\", \"p1\"") { throw Unwanted() }
    #expect(response.headers["ETag"] == "\"p1\"")
    #expect(throws: Unwanted.self) { try take(known: "\"p0\"") { throw Unwanted() } }
  }

  @Test func `a player found the file gone between two parts`() throws {
    let sound = OriginalPicture.Facts(name: "a.wav", type: "audio/wav", tag: "s1")
    weak var file: HeldFile?
    do {
      // It is in a file however small it is: some browsers play only what comes in parts.
      file = self.file(of: try take(sound) { Data([1, 2, 3]) })
    }
    #expect(file != nil)
    let second = self.file(of: try take(sound) { throw Unwanted() })
    #expect(second === file)
  }

  @Test func `a small picture is sent from memory`() throws {
    let response = try take { Data([1, 2, 3]) }
    guard case .data(let data) = response.body else {
      Issue.record("it was put into a file")
      return
    }
    #expect(data == Data([1, 2, 3]))
  }
}
