import CoreData
import Foundation
import RichText

/// The beginning of a new note: the text, keywords and properties of another, in which some words are replaced by others.
///
/// ```
/// {{title}}    the title of the new note             {{date}}    2026-11-21
/// {{time}}     07:12                                 {{weekday}} Saturday
/// ```
struct Template {
  let title: String
  let text: RichText
  let keywords: Set<Keyword>
  let properties: [NoteProperty]

  init(_ id: UUID, _ new: NewNote, at now: Date, in context: NSManagedObjectContext) throws {
    let note = try context.note(id)
    // Before it is used: a title may be sent of any length.
    let wanted = try Given.title(new.title ?? "")
    var words = Self.words(title: wanted, now, TimeZone(utcOffset: new.utcOffset))
    title = wanted.isEmpty ? Placeholders.filled(note.title, with: words) : wanted
    words["title"] = title
    do {
      text = try note.formattedBodyText.filled(with: words)
    } catch {
      throw LibraryProblem.refused("The note cannot be made from this template: \(error).")
    }
    keywords = note.keywords
    properties = note.writtenProperties.map { property in
      let value = property.value
      guard case .text(let text) = value else { return property }
      let filled = Placeholders.filled(text, with: words)
      // `{{date}}` becomes a date.
      let date = text == "{{date}}" ? PropertyValue(.date, text: filled) : nil
      return NoteProperty(property.name, date ?? PropertyValue(.text, text: filled) ?? value)
    }
  }

  private static func words(title: String, _ now: Date, _ zone: TimeZone) -> [String: String] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents([.hour, .minute, .weekday], from: now)
    let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    return [
      "title": title, "date": Day(now, in: calendar).key,
      "time": String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0),
      "weekday": days[((parts.weekday ?? 1) - 1) % 7],
    ]
  }
}
