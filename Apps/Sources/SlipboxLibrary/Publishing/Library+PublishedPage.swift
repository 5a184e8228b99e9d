import CoreData
public import Foundation
import RichText

/// A published note as it is now, without its files.
private struct PublishedText: Sendable {
  let title: String
  let language: String?
  let text: RichText
  /// The files that the text names and the note has.
  let files: [UUID: OriginalPicture.Facts]
  let pictureName: String?
}

/// A picture or file of a published note.
public enum PublishedFile: Sendable {
  /// A picture without the place, time and camera of the photograph.
  case picture(OriginalPicture)
  /// Another file, as it was put in.
  case file(UUID)
}

// Readers of published notes have a context and a queue of their own, so that nobody who writes waits for them.

extension Library {
  /// The page of a published note, with its text as it is now.
  ///
  /// - Parameter secret: The last part of the link.
  /// - Returns: The page as UTF-8.
  /// - Throws: ``LibraryProblem/missing(_:)`` if no such link leads to a note that is there.
  public func publishedPage(_ secret: String) async throws -> Data {
    let note = try await publishedText(secret)
    let base = "/p/\(secret)/files"
    let files = PageFiles { id in
      note.files[id].map { PageFiles.Picture(address: "\(base)/\(id.text)", name: $0.name) }
    } file: { id in
      guard let facts = note.files[id] else { return .name }
      let address = "\(base)/\(id.text)"
      return facts.isPlayed
        ? .player(address: address, isVideo: facts.type.hasPrefix("video/"))
        : .download(address: address)
    }
    let works = try await referenceList(of: note.text.citedKeys)
    let page = note.text.citing(works, note.language).publishedPage(
      title: note.title,
      picture: note.pictureName.map { PageFiles.Picture(address: "\(base)/picture", name: $0) },
      files: files,
      language: note.language
    )
    return Data(page.utf8)
  }

  /// Finds a picture or file that the text of a published note shows.
  ///
  /// - Parameters:
  ///   - name: The last part of its address: an identifier, or `picture` for the one below the text.
  ///   - secret: The secret of the link.
  /// - Returns: The picture itself, or the file to read with ``readPublished(_:_:)``.
  /// - Throws: ``LibraryProblem/missing(_:)`` for everything else, such as a file of another note or of an earlier version.
  public func publishedFile(_ name: String, of secret: String) async throws -> PublishedFile {
    let note = try await publishedText(secret)
    if name == "picture", note.pictureName != nil, let id = link(secret)?.note {
      return try await publishedPicture(.ofNote(id))
    }
    guard let id = UUID(uuidString: name), let facts = note.files[id] else { throw Self.nothing }
    guard facts.type.hasPrefix("image/") else { return .file(id) }
    // It was found to be a picture when it was put in.
    return try await publishedPicture(.file(id))
  }

  /// Reads a file for readers; see ``readPicture(of:_:)``.
  public func readPublished<Result: Sendable>(
    _ id: UUID,
    _ block: @escaping @Sendable (OriginalPicture.Facts, () throws -> Data) throws -> Result
  ) async throws -> Result {
    try await readAttachment(.file(id), in: publishing, block)
  }

  private func publishedPicture(_ place: AttachmentPlace) async throws -> PublishedFile {
    .picture(try await leaving(place, as: .html, false, in: publishing))
  }

  private func publishedText(_ secret: String) async throws -> PublishedText {
    let known = link(secret)
    // An unknown secret looks for a note, too, so that it takes as long as one whose note is in the trash.
    let id = known?.note ?? UUID.none
    let context = publishing
    let (note, text) = try await context.performCancellable {
      // Nothing stays behind: the next reader sees the note as it is then.
      defer { context.reset() }
      guard let note = try Note.find(id, in: context), !note.isTrashed else { throw Self.nothing }
      return (PublishedFacts(note, known?.language), note.formattedBodyText)
    }
    let shown = text.forEverybody
    let named = Set(shown.files)
    return PublishedText(
      title: note.title,
      language: note.language,
      text: shown,
      files: note.files.filter { named.contains($0.key) },
      pictureName: note.pictureName
    )
  }

  /// The link of a secret, which is compared with all secrets, so that its place does not show.
  private func link(_ secret: String) -> PublishedNote? {
    // A reader learns nothing of a damaged file, and the owner reads about it in the dialog.
    let links = (try? published.all) ?? []
    return links.reduce(nil) { found, link in link.isOpened(by: secret) ? link : found }
  }

  private static let nothing = LibraryProblem.missing("There is nothing here.")
}

/// The facts about a note that its page needs besides the text.
private struct PublishedFacts: Sendable {
  let title: String
  let language: String?
  let files: [UUID: OriginalPicture.Facts]
  let pictureName: String?

  init(_ note: Note, _ fallback: String?) {
    title = note.title
    language = note.language ?? fallback
    files = Dictionary(note.files.map { ($0.uuid, OriginalPicture.Facts($0)) }) { one, _ in one }
    pictureName = note.attachment?.name
  }
}
