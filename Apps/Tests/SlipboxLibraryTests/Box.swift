import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// A slip box in a temporary folder, which goes when the box does.
final class Box: Sendable {
  let folder: URL
  let library: Library
  let clock: Clock

  convenience init(clock: Clock = Clock()) throws {
    try self.init(in: Self.newFolder(), clock: clock)
  }

  init(in folder: URL, clock: Clock = Clock()) throws {
    (self.folder, self.clock) = (folder, clock)
    library = try Library(folder: folder) { clock.now }
  }

  static func newFolder() -> URL {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("slipbox-\(UUID().uuidString)", isDirectory: true)
  }

  /// Writes texts without lineages from now on, as a version of the program did that did not know them.
  func actsAsEarlierVersion() {
    library.controller.container.persistentStoreCoordinator.name = nil
  }

  deinit {
    library.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Makes a note of a title, and perhaps a text.
  func note(
    _ title: String,
    _ text: String = "",
    in folder: UUID? = nil
  ) async throws -> NoteContent {
    var new = NewNote(title: title, folder: folder)
    new.document = text.isEmpty ? nil : .document(text)
    return try await library.make(new, by: "test").note
  }

  /// The text of the note of a title.
  func text(of title: String) async throws -> RichText {
    try await library.read { try Note.titled(title, in: $0).formattedBodyText }
  }
}

extension Note {
  /// The note of a title that is not in the trash.
  static func titled(_ title: String, in context: NSManagedObjectContext) throws -> Note {
    try #require(
      try context.fetch(
        Note.fetch(NSPredicate(format: "title_ == %@ AND trashedDate_ == nil", title))
      ).first
    )
  }
}

extension JSONValue {
  /// A document with a paragraph.
  static func document(_ text: String) -> JSONValue {
    .object([
      "version": .integer(1), "type": .text("doc"),
      "content": .list([
        .object([
          "type": .text("paragraph"),
          "content": .list([.object(["type": .text("text"), "text": .text(text)])]),
        ])
      ]),
    ])
  }
}
