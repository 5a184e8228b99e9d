import Foundation
import Testing

@testable import Archives

/// Tar archives, of which no number is believed.
struct TarTests {
  /// The header of a file, in the older form of GNU tar.
  private func header(_ name: String, size: String, kind: Character = "0") -> Data {
    var header = Data(count: 512)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
    }
    put(name, at: 0)
    put(size, at: 124)
    put("14524755722", at: 136)
    put("        ", at: 148)
    put(String(kind), at: 156)
    put("ustar", at: 257)
    let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
    put(String(repeating: "0", count: 6 - sum.count) + sum, at: 148)
    header[154] = 0
    return header
  }

  private func padded(_ text: String) -> Data {
    Data(text.utf8) + Data(count: 512 - text.utf8.count)
  }

  @Test func `files of a tar archive are found, and steps up lead nowhere`() throws {
    let data =
      header("folder/", size: "00000000000", kind: "5") + header("../a.md", size: "00000000003")
      + padded("abc")
      + header("././@LongLink", size: "00000000006", kind: "L") + padded("long/b")
      + header("cut", size: "00000000001") + padded("d")
      + header("link", size: "00000000000", kind: "2")
      + header("x", size: "00000000015", kind: "x") + padded("13 path=e/f\n")
      + header("g", size: "00000000000")
      + Data(count: 1024)
    #expect(TarReader.isArchive(data))
    let archive = try TarReader(data)
    #expect(archive.entries.map(\.path) == ["a.md", "long/b", "link", "e/f"])
    #expect(archive.entries.map(\.isLink) == [false, false, true, false])
    #expect(try archive.read(archive.entries[0], limit: 10) == Data("abc".utf8))
    #expect(throws: ArchiveError.self) { try archive.read(archive.entries[0], limit: 2) }
    #expect(archive.beginning(of: archive.entries[0], count: 1_000).count == 3)
  }

  @Test(arguments: ["77777777777", "00000002000"])
  func `a tar archive that ends in a file is damaged`(size: String) {
    #expect(throws: ArchiveError.self) { try TarReader(header("a", size: size) + padded("abc")) }
  }

  @Test func `a tar archive with any changed byte ends with a sentence or some files`() throws {
    let data = header("a.md", size: "00000000003") + padded("abc") + Data(count: 1024)
    for index in 0..<600 {
      var changed = data
      changed[index] ^= 0x5A
      // Whether it can be read or not, reading ends.
      _ = try? TarReader(changed).entries
    }
  }

  @Test func `a compressed archive is read within its limit, and damage is found`() throws {
    // Ten thousand letters, as gzip compresses them.
    let pressed = try #require(
      Data(base64Encoded: "H4sIAAAAAAACA+3BAQ0AAADCoKzvX8IcbkABAAAAAAAAAADAvwGX1H5GECcAAA==")
    )
    let folder = FileManager.default.temporaryDirectory
    let content = try Gzip.unpacked(pressed, limit: 1 << 20, in: folder)
    #expect(content == Data(repeating: UInt8(ascii: "a"), count: 10_000))
    #expect(throws: ArchiveError.self) { try Gzip.unpacked(pressed, limit: 9_999, in: folder) }
    #expect(throws: ArchiveError.self) {
      try Gzip.unpacked(pressed.dropLast(4) + [0, 0, 0, 0], limit: 1 << 20, in: folder)
    }
    #expect(throws: ArchiveError.self) {
      try Gzip.unpacked(pressed.prefix(12), limit: 1, in: folder)
    }
  }
}
