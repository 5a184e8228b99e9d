import CoreData
import RichText

extension Note {
  /// Counts a change that came from elsewhere, and makes agree what belongs together.
  ///
  /// Devices that write a text at the same time have each property of the note from the one that was the later to
  /// change it. The text that counts may be of one, and the words for searches, the tasks and the links of the other.
  func adoptMergedText() {
    if document_ != nil {
      let text = formattedBodyText
      let words = text.plainText.lowercased()
      if bodyText_ != words { bodyText_ = words }
      keep(TextFacts(text))
      link(to: text.links)
    }
    keepSigns()
    countRevision()
  }

  /// Links the note to those that its text names.
  private func link(to ids: [UUID]) {
    let missing = Set(ids).subtracting(linkedNotes.map(\.uuid)).subtracting([uuid])
    guard !missing.isEmpty, let context = managedObjectContext else { return }
    let request = Note.fetch(NSPredicate(format: "%K IN %@", NoteProperties.uuid, Array(missing)))
    // If they cannot be read now, the next change of the text links them.
    guard let found = try? context.fetch(request), !found.isEmpty else { return }
    linkedNotes.formUnion(found)
  }
}
