import CoreData
public import Foundation
import RichText

/// Everything about one note.
public struct NoteContent: Encodable, Sendable {
  public let id: String
  public let title: String
  public let status: String
  public let favourite: Bool
  public let pinned: Bool
  /// Whether new notes can be made from it.
  public let template: Bool
  public let created: Date
  public let modified: Date
  @OrNull public var folder: FolderName?
  public let keywords: [KeywordMark]
  @OrNull public var trashed: Date?
  /// The text as the editor has it.
  public let document: JSONValue
  /// Grows with each edit of the text; an edit says which one it began from.
  public let revision: Int64
  public let order: Int64
  public let links: [NoteTitle]
  /// Notes that the text links to and that are in the trash, or gone.
  public let dead: [String]
  public internal(set) var backlinks: [Backlink]
  @OrNull public var attachment: AttachmentFacts?
  /// The pictures and other files of the text.
  public let files: [FileFacts]
  /// Other names by which the note can be linked to.
  public let aliases: [String]
  /// The properties in the order that somebody has given them.
  public let properties: [PropertyContent]
  /// Words that two devices have changed in different ways, until somebody settles them.
  public let wordings: [OtherWordingContent]

  /// A note that points here, and its sentence about this one; empty if there are so many that not all are read.
  public struct Backlink: Encodable, Sendable, Equatable {
    public let id: String
    public let title: String
    public let context: String

    static func all(of note: Note) throws -> [Backlink] {
      let linking = try LinkedNotes(NoteProperties.backLinkedNotes, of: note)
      let contexts = try linking.contexts(ofLinksTo: note)
      return linking.all.map {
        Backlink(id: $0.uuid.text, title: $0.title, context: contexts[$0.object] ?? "")
      }
    }
  }

  // A writer leaves the texts of the notes that point here to Library.completed.
  init(_ note: Note, withBacklinks: Bool = true) throws {
    id = note.uuid.text
    title = note.title
    status = note.status.word
    favourite = note.isFavorite
    pinned = note.isPinned
    template = note.isTemplate
    created = note.creationDate
    modified = note.modificationDate
    keywords = note.keywords.sorted().map(KeywordMark.init)
    let text = note.formattedBodyText
    document = JSONValue(text: text.json)
    files = FileFacts.named(in: text, of: note)
    aliases = note.aliases
    properties = note.properties.map(PropertyContent.init)
    wordings = try OtherWording.open(of: note).compactMap(OtherWordingContent.init)
    revision = note.revision
    order = note.order
    let linked = try LinkedNotes(NoteProperties.linkedNotes, of: note)
    links = linked.all.map { NoteTitle(id: $0.uuid.text, title: $0.title) }
    let alive = Set(linked.all.map(\.uuid) + [note.uuid])
    dead = text.links.filter { !alive.contains($0) }.map(\.text)
    backlinks = withBacklinks ? try Backlink.all(of: note) : []
    folder = note.folder.map(FolderName.init)
    trashed = note.trashedDate_
    attachment = note.attachment.map(AttachmentFacts.init)
  }
}

extension Library {
  /// A note as it was written, with the notes that point to it.
  ///
  /// There may be many of these, with long texts: they are read beside the writer, so that nobody waits for them to save.
  func completed(_ written: NoteContent) async throws -> NoteContent {
    guard let id = UUID(uuidString: written.id) else { return written }
    var content = written
    content.backlinks = try await read { context in
      try Note.find(id, in: context).map(NoteContent.Backlink.all) ?? []
    }
    return content
  }
}

/// The facts about a picture, without reading it.
public struct AttachmentFacts: Encodable, Sendable, Equatable {
  public let name: String
  public let type: String
  public let bytes: Int64
  public let width: Int64
  public let height: Int64

  init(_ attachment: Attachment) {
    name = attachment.name
    type = attachment.type
    bytes = attachment.byteCount
    width = attachment.pixelWidth
    height = attachment.pixelHeight
  }
}

extension Note {
  /// The line in which this note mentions another; if it does so only in its list of links, or is too long to be looked
  /// through now, its beginning.
  func context(ofLinkTo note: Note, _ room: ReadingRoom) -> String {
    let sentence = room.takes(self) ? formattedBodyText.context(of: note.uuid) : nil
    return sentence ?? Excerpt.of(self)
  }
}
