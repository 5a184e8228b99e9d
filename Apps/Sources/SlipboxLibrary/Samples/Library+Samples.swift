import CoreData
import RichText

extension Library {
  /// Puts notes that explain the program into a slip box that has never had any.
  public func addSamplesIfNew() async throws {
    try await write(by: nil) { context in
      guard try context.count(for: Note.fetch()) == 0, try context.count(for: Folder.fetch()) == 0
      else { return }
      let note = Note(title: "Welcome to your slip box", context: context)
      note.formattedBodyText = RichText(plainText: "Each slip says one thing.")
    }
  }
}
