public import Foundation

/// The things that a text of Markdown may refer to: other notes, and files.
///
/// ```
/// [[Slots]]  [[Slots|words]]         a note by its title
/// [words](Reading/Slots.md)          a note by its path
/// ![A tree|300](pictures/tree.png)   a file by its path
/// ![[tree.png|300]]                  a file by its path or name
/// ```
///
/// Unknown references stay text as they are written, so that nothing is lost.
public struct MarkdownSurroundings {
  /// The note of a title.
  public var noteNamed: (String) -> UUID?

  /// The note in the file of a path.
  public var noteAt: (String) -> UUID?

  /// The file of a path.
  public var fileAt: (String) -> RichText.Attached?

  /// Hears of a note that the text shows in a sentence, `So ![[Slots]]`; it becomes a link.
  public var embedded: (UUID) -> Void

  /// Called for a part that becomes something else, with its first line in the file; `nil` if nobody wants to know.
  public var changed: ((_ change: TextChange, _ line: Int) -> Void)?

  /// Whether the end of a line in a paragraph is a line break, as most programs for notes show it.
  public var breaksLines: Bool

  /// Whether `~words~` are underlined and `::words::` marked, as Bear has them; others write `<u>` and `==words==`.
  public var isOfBear: Bool

  public init(
    breaksLines: Bool = false,
    isOfBear: Bool = false,
    noteNamed: @escaping (String) -> UUID? = { _ in nil },
    noteAt: @escaping (String) -> UUID? = { _ in nil },
    fileAt: @escaping (String) -> RichText.Attached? = { _ in nil },
    embedded: @escaping (UUID) -> Void = { _ in },
    changed: ((_ change: TextChange, _ line: Int) -> Void)? = nil
  ) {
    self.breaksLines = breaksLines
    self.isOfBear = isOfBear
    self.noteNamed = noteNamed
    self.noteAt = noteAt
    self.fileAt = fileAt
    self.embedded = embedded
    self.changed = changed
  }
}

extension MarkdownSurroundings {
  /// The target of `[[Title]]` or `[[Title#Heading]]`; `nil` if there is no such note.
  func link(named name: String) -> RichText.Link? {
    let (title, heading) = RichText.LooseLink.parts(of: name)
    if let heading, let id = title.isEmpty ? nil : noteNamed(title) {
      return RichText.Link(note: id, heading: heading)
    }
    if let id = noteNamed(name) {
      return RichText.Link(note: id, heading: title.isEmpty ? heading : nil)
    }
    // Bear's links to a heading: `[[Title/Heading]]`.
    guard isOfBear, let slash = title.lastIndex(of: "/"),
      let id = noteNamed(String(title[..<slash]))
    else { return nil }
    return RichText.Link(note: id, heading: String(title[title.index(after: slash)...]))
  }

  /// The target of `[words](Reading/Slots.md#Heading)`; `nil` if there is no such note.
  func link(at address: String) -> RichText.Link? {
    let (path, heading) = RichText.LooseLink.parts(of: address)
    guard let id = noteAt(address) ?? noteAt(path) else { return nil }
    return RichText.Link(note: id, heading: heading.map { $0.removingPercentEncoding ?? $0 })
  }
}

extension RichText {
  /// A file that a text can have between its paragraphs.
  public enum Attached: Hashable, Sendable {
    case picture(UUID)
    case file(UUID, name: String)
  }
}

/// The names by which a text refers to others: the way back from ``MarkdownSurroundings``.
public struct MarkdownNames {
  /// A title by which reading finds a note again; `nil` if there is none.
  public var titleOf: (UUID) -> String?

  /// The future path of a file; `nil` for one that is not written.
  public var pathOf: (UUID) -> String?

  public init(
    titleOf: @escaping (UUID) -> String? = { _ in nil },
    pathOf: @escaping (UUID) -> String? = { _ in nil }
  ) {
    self.titleOf = titleOf
    self.pathOf = pathOf
  }

  /// Whether a title can be in `[[…]]`, which other programs read without escapes.
  public static func canBeLinked(_ title: String) -> Bool { MarkdownEscapes.isNoteTitle(title) }

  /// The signs that a title in `[[…]]` cannot have.
  public static let signsOfLinks = "\\[]|#^"
}
