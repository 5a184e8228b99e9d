// swift-format-ignore-file
import Foundation

enum NoteSearchToken: CaseIterable, Identifiable {
    case draftStatus
    case reviewStatus
    case archivedStatus
    case last24Hours
    case last7Days
    case withAttachment
    var id: Self { self }
    var name: String {
        switch self {
            case .draftStatus:
               return "Draft"
            case .reviewStatus:
               return "Review"
            case .archivedStatus:
               return "Archived"
            case .last24Hours:
                return "24h"
            case .last7Days:
               return "7d"
            case .withAttachment:
                return "Attachment"
        }
    }
    func isStatusToken() -> Bool {
        self == .draftStatus || self == .reviewStatus || self == .archivedStatus
    }
}

enum NoteSearchScope: CaseIterable, Identifiable {
    case all
    case selectedFolder
    var id: Self { self }
    func name(folder: Folder) -> String {
        switch self {
            case .all:
               return "All"
            case .selectedFolder:
               return "\' \(folder.name) \'"
        }
    }
}
