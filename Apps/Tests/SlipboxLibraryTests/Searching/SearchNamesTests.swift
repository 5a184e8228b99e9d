import Foundation
import Testing

@testable import SlipboxLibrary

/// What the pages offer behind `is:` and `has:`, and say in the help.
struct SearchNamesTests {
  @Test func `pages offered words that the search did not know, or left some out`() throws {
    let apps = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { file, _ in
      file.deletingLastPathComponent()
    }
    let script = apps.appendingPathComponent("Sources/Slipbox/Web/model/searchNames.js")
    let text = try String(contentsOf: script, encoding: .utf8)
    let traits = try #require(text.firstMatch(of: /TRAITS = \{(?<lists>[^}]*)\}/)?.output.lists)
    let offered = traits.matches(of: /"(\w+)"/).map { String($0.output.1) }
    #expect(Set(offered) == Set(SearchTrait.allCases.map(\.rawValue)))
    #expect(offered.count == SearchTrait.allCases.count)
  }
}
