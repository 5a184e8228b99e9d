import CoreData
import CoreDataWebServer
import Foundation
import Testing

@testable import Notes

/// A notebook with a file of its own, which is removed after the test.
final class TestNotebook: Sendable {
  let notebook: Notebook
  let file: URL
  private let folder: URL

  init() throws {
    folder = URL.temporaryDirectory.appending(component: "notes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appending(component: "Notes.sqlite")
    notebook = try Notebook(CoreDataManager(store: file))
  }

  deinit {
    // The folder is temporary: where it stays, nothing is lost.
    try? FileManager.default.removeItem(at: folder)
  }

  func note(_ title: String, contents: String = "") async throws -> NotePage {
    try await notebook.createNote(NoteDraft(title: title, contents: contents))
  }

  func category(_ name: String) async throws -> CategoryRow {
    try await notebook.createCategory(name: name)
  }

  /// Runs a test on the context's queue, with objects of these names.
  func inContext<Value>(
    _ test: @escaping @Sendable (NSManagedObjectContext) throws -> Value
  ) async throws -> Value {
    let context = notebook.context
    return try await context.perform { try test(context) }
  }
}

/// The next event of a name.
func next(_ name: String, of events: AsyncStream<ServerSentEvent>) async -> String? {
  for await event in events where event.name == name { return event.data }
  return nil
}
