import CoreData
public import Foundation
import Pictures

/// A picture as it was put in.
public struct OriginalPicture: Sendable {
  public let facts: Facts
  public let data: Data

  /// The facts about a picture whose bytes were not read.
  public struct Facts: Sendable {
    public let name: String
    public let type: String
    /// Another text for another picture.
    public let tag: String

    /// The facts about the page of a published note; another text has another tag.
    public init(page: Data, secret: String) {
      self.init(
        name: "page.html",
        type: "text/html; charset=utf-8",
        tag: "page-\(secret)-\(page.count)-\(Digest.of(page))"
      )
    }

    init(name: String, type: String, tag: String) {
      self.name = name
      self.type = type
      self.tag = tag
    }

    /// Whether it is an SVG, which can contain scripts.
    public var isDrawing: Bool { type == FileKind.svg.type }

    /// Whether browsers play it.
    public var isPlayed: Bool { type.hasPrefix("audio/") || type.hasPrefix("video/") }
  }
}

extension OriginalPicture.Facts {
  init(_ attachment: Attachment) {
    self.init(name: attachment.name, type: attachment.type, tag: attachment.tag)
  }

  /// The facts about the same picture without its metadata.
  func withoutMetadata(as kind: PictureKind) -> OriginalPicture.Facts {
    .init(name: name, type: kind.contentType, tag: "\(tag)-bare")
  }

  fileprivate func thumbnail(_ data: Data, _ size: Int) -> OriginalPicture {
    let type = PictureKind(of: data)?.contentType ?? "image/jpeg"
    return OriginalPicture(facts: .init(name: name, type: type, tag: "\(tag)-\(size)"), data: data)
  }
}

extension Library {
  /// Gives a note a picture, in the place of the one it has; the token brings that one back.
  ///
  /// Only what begins as a picture that is known here is taken, and only what can be read to its end.
  public func attach(
    _ data: Data,
    name: String?,
    to id: UUID,
    by author: String?
  ) async throws -> EditedNote {
    guard let kind = PictureKind(of: data) else {
      throw LibraryProblem(.unknownKind)
    }
    let size = try await Self.size(ofPicture: data)
    let name = try Given.title(name ?? "")
    let now = now()
    let put: @Sendable (NSManagedObjectContext) throws -> NoteContent = { context in
      let note = try context.note(id)
      if let old = note.attachment {
        // Undoing restores this.
        _ = old.fullImageData
        context.delete(old)
      }
      let attachment = Attachment(image: data, context: context)
      attachment.name_ = name.isEmpty ? "picture.\(kind.fileExtension)" : name
      attachment.type_ = kind.contentType
      attachment.pixelWidth = Int64(size.width)
      attachment.pixelHeight = Int64(size.height)
      note.attachment = attachment
      note.modificationDate_ = now
      return try NoteContent(note, withBacklinks: false)
    }
    if try await read({ context in try context.note(id).attachment != nil }) {
      let (note, undo) = try await act(by: author, put)
      return EditedNote(note: try await completed(note), undo: undo)
    }
    let note = try await write(by: author) { context in
      let note = try put(context)
      try context.save()
      return note
    }
    return EditedNote(note: try await completed(note), undo: nil)
  }

  static func size(ofPicture data: Data) async throws -> PictureSize {
    do {
      return try await Picture.size(of: data)
    } catch let error as PictureError {
      throw LibraryProblem(error)
    }
  }

  /// Takes a note's picture away.
  public func detach(from id: UUID, by author: String?) async throws -> String {
    try await act(by: author) { context in
      let attachment = try context.attachment(.ofNote(id))
      // Undoing restores this.
      _ = attachment.fullImageData
      context.delete(attachment)
    }.undo
  }

  /// The picture as it was put in.
  public func picture(of id: UUID) async throws -> OriginalPicture {
    try await original(.ofNote(id))
  }

