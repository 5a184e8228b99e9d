import CoreData
import Foundation
import Pictures
import Synchronization

/// Reads the texts of PDFs beside everything else, so that searches find the notes with them.
///
/// ```
/// a file is put in ┐
/// others write     ├─▶ one file after the other:  contents ─▶ PDFFile.text ─▶ FileText
/// every hour       ┘
/// ```
///
/// The writer is only needed to keep each text. Where the tool that reads texts is missing, the files wait for it.
final class FileTextReader: Sendable {
  private let reading: NSManagedObjectContext
  private let contents: NSManagedObjectContext
  private let writing: NSManagedObjectContext
  private let outlines: OutlineCache
  private let run = Mutex(Run())

  private struct Run {
    var task: Task<Void, Never>?
    /// Something has come since the present run looked for files.
    var isWanted = false
    var isStopped = false
  }

  /// The most bytes of text that are kept of a file, and of all files of a note.
  static let mostOfFile = 400_000
  static let mostOfNote = 4_000_000

  init(
    reading: NSManagedObjectContext,
    contents: NSManagedObjectContext,
    writing: NSManagedObjectContext,
    _ outlines: OutlineCache
  ) {
    self.reading = reading
    self.contents = contents
    self.writing = writing
    self.outlines = outlines
  }
}

// MARK: - Runs

extension FileTextReader {
  /// Begins to read the files that were not read yet, unless that goes on already.
  func readSoon() {
    guard PDFFile.textTool != nil else { return }
    run.withLock { run in
      run.isWanted = true
      guard run.task == nil, !run.isStopped else { return }
      run.task = Task.detached(priority: .utility) { [weak self] in
        while let self, self.goesOn() {
          // The files that could not be read now are read in the next hour.
          try? await self.readAll()
        }
      }
    }
  }

  private func goesOn() -> Bool {
    run.withLock { run in
      let isWanted = run.isWanted && !run.isStopped
      if !isWanted { run.task = nil }
      run.isWanted = false
      return isWanted
    }
  }

  /// Ends the reading; for when the slip box is closed.
  func stop() {
    run.withLock { run in
      run.isStopped = true
      run.task?.cancel()
    }
  }

  /// Reads the texts of all files that were not read yet.
  ///
  /// - Parameter tool: The path of `pdftotext`.
  /// - Throws: The error of the store, and a ``PDFError`` if no file can be read now.
  func readAll(with tool: String? = PDFFile.textTool) async throws {
    guard tool != nil else { throw PDFError.noTool }
    while let file = try await next() {
      try Task.checkCancellation()
      try await keep(try await words(of: file, with: tool), of: file)
    }
  }
}

// MARK: - One file

extension FileTextReader {
  private func next() async throws -> NSManagedObjectID? {
    let context = reading
    return try await context.performCancellable {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Attachment")
      request.resultType = .managedObjectIDResultType
      request.predicate = NSPredicate(format: "type_ == %@ AND text == nil", FileKind.pdf.type)
      request.fetchLimit = 1
      return try context.fetch(request).first
    }
  }

  /// The words of a file; none if it is damaged, or takes too long.
  private func words(of file: NSManagedObjectID, with tool: String?) async throws -> String {
    let context = contents
    let data = await context.perform { @Sendable in
      // Nothing of it stays behind.
      defer { context.reset() }
      return (try? context.existingObject(with: file) as? Attachment)?.fullImageData ?? Data()
    }
    do {
      return try await PDFFile.text(of: data, atMost: Self.mostOfFile, tool: tool)
    } catch let error as PDFError where error.isLasting {
      return ""
    }
  }

  private func keep(_ words: String, of id: NSManagedObjectID) async throws {
    let (context, outlines) = (writing, outlines)
    try await context.perform { @Sendable in
      try Library.write(in: context, outlines, by: nil) { context in
        // It may be gone since, or another program was faster.
        guard let file = try? context.existingObject(with: id) as? Attachment, file.text == nil
        else { return }
        _ = FileText(Self.cut(words, to: Self.room(for: file)), of: file, in: context)
      }
    }
  }

  /// How many bytes of text the notes of a file have room for.
  private static func room(for file: Attachment) -> Int {
    let notes = file.notes_ as? Set<Note> ?? []
    let used = notes.map { note in
      note.files.reduce(0) { $0 + Int(clamping: $1.text?.byteCount ?? 0) }
    }
    return max(0, mostOfNote - (used.max() ?? 0))
  }

  private static func cut(_ words: String, to room: Int) -> String {
    if words.utf8.count <= room { return words }
    // A letter that is cut in two is left out.
    return String(decoding: words.utf8.prefix(room), as: UTF8.self)
      .trimmingCharacters(in: ["\u{FFFD}"])
  }
}
