import Foundation
import Testing

@testable import SlipboxLibrary

/// Tests of the words that the pages offer after `is:` and `has:`, and name in the help.
struct SearchNamesTests {
  @Test func `pages offered words that the search did not know, or left some out`() throws {
    let apps = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { file, _ in
      file.deletingLastPathComponent()
    }
    func script(_ name: String) throws -> String {
      let file = apps.appendingPathComponent("Sources/Slipbox/Web/model/\(name).js")
      return try String(contentsOf: file, encoding: .utf8)
    }
    let lists = try script("searchNames").prefixMatch(of: /(?s).*?TRAITS = \{(.*?)\n\};/)
    let traits = try #require(lists?.output.1)
    let marks = try script("marks").matches(of: /\bid: "(\w+)"/).map { String($0.output.1) }
    #expect(marks == NoteMark.allCases.map(\.rawValue))
    #expect(traits.contains("...MARKS.map"))
    let offered = marks + traits.matches(of: /"(\w+)"/).map { String($0.output.1) }
    #expect(Set(offered) == Set(SearchTrait.allCases.map(\.rawValue)))
    #expect(offered.count == SearchTrait.allCases.count)
  }
}
