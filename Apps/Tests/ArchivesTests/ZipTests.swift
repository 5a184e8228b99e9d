import ChildPrograms
import Foundation
import Testing

@testable import Archives

/// Archives that are written and read.
struct ZipTests {
  private static let day = Date(timeIntervalSince1970: 1_700_000_001)

  private func written(_ files: [(path: String, data: Data)]) throws -> Data {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).zip")
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer {
      close(descriptor)
      unlink(url.path)
    }
    var archive = ZipWriter(descriptor)
    for file in files { try archive.add(file.path, file.data, date: Self.day) }
    try archive.finish()
    return try Data(contentsOf: url)
  }

  @Test func `what is written is read again`() throws {
    let files: [(path: String, data: Data)] = [
      ("Reading/Süß 你好.md", Data(String(repeating: "words ", count: 5_000).utf8)),
      ("empty", Data()), ("noise", Data((0..<500).map { _ in UInt8.random(in: 0...255) })),
    ]
    let archive = try ZipReader(try written(files))
    #expect(
      archive.entries.map(\.path) == files.map { $0.path.precomposedStringWithCanonicalMapping }
    )
    #expect(archive.entries.map(\.date) == [Self.day, Self.day, Self.day])
    for (entry, file) in zip(archive.entries, files) {
      #expect(try archive.read(entry, limit: 100_000) == file.data)
      #expect(try archive.beginning(of: entry, count: 7) == file.data.prefix(7))
    }
  }

  @Test func `an archive of seventy thousand files is read`() throws {
    let archive = try ZipReader(try written((0..<70_000).map { ("\($0)", Data()) }))
    #expect(archive.entries.count == 70_000)
    #expect(archive.entries.last?.path == "69999")
  }

  @Test func `other programs read what is written`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).zip")
    defer { unlink(url.path) }
    try written([("a/é.md", Data(String(repeating: "b", count: 999).utf8))]).write(to: url)
    let arguments = [
      "-c",
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; "
        + "assert z.namelist() == ['a/é.md'] and z.read('a/é.md') == b'b' * 999", url.path,
    ]
    let outcome = try ChildProgram.run(URL(fileURLWithPath: "/usr/bin/python3"), arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(arguments: [
    ("../../etc/passwd", "etc/passwd"), ("/etc/passwd", "etc/passwd"), ("a\\..\\b", "a/b"),
    ("a/./b//c", "a/b/c"), ("a\0\u{1B}b", "ab"),
  ])
  func `no path leads up or out`(path: String, expected: String) throws {
    let archive = try ZipReader(try written([(path, Data("a".utf8))]))
    #expect(archive.entries.map(\.path) == [expected])
  }

  @Test func `a small archive that becomes a large file is refused before it does`() throws {
    let zeros = Data(count: 64 << 20)
    var bytes = try written([("zeros", zeros)])
    #expect(bytes.count < 1 << 20)
    let archive = try ZipReader(bytes)
    #expect(throws: ArchiveError("The file is larger than 1 MB.")) {
      try archive.read(archive.entries[0], limit: 1 << 20)
    }
    // One that says it is small is not read further than it says.
    let directory = try #require(bytes.range(of: Data([0x50, 0x4b, 0x01, 0x02]))).lowerBound
    bytes.replaceSubrange((directory + 24)..<(directory + 28), with: [16, 0, 0, 0])
    let liar = try ZipReader(bytes)
    #expect(throws: ArchiveError("It is damaged in the archive.")) {
      try liar.read(liar.entries[0], limit: 1 << 20)
    }
  }

  @Test func `a file that is too large for memory waits on the disk`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("held-\(UUID())", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = Data(String(repeating: "words ", count: 200_000).utf8)
    let noise = Data((0..<999).map { _ in UInt8.random(in: 0...255) })
    var bytes = try written([("words", words), ("noise", noise), ("empty", Data())])
    let archive = try ZipReader(bytes)
    for (entry, data) in zip(archive.entries, [words, noise, Data()]) {
      #expect(try archive.mapped(entry, limit: 2 << 20, in: folder) == data)
    }
    #expect(throws: ArchiveError("The file is larger than 1 MB.")) {
      try archive.mapped(archive.entries[0], limit: 1 << 20, in: folder)
    }
    #expect(try HeldData.data(words, in: folder) == words)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    // One that says it is small is not written further than it says, and one that breaks off is damaged.
    let directory = try #require(bytes.range(of: Data([0x50, 0x4b, 0x01, 0x02]))).lowerBound
    for size: [UInt8] in [[16, 0, 0, 0], [0, 0, 0x20, 0]] {
      bytes.replaceSubrange((directory + 24)..<(directory + 28), with: size)
      let liar = try ZipReader(bytes)
      #expect(throws: ArchiveError("It is damaged in the archive.")) {
        try liar.mapped(liar.entries[0], limit: 4 << 20, in: folder)
      }
    }
  }

  @Test(arguments: ["", "PK", "no archive at all, but long enough to have an end somewhere"])
  func `what is no archive is refused`(text: String) {
    #expect(throws: ArchiveError("This is no zip archive, or its end is missing.")) {
      try ZipReader(Data(text.utf8))
    }
  }

  @Test func `whatever the bytes are, the program goes on`() throws {
    let valid = try written([
      ("a.md", Data(String(repeating: "a", count: 300).utf8)), ("b", Data("b".utf8)),
    ])
    for seed in 0..<3_000 {
      var bytes = valid
      var state = (UInt64(seed) &* 0x9E37_79B9_7F4A_7C15) | 1
      for _ in 0..<(1 + seed % 5) {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      if seed.isMultiple(of: 7) { bytes = bytes.prefix(Int(state >> 33) % bytes.count) }
      guard let archive = try? ZipReader(Data(bytes)) else { continue }
      for entry in archive.entries { _ = try? archive.read(entry, limit: 1 << 20) }
    }
  }
}
