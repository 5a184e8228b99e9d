/// A filter that a search can have beside its text.
///
/// The three of status exclude one another: a note has one status.
public enum NoteSearchToken: String, CaseIterable, Sendable {
  case draftStatus = "draft"
  case reviewStatus = "review"
  case archivedStatus = "archived"
  case last24Hours
  case last7Days
  case withAttachment

  /// The status that the token asks for; nil for one that asks for something else.
  public var status: Status? {
    switch self {
    case .draftStatus: .draft
    case .reviewStatus: .review
    case .archivedStatus: .archived
    case .last24Hours, .last7Days, .withAttachment: nil
    }
  }
}
