import CoreData

/// A property that a note either has or does not have.
///
/// This type has everything that writing, searching, synchronizing, exporting and importing know of a mark. A mark is
/// also in the model, and under its name in the messages to the pages, whose words for it are in `Web/model/marks.js`.
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

  /// The name for people.
  var name: String { rawValue.capitalized }

  /// The name in an archive of the list of the files that have it; `nil` if the file of a note has it itself.
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
  /// Whether the note shall have a mark; `nil` if it stays as it is.
  subscript(_ mark: NoteMark) -> Bool? {
    switch mark {
    case .favourite: favourite
    case .pinned: pinned
    case .template: template
    }
  }
}
