import Foundation
import Testing

@testable import SlipboxLibrary

/// Tests of acts that are kept to be undone.
struct ActShelfTests {
  private struct Deed: Undoable {
    let weight: Int
    func turn(by author: String?) throws {}
  }

  @Test func `fifty acts with large pictures filled the memory`() throws {
    let shelf = ActShelf()
    let now = Date()
    let tokens = (0..<10).map { _ in shelf.keep(Deed(weight: ActShelf.weightLimit / 4), at: now) }
    let kept = tokens.filter { (try? shelf.take($0, at: now)) != nil }
    #expect(kept == tokens.suffix(4))
  }

  @Test func `the last act is kept however much it remembers`() throws {
    let shelf = ActShelf()
    let now = Date()
    let small = shelf.keep(Deed(weight: 1), at: now)
    let large = shelf.keep(Deed(weight: 2 * ActShelf.weightLimit), at: now)
    #expect(throws: LibraryProblem.self) { try shelf.take(small, at: now) }
    #expect(try shelf.take(large, at: now).weight == 2 * ActShelf.weightLimit)
  }
}
