import CoreDataPredicates
import Foundation
import Testing

struct SortDescriptorTests {
  private let notes: [[String: Any]] = [
    ["title": "b", "stars": 2], ["title": "C", "stars": 10], ["stars": 3],
    ["title": "a", "folder": ["name": "Work"]],
  ]

  private func titles(_ descriptors: NSSortDescriptor...) -> [String] {
    NSArray(array: notes).sortedArray(using: descriptors)
      .map { ($0 as? [String: Any])?["title"] as? String ?? "-" }
  }

  @Test func `nil comes first in ascending order`() {
    #expect(titles(NSSortDescriptor(key: "title", ascending: true)) == ["-", "C", "a", "b"])
    #expect(titles(NSSortDescriptor(key: "title", ascending: false)) == ["b", "a", "C", "-"])
    #expect(titles(NSSortDescriptor(key: "stars", ascending: true)) == ["a", "b", "-", "C"])
  }

  @Test func `key paths and selectors order`() {
    let folder = NSSortDescriptor(key: "folder.name", ascending: false)
    let title = NSSortDescriptor(
      key: "title",
      ascending: true,
      selector: Selector("caseInsensitiveCompare:")
    )
    #expect(titles(folder, title) == ["a", "-", "b", "C"])
    let natural = NSSortDescriptor(
      key: "self",
      ascending: true,
      selector: "localizedStandardCompare:"
    )
    #expect(natural.compare("Note 2", to: "Note 10") == .orderedAscending)
    let plain = NSSortDescriptor(key: nil, ascending: true)
    #expect(plain.compare("Note 2", to: "Note 10") == .orderedDescending)
    for name in ["localizedCompare:", "localizedCaseInsensitiveCompare:"] {
      let localized = NSSortDescriptor(key: "self", ascending: false, selector: Selector(name))
      #expect(localized.compare("a", to: "b") == .orderedDescending)
      #expect(localized.selector == Selector(name))
    }
  }

  @Test func `a comparator orders`() {
    let byLength = NSSortDescriptor(key: "self", ascending: true) { one, other in
      let (x, y) = ("\(one)".count, "\(other)".count)
      return x < y ? .orderedAscending : x == y ? .orderedSame : .orderedDescending
    }
    #expect(byLength.compare("zz", to: "aaa") == .orderedAscending)
    #expect(byLength.selector == nil)
    guard case .comparator = byLength.term.order else {
      Issue.record("not a comparator")
      return
    }
    let reversed = byLength.reversedSortDescriptor as? NSSortDescriptor
    #expect(reversed?.compare("zz", to: "aaa") == .orderedDescending)
  }

  @Test func `a descriptor tells what stores need`() {
    let term = NSSortDescriptor(key: "folder.name", ascending: false).term
    #expect(term == SortTerm(keyPath: ["folder", "name"], ascending: false))
    #expect(NSSortDescriptor(key: "self", ascending: true).term.keyPath == [])
    #expect(NSSortDescriptor(key: nil, ascending: true).term.keyPath == [])
    let selected = NSSortDescriptor(
      key: "title",
      ascending: true,
      selector: "localizedCaseInsensitiveCompare:"
    )
    #expect(selected.term.order == .localizedCaseInsensitive)
    #expect(selected.key == "title")
    #expect(NSSortDescriptor(key: "title", ascending: true, selector: nil).selector == "compare:")
  }

  @Test func `Swift key paths are named by their class`() {
    let title = NSSortDescriptor(keyPath: \NamedNote.title, ascending: true)
    #expect(title.key == "title")
    #expect(title.term == SortTerm(keyPath: ["title"], ascending: true))
    let stars = NSSortDescriptor(keyPath: \NamedNote.stars, ascending: false)
    #expect(stars.term == SortTerm(keyPath: ["stars"], ascending: false))
    let folder = NSSortDescriptor(keyPath: \NamedNote.folder.name, ascending: false)
    #expect(folder.term.keyPath == ["folder", "name"])
    let byCode = NSSortDescriptor(keyPath: \NamedNote.stars, ascending: true) { _, _ in .orderedSame
    }
    guard case .comparator = byCode.term.order else {
      Issue.record("not a comparator")
      return
    }
    #expect(NSSortDescriptor(keyPath: \NamedNote.self, ascending: true).key == nil)
  }

  @Test func `Swift key paths compare in memory`() throws {
    let (none, a, b) = (
      NamedNote(nil, stars: 3), NamedNote("a", stars: 2), NamedNote("b", stars: 1)
    )
    let title = NSSortDescriptor(keyPath: \NamedNote.title, ascending: true)
    #expect(title.compare(none, to: a) == .orderedAscending)
    #expect(title.compare(b, to: a) == .orderedDescending)
    let reversed = try #require(title.reversedSortDescriptor as? NSSortDescriptor)
    #expect(reversed.compare(b, to: a) == .orderedAscending)
    #expect(!reversed.ascending && reversed.key == "title")
    let stars = NSSortDescriptor(keyPath: \NamedNote.stars, ascending: true)
    #expect(stars.compare(a, to: b) == .orderedDescending)
    let unnamed = NSSortDescriptor(keyPath: \Note.folder?.name, ascending: true)
    #expect(unnamed.key == nil)
    #expect(unnamed.compare(Note("x"), to: Note("y", folder: Folder("Work"))) == .orderedAscending)
    let value = NSSortDescriptor(keyPath: \String.count, ascending: true)
    #expect(value.compare("zz", to: "aaa") == .orderedAscending)
  }

  @Test func `equal descriptors are equal, and copies too`() {
    let one = NSSortDescriptor(key: "title", ascending: true)
    #expect(one == NSSortDescriptor(key: "title", ascending: true))
    #expect(one.hash == NSSortDescriptor(key: "title", ascending: true).hash)
    #expect(one != NSSortDescriptor(key: "title", ascending: false))
    #expect(one != NSSortDescriptor(key: "title", ascending: true, selector: "localizedCompare:"))
    #expect(one.copy() as? NSSortDescriptor == one)
    #expect((one.reversedSortDescriptor as? NSSortDescriptor)?.ascending == false)
    let path = NSSortDescriptor(keyPath: \NamedNote.title, ascending: true)
    #expect(path == NSSortDescriptor(keyPath: \NamedNote.title, ascending: true))
    #expect(path != NSSortDescriptor(keyPath: \NamedNote.title, ascending: false))
  }

  @Test func `a store cannot sort by a key path without a name`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = NSSortDescriptor(keyPath: \Note.folder?.name, ascending: true).term
    }
    #expect(result.says("has no name in key-value coding"))
  }
}
