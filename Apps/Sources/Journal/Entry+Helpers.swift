// swift-format-ignore-file
import Foundation
import CoreData

enum Mood: Int16, CaseIterable {
    case none, calm, cheerful, tired
}

public extension Entry {

}

extension Entry {

    var feeling: Mood {
        get { Mood(rawValue: mood) ?? .none }
        set { mood = newValue.rawValue }
    }

    static let dayFormatter: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd"
        return formatter
    }()
}