  /// Finds a picture, and hands a block the facts about it, and a closure that reads its bytes.
  ///
  /// Blocks run one at a time, so that of many pictures that are wanted at once one is in memory, unless the block
  /// keeps it; a block that does not ask for the bytes does not read them.
  public func readPicture<Result: Sendable>(
    of id: UUID,
    _ block: @escaping @Sendable (OriginalPicture.Facts, () throws -> Data) throws -> Result
  ) async throws -> Result {
    try await readAttachment(.ofNote(id), block)
  }

  func original(_ place: AttachmentPlace) async throws -> OriginalPicture {
    try await readAttachment(place) { OriginalPicture(facts: $0, data: try $1()) }
  }

  /// Reads an attachment in the queue of a context, which is that of pictures unless others wait there.
  func readAttachment<Result: Sendable>(
    _ place: AttachmentPlace,
    in context: NSManagedObjectContext? = nil,
    _ block: @escaping @Sendable (OriginalPicture.Facts, () throws -> Data) throws -> Result
  ) async throws -> Result {
    let context = context ?? pictures
    return try await context.perform { @Sendable in
      // Nothing of it stays behind.
      defer { context.reset() }
      let attachment = try context.attachment(place)
      let facts = OriginalPicture.Facts(attachment)
      return try block(facts) {
        guard let data = attachment.fullImageData else { throw place.problem }
        return data
      }
    }
  }

  /// The picture in small: at most so many pixels wide and high.
  ///
  /// A drawing is the same in any size, and is its own thumbnail.
  public func thumbnail(of id: UUID, size: Int) async throws -> OriginalPicture {
    try await thumbnail(.ofNote(id), size: size)
  }

  func thumbnail(_ place: AttachmentPlace, size: Int) async throws -> OriginalPicture {
    // A few sizes, so that few thumbnails are made.
    let size = [200, 600, 1200, 2400].first { $0 >= size } ?? 2400
    let (key, facts) = try await read { context in
      let attachment = try context.attachment(place)
      let key = ThumbnailShelf.Key(attachment: attachment.objectID, size: size)
      return (key, OriginalPicture.Facts(attachment))
    }
    if facts.isDrawing { return try await original(place) }
    if let known = thumbnails[key] { return facts.thumbnail(known, size) }
    if let error = thumbnails.failure(of: key.attachment) { throw LibraryProblem(error) }
    let original = try await original(place)
    do {
      let data = try await Picture.thumbnail(of: original.data, longestSide: size)
      thumbnails.keep(data, for: key)
      return facts.thumbnail(data, size)
    } catch let error as PictureError {
      thumbnails.keep(error, for: key.attachment)
      throw LibraryProblem(error)
    }
  }
}

extension Attachment {
  /// The identity, as a text for caches.
  fileprivate var tag: String { objectID.uriRepresentation().lastPathComponent }
}

/// The places where an attachment is looked for.
enum AttachmentPlace: Sendable {
  /// The one picture of a note.
  case ofNote(UUID)
  /// A file in texts.
  case file(UUID)

  fileprivate var problem: LibraryProblem {
    switch self {
    case .ofNote(let id): .missing("The note \(id.text) has no picture.")
    case .file(let id): .noFile(id)
    }
  }
}

extension NSManagedObjectContext {
  func attachment(_ place: AttachmentPlace) throws -> Attachment {
    let attachment =
      switch place {
      case .ofNote(let id): try note(id).attachment
      case .file(let id): try Attachment.find([id], in: self).first
      }
    guard let attachment else { throw place.problem }
    return attachment
  }
}

extension LibraryProblem {
  /// Why a picture is not taken, or cannot be shown in small.
  fileprivate init(_ error: PictureError) {
    let sentence = error.localizedDescription
    switch error {
    case .tooManyBytes, .tooManyPixels, .tooDear: self = .tooLarge(sentence)
    case .unknownKind, .damaged: self = .unsuitable(sentence)
    case .unreadable: self = .refused(sentence)
    case .noHelper: self = .unable(sentence)
    }
  }

  static func noFile(_ id: UUID) -> Self {
    .missing("There is no file \(id.text). It may have been deleted for good.")
  }
}
