import Foundation
import Testing

@testable import CoreDataModel

struct `A ZIP archive` {
  private struct Packed {
    let name: String
    let data: Data
    var isDeflated = false
    var flags: UInt16 = 0
  }

  /// The bytes of an archive, as programs write it.
  private func archive(_ files: [Packed]) throws -> Data {
    var (body, directory) = (Data(), Data())
    for file in files {
      let packed = file.isDeflated ? try RawDeflate.deflate(file.data) : file.data
      let name = Data(file.name.utf8)
      let offset = body.count
      let method: UInt16 = file.isDeflated ? 8 : 0
      body += long(0x0403_4B50) + short(20) + short(file.flags) + short(method) + long(0) + long(0)
      body += long(packed.count) + long(file.data.count) + short(UInt16(name.count)) + short(0)
      body += name + packed
      directory += long(0x0201_4B50) + short(20) + short(20) + short(file.flags) + short(method)
      directory += long(0) + long(0) + long(packed.count) + long(file.data.count)
      directory += short(UInt16(name.count)) + short(0) + short(0) + short(0) + short(0) + long(0)
      directory += long(offset) + name
    }
    let end = long(0x0605_4B50) + short(0) + short(0) + short(UInt16(files.count))
    return body + directory + end + short(UInt16(files.count)) + long(directory.count)
      + long(body.count) + short(0)
  }

  private func short(_ value: UInt16) -> Data { Data([UInt8(value & 255), UInt8(value >> 8)]) }

  private func long(_ value: Int) -> Data {
    Data((0..<4).map { UInt8((value >> ($0 * 8)) & 255) })
  }

  private func written(_ data: Data) throws -> URL {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).ipa")
    try data.write(to: file)
    return file
  }

  /// Reads an archive from a file that is removed afterwards.
  private func reading(_ data: Data, _ body: (ZipArchive) throws -> Void) throws {
    let file = try written(data)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(ZipArchive(contentsOf: file))
  }

  @Test func `has its files, packed or not`() throws {
    let long = Data(repeating: 7, count: 100_000)
    let bytes = try archive([
      Packed(name: "Payload/A.app/A.mom", data: Data("model".utf8)),
      Packed(name: "Payload/A.app/long", data: long, isDeflated: true),
    ])
    try reading(bytes) { archive throws in
      #expect(archive.entries.map(\.name) == ["Payload/A.app/A.mom", "Payload/A.app/long"])
      #expect(try archive.data(of: archive.entries[0]) == Data("model".utf8))
      #expect(try archive.data(of: archive.entries[1]) == long)
    }
  }

  @Test func `that is encrypted is refused`() throws {
    let bytes = try archive([Packed(name: "a", data: Data("x".utf8), flags: 1)])
    try reading(bytes) { archive throws in
      #expect(throws: ModelError.self) { try archive.data(of: archive.entries[0]) }
    }
  }

  @Test func `that is damaged anywhere is refused or read, and never more`() throws {
    let bytes = try archive([
      Packed(name: "Payload/A.app/A.mom", data: Data(repeating: 3, count: 500), isDeflated: true),
      Packed(name: "b", data: Data("model".utf8)),
    ])
    var random = Numbers(state: 67)
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(
          in: .min ... .max,
          using: &random
        )
      }
      if Bool.random(using: &random) {
        damaged = damaged.prefix(Int.random(in: 0...damaged.count, using: &random))
      }
      do {
        try reading(Data(damaged)) { archive throws in
          for entry in archive.entries.prefix(100) {
            #expect(try archive.data(of: entry).count <= 33 << 20)
          }
        }
      } catch {
        #expect(error is ModelError, "\(error)")
      }
    }
  }
}

/// Numbers that are the same in each run.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
