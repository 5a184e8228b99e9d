import CoreData
import Foundation
import RichText
import Synchronization
import Testing

@testable import SlipboxLibrary

struct ImportTests {
  private func file(_ name: String, _ text: String) -> ImportedFile {
    ImportedFile(name: name, data: Data(text.utf8))
  }

  @Test func `the picture of an exported note that came without it was missing in the report`()
    async throws
  {
    let box = try Box()
    let note = "---\nid: \"\(UUID().uuidString)\"\npicture: files/tree.png\n---\n\nWords"
    let report = try await box.library.importNotes(
      try Archive.of(["Tree.md": note]),
      into: nil,
      by: nil
    )
    #expect(
      report.changes == [
        ImportedChange(kind: "missingFile", files: 1, first: "Tree.md", line: 1)
      ]
    )
  }

  @Test(.timeLimit(.minutes(60)))
  func `nine hundred kilobytes of links to one note held the writer for minutes`() async throws {
    let box = try Box()
    _ = try await box.note("x")
    let text = String(repeating: "[[x]] ", count: 150_000)
    let imported = try await box.library.importNotes([file("many.md", text)], into: nil, by: nil)
    // So many pieces nobody can edit.
    #expect(imported.notes.isEmpty)
    #expect(imported.refused.first?.reason.contains("more than 50000 pieces") == true)
    let other = String(repeating: "[[no such note]] ", count: 50_000)
    let words = try await box.library.importNotes([file("words.md", other)], into: nil, by: nil)
    #expect(words.notes.count == 1)
  }

  @Test func `each new folder read all others beside it, and others waited for the whole list`()
    async throws
  {
    let box = try Box()
    let count = 3_000
    let names = (0..<count).map { "\"Folder \($0)\"" }.joined(separator: ", ")
    let source = try Archive.of([
      (".slipbox.json", Data("{\"folders\": [\(names)]}".utf8)), ("a.md", Data("# A\n".utf8)),
    ])
    let rows = RowCounter(of: box.folder)
    StoreMetrics.connect(rows)
    defer { StoreMetrics.disconnect(rows) }
    let report = try await box.library.importNotes(source, into: nil, by: nil)
    #expect(report.folders == count)
    #expect(rows.count < 40 * count, "\(rows.count) rows were read")
    let ordered = try await box.library.read { context in
      let request = Folder.topFolderFetch()
      request.sortDescriptors = [NSSortDescriptor(key: FolderProperties.order, ascending: true)]
      return try context.fetch(request).map(\.name)
    }
    #expect(ordered.prefix(12).last == "Folder 11" && ordered.count == count)
  }

  @Test func `titles are looked up once, and nobody who writes waits for it`() async throws {
    let box = try Box()
    let target = try await box.note("Slip boxes")
    // While the writer is busy, files are read and links resolved all the same.
    let titles = try await box.library.read {
      try TitleDirectory(of: ["SLIP BÓXES", "nothing", "slip boxes"], in: $0)
    }
    #expect(titles["Slip Boxes"]?.text == target.id)
    #expect(titles["nothing"] == nil)
  }

  @Test func `a link to Bär led to Bar, which is older`() async throws {
    let box = try Box()
    let bar = try await box.note("Bar")
    box.clock.wait(1)
    let bear = try await box.note("Bär")
    let titles = try await box.library.read {
      try TitleDirectory(of: ["Bär", "Bar", "BAR"], in: $0)
    }
    #expect(titles["Bär"]?.text == bear.id)
    #expect(titles["Bar"]?.text == bar.id && titles["BAR"]?.text == bar.id)
    let document = try await box.library.document(markdown: "[[Bär]]")
    #expect(try RichText(document: document).links == [try bear.id.uuid])
    #expect(try await box.library.markdown(document: document) == "[[Bär]]\n")
  }

  @Test func `files link to notes, and to files before and behind them`() async throws {
    let box = try Box()
    _ = try await box.note("Old")
    let files = [
      file("a.md", "# First\n\nSee [[old]], [[Second]]."),
      file("b.md", "# Second\n\nSee [[FIRST]] and [[first|that]]."),
      file("c.md", "# old\n\nA second one."), file("d.md", "[[Old]]"),
    ]
    let imported = try await box.library.importNotes(files, into: nil, by: nil)
    #expect(imported.refused.isEmpty)
    let links = try await imported.notes.asyncMap { row in
      try await box.library.note(row.id.uuid).links.map(\.id)
    }
    let (first, second) = (imported.notes[0].id, imported.notes[1].id)
    #expect(
      links.map(Set.init) == [[second, imported.notes[2].id], [first], [], [imported.notes[2].id]]
    )
  }

  @Test func `more at once than is written at once comes in all the same`() async throws {
    let box = try Box()
    let text = String(repeating: "words ", count: 150_000)
    let files = (0..<20).map { file("\($0).txt", text) }
    let imported = try await box.library.importNotes(files, into: nil, by: nil)
    #expect(imported.notes.count == 20)
    #expect(imported.refused.isEmpty)
  }

  @Test func `a small file that names one address again and again became a gigabyte`() async throws
  {
    let box = try Box()
    let text =
      "[r]: http://example.org/\(String(repeating: "a", count: 7_900))\n\n"
      + String(repeating: "[a][r] b ", count: 1_000)
    let imported = try await box.library.importNotes([file("a.md", text)], into: nil, by: nil)
    #expect(imported.notes.isEmpty)
    #expect(imported.refused.first?.reason.contains("addresses") == true)
  }

  @Test func `a text of a million empty lines could not be read again`() async throws {
    let box = try Box()
    let lines = String(repeating: "\n", count: 900_000)
    let imported = try await box.library.importNotes([file("lines.txt", lines)], into: nil, by: nil)
    #expect(imported.notes.isEmpty)
    #expect(imported.refused.count == 1)
  }

  @Test func `an import that nobody waits for makes no notes`() async throws {
    let box = try Box()
    let files = [file("a.md", "# a")]
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await box.library.importNotes(files, into: nil, by: nil)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try await box.library.overview().places.all == 0)
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(
    _ transform: (Element) async throws -> Value
  ) async rethrows
    -> [Value]
  {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}

/// Counts the rows that the statements of a slip box give.
private final class RowCounter: StoreMeter {
  private let rows = Mutex(0)
  private let folder: String

  init(of folder: URL) {
    self.folder = folder.path
  }

  var count: Int { rows.withLock { $0 } }

  func record(_ measurement: StoreMeasurement) {
    guard case .statement(let statement) = measurement, statement.store.path.hasPrefix(folder)
    else { return }
    rows.withLock { $0 += statement.rowCount }
  }
}
