/// Where a search looks.
public enum NoteSearchScope: String, CaseIterable, Identifiable, Sendable {
  /// In all notes that are not in the trash.
  case all
  /// In the place that is shown, such as a folder.
  case here

  public var id: Self { self }

  public func name(of place: String) -> String {
    switch self {
    case .all: "All"
    case .here: "‘\(place)’"
    }
  }
}
