/// A filter that a search can have beside its text.
///
/// The three of status exclude one another: a note has one status.
public enum NoteSearchToken: String, CaseIterable, Identifiable, Sendable {
  case draftStatus = "draft"
  case reviewStatus = "review"
  case archivedStatus = "archived"
  case last24Hours
  case last7Days
  case withAttachment

  public var id: Self { self }

  /// The status that the token asks for; nil for one that asks for something else.
  public var status: Status? {
    switch self {
    case .draftStatus: .draft
    case .reviewStatus: .review
    case .archivedStatus: .archived
    case .last24Hours, .last7Days, .withAttachment: nil
    }
  }

  public var name: String {
    switch self {
    case .draftStatus, .reviewStatus, .archivedStatus: status?.rawValue ?? ""
    case .last24Hours: "24h"
    case .last7Days: "7d"
    case .withAttachment: "Attachment"
    }
  }

  public var fullName: String {
    switch self {
    case .draftStatus, .reviewStatus, .archivedStatus: "\(name) Status"
    case .last24Hours: "Last 24 Hours"
    case .last7Days: "Last 7 Days"
    case .withAttachment: "Notes With Attachment"
    }
  }
}
