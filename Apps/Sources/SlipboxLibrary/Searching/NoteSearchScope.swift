/// The notes in which a search looks.
public enum NoteSearchScope: String, CaseIterable, Sendable {
  /// In all notes that are not in the trash.
  case all
  /// In the place that is shown, such as a folder.
  case here
}
