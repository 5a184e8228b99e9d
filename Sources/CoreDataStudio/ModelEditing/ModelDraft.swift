import CoreDataModel
import CoreDataModelWriting
import CoreDataWebServer
import Foundation

/// A version of a model as it is being edited, with undo and redo.
struct ModelDraft: Sendable {
  /// More steps back are forgotten.
  private static let mostSteps = 200

  let name: String
  let file: URL
  private(set) var document: ModelDocument
  /// The file as it was when it was read or saved.
  private(set) var saved: Data
  private var undone: [Data] = []
  private var done: [Data] = []
  /// Changes with each edit, so that a page never edits something other than what it shows.
  private(set) var revision = 1

  /// - Throws: A `Problem` for a file that is not well-formed.
  init(_ name: String, _ file: URL) throws {
    self.name = name
    self.file = file
    saved = try Self.read(file)
    document = try Self.document(saved, file)
  }

  private static func read(_ file: URL) throws -> Data {
    let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    guard size <= 32 << 20 else {
      throw Problem(413, "\(file.lastPathComponent) has more than 32 MB, which no model has.")
    }
    return try Data(contentsOf: file)
  }

  private static func document(_ data: Data, _ file: URL) throws -> ModelDocument {
    do {
      return try ModelDocument(data)
    } catch {
      throw Problem(
        422,
        "\(file.deletingLastPathComponent().lastPathComponent), line \(error.line): \(error.message)."
      )
    }
  }

  var isChanged: Bool { document.data != saved }
  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  /// Whether another program has written the file since it was read.
  var isOvertaken: Bool {
    get throws { try Self.read(file) != saved }
  }

  /// Makes an edit; nothing changes if it throws.
  mutating func edit<Result>(_ body: (inout ModelDocument) throws -> Result) throws -> Result {
    var new = document
    let result: Result
    do {
      result = try body(&new)
    } catch let mistake as ModelDocument.Mistake {
      throw Problem(400, mistake.description)
    }
    if new.data != document.data {
      done = Array((done + [document.data]).suffix(Self.mostSteps))
      undone = []
      document = new
      revision += 1
    }
    return result
  }

  mutating func undo() throws {
    guard let data = done.popLast() else { return }
    undone.append(document.data)
    document = try Self.document(data, file)
    revision += 1
  }

  mutating func redo() throws {
    guard let data = undone.popLast() else { return }
    done.append(document.data)
    document = try Self.document(data, file)
    revision += 1
  }

  /// Writes the file.
  ///
  /// - Parameter isForced: Whether a file that another program has written meanwhile is replaced.
  /// - Throws: A `Problem` with status 409 if another program has written the file.
  mutating func save(isForced: Bool) throws {
    if try !isForced && isOvertaken {
      throw Problem(
        409,
        "Another program has written \(name) since it was read here. Read it again, or save over it."
      )
    }
    do {
      try document.data.write(to: file, options: .atomic)
    } catch {
      throw Problem(500, "\(name) cannot be written: \(error.localizedDescription)")
    }
    saved = document.data
  }

  /// Forgets what was not saved, and reads the file again.
  mutating func reload() throws {
    saved = try Self.read(file)
    document = try Self.document(saved, file)
    (done, undone) = ([], [])
    revision += 1
  }
}
