import Foundation
import Testing

@testable import SlipboxLibrary

struct ImportEndingsTests {
  @Test func `the page offers the files that the server can import`() throws {
    let collections = NoteFormats.all.filter(\.isCollection).flatMap(\.endings)
    let archives = Set(collections + ArchiveEnding.allCases.map(\.rawValue))
    #expect(try endings("ARCHIVES") == archives)
    #expect(
      try endings("TEXTS") == Set(NoteFormats.all.flatMap(\.endings)).subtracting(archives)
    )
  }

  @Test func `no two formats have the same ending`() {
    let endings = NoteFormats.all.flatMap(\.endings) + ArchiveEnding.allCases.map(\.rawValue)
    #expect(Set(endings).count == endings.count)
  }

  /// A list of the page's script, such as `const TEXTS = ["md", "txt"];`.
  private func endings(_ name: String) throws -> Set<String> {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Slipbox/Web/acts/importing.js")
    let text = try String(contentsOf: script, encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("const \(name) = ") })
    return Set(
      line.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map {
        String($0.element)
      }
    )
  }
}
