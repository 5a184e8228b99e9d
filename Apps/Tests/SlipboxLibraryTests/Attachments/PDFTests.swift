import CoreData
import Foundation
import Pictures
import Testing

@testable import SlipboxLibrary

/// The pages of PDFs in notes, and searching their texts.
struct PDFTests {
  private static let three = PDFSample.pdf(["Alpha beta", "The second page", "Gamma"])

  private static let hasTool = PDFFile.textTool != nil
  private static let reason: Comment = "pdftotext is not installed (Debian: poppler-utils)"

  private func box(
    _ files: [(name: String, data: Data)],
    _ text: String = "Words of the note"
  ) async throws -> (Box, UUID, [UUID]) {
    let box = try Box()
    let id = try await box.note("A note", text).id.uuid
    var ids: [UUID] = []
    for (name, data) in files {
      ids.append(try await box.library.addFile(data, name: name, to: id, by: nil).id.uuid)
    }
    return (box, id, ids)
  }

  /// The sentence with which some work was refused; `nil` if it was not.
  private func problem(_ work: () async throws -> Void) async throws -> String? {
    do {
      try await work()
      return nil
    } catch let problem as LibraryProblem {
      return problem.localizedDescription
    }
  }

  @Test func `pages are counted and drawn`() async throws {
    let (box, _, files) = try await box([("a.pdf", Self.three)])
    #expect(try await box.library.pages(ofFile: files[0]).pages == 3)
    let page = try await box.library.page(2, ofFile: files[0], size: 500)
    #expect(page.facts.type == "image/jpeg")
    #expect(try await Picture.size(of: page.data) == PictureSize(width: 600, height: 400))
    let first = try await box.library.page(1, ofFile: files[0], size: 600)
    #expect(first.data != page.data && first.facts.tag != page.facts.tag)
    for number in [4, 0] {
      let sentence = try await problem {
        _ = try await box.library.page(number, ofFile: files[0], size: 600)
      }
      #expect(sentence == "The PDF has no page \(number).")
    }
    // A page that is not there says nothing about the others.
    #expect(try await box.library.page(3, ofFile: files[0], size: 2_000).data.count > 1_000)
  }

  @Test func `a page of any shape has bounds`() async throws {
    let (box, _, files) = try await box([
      ("tall.pdf", PDFSample.pdf(["x"], size: (20, 14_000))),
      ("small.pdf", PDFSample.pdf(["x"], size: (3, 3))),
    ])
    for file in files {
      let page = try await box.library.page(1, ofFile: file, size: 99_999)
      let size = try await Picture.size(of: page.data)
      #expect(size.width <= 2_401 && size.height <= 2_401)
    }
  }

  @Test func `a damaged file gets a sentence, and the next one is read`() async throws {
    let (box, _, files) = try await box([
      ("cut.pdf", Self.three.prefix(60)), ("noise.pdf", Data("%PDF-1.7 a letter".utf8)),
      ("a.txt", Data("plain".utf8)), ("good.pdf", Self.three),
    ])
    for file in files.prefix(2) {
      for _ in 0..<2 {
        let sentence = try await problem { _ = try await box.library.pages(ofFile: file) }
        #expect(sentence == PDFError.damaged.localizedDescription)
      }
    }
    let sentence = try await problem { _ = try await box.library.pages(ofFile: files[2]) }
    #expect(sentence == "The file “a.txt” is not a PDF, so it has no pages.")
    #expect(try await box.library.pages(ofFile: files[3]).pages == 3)
  }

  // MARK: - Searching

  private func search(_ text: String, _ box: Box) async throws -> [NoteRow] {
    try await box.library.notes(NoteQuery(NoteSearch(text: text))).rows
  }

