import Foundation
import RichText

/// A note of Evernote.
struct EvernoteNote {
  struct Resource {
    /// The place of the content in the file.
    let place: Range<Int>
    var name = ""
  }

  /// A task of the kind that is beside the text, which names its group.
  struct Task {
    var title: String
    var group = ""
    var isDone = false
    /// By what the tasks of a group are in order.
    var weight = ""
    var due: Date?
    var zone: TimeZone?
  }

  private(set) var title: String?
  private(set) var content = ""
  private(set) var created: Date?
  private(set) var updated: Date?
  private(set) var tags: [String] = []
  private(set) var source: String?
  private(set) var resources: [Resource] = []
  private(set) var tasks: [Task] = []
  /// The time to be reminded at, as it is written.
  private(set) var reminder: String?
  /// Whether it has facts that a note cannot hold: its author, and where it was written.
  private(set) var hasOtherFacts = false

  /// - Parameters:
  ///   - words: The note, which has numbers in the place of its files.
  ///   - files: The places of these.
  init(_ words: Data, files: [Range<Int>]) {
    for (path, text) in XMLTexts(words) {
      switch path {
      case "note/title": title = text.trimmingCharacters(in: .whitespacesAndNewlines)
      case "note/content": content = text
      case "note/created": created = Self.date(text)
      case "note/updated": updated = Self.date(text)
      case "note/tag": if tags.count < 500 { tags.append(text) }
      case "note/note-attributes/source-url": source = text
      case "note/note-attributes/reminder-time": reminder = text
      case "note/note-attributes/author", "note/note-attributes/latitude",
        "note/note-attributes/longitude", "note/note-attributes/place-name":
        hasOtherFacts = true
      case "note/resource/data":
        if !files.isEmpty, let index = WholeNumber.read(text, within: 0...(files.count - 1)) {
          resources.append(Resource(place: files[index]))
        }
      case "note/resource/resource-attributes/file-name":
        if !resources.isEmpty { resources[resources.count - 1].name = text }
      case "note/task/title": if tasks.count < Self.mostTasks { tasks.append(Task(title: text)) }
      case _ where path.hasPrefix("note/task/"): readTask(path, text)
      default: break
      }
    }
  }

  private static let mostTasks = 10_000

  /// Reads the rest of the last task, whose title comes first.
  private mutating func readTask(_ path: String, _ text: String) {
    guard var task = tasks.popLast() else { return }
    switch path {
    case "note/task/taskstatus": task.isDone = text == "completed"
    case "note/task/taskgroupnotelevelid": task.group = text.lowercased()
    case "note/task/sortweight": task.weight = text
    case "note/task/duedate": task.due = Self.date(text)
    case "note/task/timezone": task.zone = TimeZone(identifier: text)
    default: break
    }
    tasks.append(task)
  }

  /// `20261121T071233Z`.
  private static func date(_ text: String) -> Date? {
    let digits = text.filter(\.isNumber)
    guard digits.count == 14 else { return nil }
    func number(_ offset: Int, _ length: Int) -> Int? {
      Int(digits.dropFirst(offset).prefix(length))
    }
    var parts = DateComponents(year: number(0, 4), month: number(4, 2), day: number(6, 2))
    (parts.hour, parts.minute, parts.second) = (number(8, 2), number(10, 2), number(12, 2))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: parts)
  }
}

// MARK: - Tasks

extension EvernoteNote {
  /// The tasks by the groups that the text names.
  var taskLists: [String: [RichText.TaskItem]] {
    Dictionary(grouping: tasks, by: \.group).mapValues { tasks in
      tasks.enumerated()
        .sorted { ($0.element.weight, $0.offset) < ($1.element.weight, $1.offset) }
        .map { $0.element.item }
    }
  }
}

extension EvernoteNote.Task {
  /// The task as one of a text, with the day on which it is due.
  fileprivate var item: RichText.TaskItem {
    let day = due.map { due in
      let style = Date.ISO8601FormatStyle(timeZone: zone ?? .gmt).year().month().day()
      return " (due \(due.formatted(style)))"
    }
    return .init(isDone: isDone, [.paragraph([.text(title + (day ?? ""))])])
  }
}
