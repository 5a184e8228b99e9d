import CoreData

/// What is either so or not so of a note.
///
/// Here is what writing, searching, keeping in step, exporting and importing know of a mark. Beside that it stands in the
/// model, and under its name in what is sent to the pages, whose words for it are in `Web/model/marks.js`.
enum NoteMark: String, CaseIterable, Sendable {
  case favourite, pinned, template

  /// The attribute in the model.
  var attribute: String {
    switch self {
    case .favourite: NoteProperties.isFavorite
    case .pinned: NoteProperties.isPinned
    case .template: NoteProperties.isTemplate
    }
  }

  /// What people call it.
  var name: String { rawValue.capitalized }

  /// What an archive calls the list of the files that have it; nil where the file of a note says so itself.
  var exportedList: String? {
    switch self {
    case .favourite: nil
    case .pinned: "pinned"
    case .template: "templates"
    }
  }

  /// The notes that have it.
  var predicate: NSPredicate { NSPredicate(format: "%K == YES", attribute) }

  init?(attribute: String?) {
    guard let mark = Self.allCases.first(where: { $0.attribute == attribute }) else { return nil }
    self = mark
  }
}

extension Note {
  subscript(_ mark: NoteMark) -> Bool {
    get { value(forKey: mark.attribute) as? Bool ?? false }
    set { setValue(newValue, forKey: mark.attribute) }
  }
}

extension NoteEdit {
  /// Whether the note shall have a mark; nil where it stays as it is.
  subscript(_ mark: NoteMark) -> Bool? {
    switch mark {
    case .favourite: favourite
    case .pinned: pinned
    case .template: template
    }
  }
}
