import CoreData
import Foundation
import Testing

/// Relationships as Foundation's mutable sets: changes of the set are changes of the objects.
struct MutableCollectionTests {
  @Test func `a mutable set adds and removes notes of a folder`() throws {
    let library = try Library()
    try library.change { context in
      let folder = Folder(context: context)
      let (first, second) = (Note(context: context), Note(context: context))
      let notes = folder.mutableSetValue(forKey: "notes")
      notes.add(first)
      notes.addObjects(from: [second])
      #expect(first.folder === folder && second.folder === folder)
      notes.remove(first)
      #expect(first.folder == nil)
      #expect(notes.count == 1 && notes.contains(second) && !notes.contains(first))
      #expect(notes.allObjects as? [Note] == [second])
      notes.removeAllObjects()
      #expect(folder.notes?.count == 0)
    }
  }

  @Test(arguments: OrderChange.all)
  func `a mutable ordered set changes the pages of a note`(change: OrderChange) throws {
    let library = try Library()
    try library.change { context in
      let note = Note(context: context)
      let pages = (0..<5).map { Page(context: context, text: "\($0)") }
      note.addToPages(NSOrderedSet(array: Array(pages[..<3])))
      change.apply(note.mutableOrderedSetValue(forKey: "pages"), pages)
      #expect(note.text == change.result)
      let members = pages.filter { $0.note === note }.compactMap(\.text)
      #expect(members == change.result.map(String.init).sorted())
    }
    try library.read { context in
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      #expect(note.text == change.result)
    }
  }

  /// One way to change the pages 0, 1, 2 of a note; 3 and 4 are spare.
  struct OrderChange: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let result: String
    let apply: @Sendable (NSMutableOrderedSet, [Page]) -> Void

    init(
      _ name: String,
      _ result: String,
      _ apply: @escaping @Sendable (NSMutableOrderedSet, [Page]) -> Void
    ) {
      testDescription = name
      self.result = result
      self.apply = apply
    }

    static let all = [
      OrderChange("add", "0123") { $0.add($1[3]) },
      OrderChange("add a member", "012") { $0.add($1[1]) },
      OrderChange("add many", "01234") { $0.addObjects(from: [$1[3], $1[4]]) },
      OrderChange("insert", "3012") { $0.insert($1[3], at: 0) },
      OrderChange("insert many", "03142") { $0.insert([$1[3], $1[4]], at: [1, 3]) },
      OrderChange("remove", "02") { $0.remove($1[1]) },
      OrderChange("remove at an index", "12") { set, _ in set.removeObject(at: 0) },
      OrderChange("remove at indexes", "1") { set, _ in set.removeObjects(at: [0, 2]) },
      OrderChange("remove in a range", "2") { set, _ in
        set.removeObjects(in: NSRange(location: 0, length: 2))
      },
      OrderChange("remove many", "0") { $0.removeObjects(in: [$1[1], $1[2], $1[3]]) },
      OrderChange("remove all", "") { set, _ in set.removeAllObjects() },
      OrderChange("replace", "042") { $0.replaceObject(at: 1, with: $1[4]) },
      OrderChange("set", "312") { $0.setObject($1[3], at: 0) },
      OrderChange("exchange", "210") { set, _ in set.exchangeObject(at: 0, withObjectAt: 2) },
      OrderChange("move", "120") { set, _ in set.moveObjects(at: [0], to: 2) },
      OrderChange("union", "0123") { $0.union(NSOrderedSet(array: [$1[2], $1[3]])) },
      OrderChange("minus", "01") { $0.minus(NSOrderedSet(array: [$1[2], $1[3]])) },
      OrderChange("intersect", "2") { $0.intersect(NSOrderedSet(array: [$1[2], $1[3]])) },
      OrderChange("sort", "210") { set, _ in
        set.sort { left, right in
          let (left, right) = ((left as? Page)?.text ?? "", (right as? Page)?.text ?? "")
          return left > right ? .orderedAscending : .orderedDescending
        }
      },
    ]
  }
}

extension Note {
  fileprivate var text: String {
    (pages?.array as? [Page] ?? []).compactMap(\.text).joined()
  }
}

extension Page {
  fileprivate convenience init(context: NSManagedObjectContext, text: String) {
    self.init(context: context)
    self.text = text
  }
}
