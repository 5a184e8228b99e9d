// swift-format-ignore-file
import Foundation

enum NoteSorting: CaseIterable, Identifiable {
    case titleAsc
    case titleDes
    case creationDateAsc
    case creationDateDes
    case status
    case day
    var id: Self { self }
    func title() -> String {
        switch self {
            case .titleAsc: return "Title △"
            case .titleDes: return "Title ⊽"
            case .creationDateAsc: return "Date △"
            case .creationDateDes: return "Date ⊽"
            case .status: return "Status"
            case .day: return "Day"
        }
    }
}
