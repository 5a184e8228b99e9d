import Foundation
import Testing

@testable import SlipboxLibrary

struct ImportEndingsTests {
  @Test func `the page offers the files that the server can import`() throws {
    let collections = NoteFormats.all.filter(\.isCollection).flatMap(\.endings)
    let archives = Set(collections + ArchiveEnding.allCases.map(\.rawValue))
    #expect(try endings("ARCHIVES") == archives)
    let known = Set(NoteFormats.all.filter(\.isKnownByEnding).flatMap(\.endings))
    let texts = known.subtracting(archives)
    #expect(try endings("TEXTS") == texts)
    // Files that are notes of some programs, and anything elsewhere.
    let all = Set(NoteFormats.all.flatMap(\.endings))
    #expect(try endings("PERHAPS") == all.subtracting(archives).subtracting(texts))
  }

  @Test func `no two formats are known by the same ending`() {
    let known = NoteFormats.all.filter(\.isKnownByEnding).flatMap(\.endings)
    let endings = known + ArchiveEnding.allCases.map(\.rawValue)
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
