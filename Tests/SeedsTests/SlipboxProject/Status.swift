// swift-format-ignore-file
import Foundation

enum Status: String, Identifiable, CaseIterable {
    case draft = "Draft"
    case review = "Review"
    case archived = "Archived"
    var id: String {
        return self.rawValue
    }
}
