// swift-format-ignore-file
import Foundation
import CoreData

@objc enum Mood: Int16, CaseIterable {
    case none, calm, cheerful, tired
}

public extension Entry {

    override func awakeFromInsert() {
        super.awakeFromInsert()
        identifier = UUID()
        let now = Date()
        createdAt = now
        day = Entry.dayFormatter.string(from: now)
    }

    public override func willSave() {
        super.willSave()
        let words = (text ?? "").split(separator: " ").count
        if wordCount != Int32(words) {
            wordCount = Int32(words)
        }
    }

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