  @Test(.enabled(if: hasTool, reason))
  func `a note is found by the words of its file, which the row names`() async throws {
    let text = "The Zettelkasten is a con-\nversation with strasse 100%"
    let (box, _, _) = try await box([("Letter.pdf", PDFSample.pdf(["Alpha", text]))])
    try await box.library.fileTexts.readAll()
    let row = try #require(try await search("conversation", box).first)
    #expect(row.title == "A note")
    #expect(row.file?.name == "Letter.pdf")
    #expect(row.file?.excerpt.contains("a conversation with") == true)
    #expect(row.file?.hits.count == 1)
    // Each word may be somewhere else, and phrases and other spellings are found, too.
    for words in ["alpha words", "\"is a conversation\"", "CONVERS", "straße", "100%"] {
      #expect(try await search(words, box).count == 1, "\(words)")
    }
    #expect(try await search("conversation nowhere", box).isEmpty)
    #expect(try await search("-conversation", box).isEmpty)
    #expect(try await search("title:conversation", box).isEmpty)
    // Words of the note itself need no hint.
    #expect(try #require(try await search("words", box).first).file == nil)
    let hidden = try await box.library.notes(NoteQuery())
    #expect(hidden.rows.first?.file == nil)
  }

  @Test(.enabled(if: hasTool, reason))
  func `the text of a file is read soon after it was put in`() async throws {
    let (box, _, _) = try await box([("a.pdf", Self.three)])
    for _ in 0..<600 where try await search("gamma", box).isEmpty {
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(try await search("gamma", box).count == 1)
  }

  @Test(.enabled(if: hasTool, reason))
  func `a text goes with its file`() async throws {
    let (box, id, files) = try await box([("a.pdf", Self.three)])
    try await box.library.fileTexts.readAll()
    #expect(try await count("FileText", box) == 1)
    try await box.library.write(by: nil) { context in
      try context.note(id).files.removeAll()
    }
    try await box.library.purge()
    #expect(try await count("Attachment", box) == 0)
    #expect(try await count("FileText", box) == 0)
    #expect(try await search("gamma", box).isEmpty)
    await #expect(throws: LibraryProblem.self) { try await box.library.pages(ofFile: files[0]) }
  }

  private func count(_ entity: String, _ box: Box) async throws -> Int {
    try await box.library.read { context in
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }
  }

  @Test(.enabled(if: hasTool, reason))
  func `a file that cannot be read is tried once, and the others are read`() async throws {
    let (box, _, _) = try await box([
      ("noise.pdf", Data("%PDF-1.7 a letter".utf8)), ("a.pdf", Self.three),
    ])
    try await box.library.fileTexts.readAll()
    #expect(try await count("FileText", box) == 2)
    #expect(try await search("gamma", box).count == 1)
  }

  @Test(.enabled(if: hasTool, reason))
  func `a text has a length, and so have those of a note`() async throws {
    let row = String(repeating: "abcdefgh ", count: 60)
    let pages = (0..<200).map { page in
      (0..<6).map { "word\(page)x\($0) \(row)" }.joined(separator: "\n")
    }
    // The tool leaves out letters beside a page.
    let long = PDFSample.pdf(pages, size: (14_000, 200))
    let words = try await PDFFile.text(of: long, atMost: 10_000)
    #expect((9_000...10_003).contains(words.utf8.count))
    let files = (0..<12).map { (name: "\($0).pdf", data: long) }
    let (box, _, _) = try await box(files)
    try await box.library.fileTexts.readAll()
    let counts = try await box.library.read { context in
      try context.fetch(NSFetchRequest<FileText>(entityName: "FileText")).map(\.byteCount)
    }
    #expect(counts.count == 12)
    #expect(counts.allSatisfy { $0 <= FileTextReader.mostOfFile })
    #expect(counts.reduce(0, +) <= FileTextReader.mostOfNote)
    #expect(counts.contains { $0 > 100_000 })
  }

  @Test func `where the tool is missing, files wait, and pages say why they are not searched`()
    async throws
  {
    let (box, _, _) = try await box([("a.pdf", Data("%PDF-1.7 a letter".utf8))])
    await #expect(throws: PDFError.noTool) {
      try await PDFFile.text(of: Self.three, atMost: 100, tool: nil)
    }
    await #expect(throws: PDFError.noTool) {
      try await PDFFile.text(of: Self.three, atMost: 100, tool: "/nowhere/pdftotext")
    }
    await #expect(throws: PDFError.noTool) { try await box.library.fileTexts.readAll(with: nil) }
    #expect(PDFError.noTool.localizedDescription.contains("poppler-utils"))
    #expect(!PDFError.noTool.isLasting)
  }
}
