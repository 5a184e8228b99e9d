import CoreData
public import Foundation
import Pictures
import RichText

/// A form in which a note can leave.
public enum ExportForm: String, CaseIterable, Sendable {
  case markdown
  case html
  case rtf
  case json
  /// For Word and LibreOffice, if pandoc is installed.
  case docx

  var fileExtension: String { self == .markdown ? "md" : rawValue }

  var contentType: String {
    switch self {
    case .markdown: "text/markdown; charset=utf-8"
    case .html: "text/html; charset=utf-8"
    case .rtf: "application/rtf"
    case .json: "application/json"
    case .docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    }
  }

  /// Whether pictures, and sounds and films, are in the form itself.
  fileprivate var isPage: Bool { self == .html || self == .docx }

  /// Whether programs that open the form show pictures of a kind.
  fileprivate func shows(_ kind: PictureKind) -> Bool {
    switch kind {
    case .jpeg, .png, .gif: true
    case .webp, .avif: self != .docx
    case .heic: false
    }
  }
}

/// A note as a file.
public struct ExportedNote: Sendable {
  public let name: String
  public let contentType: String
  public let data: Data
}

extension Library {
  /// A note in one of the forms, with its picture if the form can have one: in HTML and DOCX, and in RTF
  /// if it is a JPEG or PNG.
  ///
  /// A picture leaves without the place, time and camera of the photograph, unless `keepsMetadata` is true.
  public func export(
    _ id: UUID,
    as form: ExportForm,
    keepsMetadata: Bool = false
  ) async throws -> ExportedNote {
    let hasFiles = try await read { context in
      let note = try context.note(id)
      return note.attachment != nil || !note.formattedBodyText.files.isEmpty
    }
    if form == .markdown, hasFiles {
      return try await exportArchive(of: id, keepsMetadata: keepsMetadata)
    }
    let picture = try await picture(of: id, for: form, keepsMetadata)
    let (pictures, media) =
      form.isPage ? try await filesToSee(inTextOf: id, for: form, keepsMetadata) : ([:], [:])
    let works = try await works(citedIn: id, for: form)
    let (name, data) = try await read { context in
      let note = try context.note(id)
      let data = try note.exported(as: form, with: picture, pictures, media, works, in: context)
      return ("\(note.fileName).\(form.fileExtension)", data)
    }
    return ExportedNote(
      name: name,
      contentType: form.contentType,
      data: form == .docx ? try await wordFile(of: data) : data
    )
  }

  /// The works that a note cites, if the form shows short forms in the place of keys.
  private func works(citedIn id: UUID, for form: ExportForm) async throws -> ReferenceList {
    let keys: [String] = try await read { context in
      let note = try context.note(id)
      switch form {
      case .html, .docx: return try note.textWithEmbeds(in: context).citedKeys
      case .rtf: return note.formattedBodyText.citedKeys
      case .markdown, .json: return []
      }
    }
    return try await referenceList(of: keys)
  }

  private func wordFile(of page: Data) async throws -> Data {
    do {
      return try await WordFile.made(of: page)
    } catch let error as WordError {
      let sentence = error.localizedDescription
      throw error == .tooDear ? LibraryProblem.tooLarge(sentence) : .unable(sentence)
    }
  }

  /// Markdown with pictures is several files, which come as an archive.
  private func exportArchive(of id: UUID, keepsMetadata: Bool) async throws -> ExportedNote {
    let file = folder.appendingPathComponent("export-\(UUID().text)")
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw LibraryProblem.unable(
        "The archive cannot be written: \(String(cString: strerror(errno)))."
      )
    }
    defer {
      Foundation.close(descriptor)
      // Already gone if it was mapped.
      unlink(file.path)
    }
    let name = try await exportArchive(of: id, to: descriptor, keepsMetadata: keepsMetadata)
    return ExportedNote(
      name: "\(name).zip",
      contentType: "application/zip",
      data: try Data(contentsOf: file, options: .alwaysMapped)
    )
  }

  private func picture(
    of id: UUID,
    for form: ExportForm,
    _ keepsMetadata: Bool
  ) async throws -> RichText.EmbeddedPicture? {
    guard form.isPage || form == .rtf else { return nil }
    return try await embedded(.ofNote(id), for: form, keepsMetadata)
  }

  /// The pictures, sounds and films in the text of a note, as far as they can be shown and have room in one page.
  private func filesToSee(
    inTextOf id: UUID,
    for form: ExportForm,
    _ keepsMetadata: Bool
  ) async throws -> ([UUID: RichText.EmbeddedPicture], [UUID: RichText.EmbeddedMedia]) {
    let (ids, files) = try await read { context in
      let text = try context.note(id).textWithEmbeds(in: context)
      let pictures = text.pictures
      return (pictures, text.files.filter { !pictures.contains($0) })
    }
    var pictures: [UUID: RichText.EmbeddedPicture] = [:]
    var byteCount = 0
    for id in ids where byteCount < Self.mostEmbedded {
      pictures[id] = try await embedded(.file(id), for: form, keepsMetadata)
      byteCount += pictures[id]?.data.count ?? 0
    }
    var media: [UUID: RichText.EmbeddedMedia] = [:]
    for id in files where media[id] == nil && form == .html {
      media[id] = try await self.media(id, atMost: Self.mostEmbedded - byteCount)
      byteCount += media[id]?.data.count ?? 0
    }
    return (pictures, media)
  }

  /// A sound or film; `nil` for other files, and for one that is larger than some bytes or gone.
  private func media(_ id: UUID, atMost limit: Int) async throws -> RichText.EmbeddedMedia? {
    do {
      return try await readFile(id) { facts, data in
        guard facts.isPlayed else { return nil }
        let data = try data()
        return data.count > limit ? nil : RichText.EmbeddedMedia(data: data, type: facts.type)
      }
    } catch is LibraryProblem {
      return nil
    }
  }

  /// The most bytes of pictures, sounds and films in one page; there, further ones have only their captions or names.
  private static let mostEmbedded = 64 << 20

  private func embedded(
    _ place: AttachmentPlace,
    for form: ExportForm,
    _ keepsMetadata: Bool
  ) async throws -> RichText.EmbeddedPicture? {
    do {
      let picture = try await leaving(place, as: form, keepsMetadata, in: pictures)
      if picture.facts.isDrawing {
        return RichText.EmbeddedPicture(
          data: picture.data,
          kind: .svg,
          name: picture.facts.name,
          size: SVGHead.size(of: picture.data).map { ($0.width, $0.height) }
        )
      }
      let kind = PictureKind(of: picture.data).flatMap { RichText.EmbeddedPicture.Kind($0) }
      guard let kind else { return nil }
      // A picture without a size is shown at its own.
      let size = try? await Picture.size(of: picture.data)
      return RichText.EmbeddedPicture(
        data: picture.data,
        kind: kind,
        name: picture.facts.name,
        size: size.map { ($0.width, $0.height) }
      )
    } catch is LibraryProblem {
      // There is none, or one of another app that cannot be read.
      return nil
    }
  }

  /// A picture in the form in which it leaves.
  ///
  /// Pictures that the readers of the form do not show leave as browsers see them here, and so do those whose metadata cannot
  /// be removed.
  func leaving(
    _ place: AttachmentPlace,
    as form: ExportForm,
    _ keepsMetadata: Bool,
    in context: NSManagedObjectContext
  ) async throws -> OriginalPicture {
    let original = try await readAttachment(place, in: context) {
      OriginalPicture(facts: $0, data: try $1())
    }
    if original.facts.isDrawing { return original }
    let kind = PictureKind(of: original.data)
    guard let kind, form.shows(kind) else { return try await thumbnail(place, size: 2400) }
    if keepsMetadata { return original }
    guard let data = Picture.withoutMetadata(original.data) else {
      return try await thumbnail(place, size: 2400)
    }
    return OriginalPicture(facts: original.facts.withoutMetadata(as: kind), data: data)
  }
}

extension RichText.EmbeddedPicture.Kind {
  fileprivate init?(_ kind: PictureKind) {
    switch kind {
    case .jpeg: self = .jpeg
    case .png: self = .png
    case .webp: self = .webp
    case .gif: self = .gif
    case .avif: self = .avif
    case .heic: return nil
    }
  }
}

extension Note {
  /// The title without what file systems take amiss.
  fileprivate var fileName: String { FileName.of(title, else: "Note") }

  /// The titles of the notes that a text links to; see ``linkNames(of:in:)``.
  func titlesOfLinks(in text: RichText) throws -> (UUID) -> String? {
    guard let context = managedObjectContext else { return { _ in nil } }
    let names = try Self.linkNames(of: text.links + linksOfProperties, in: context)
    return { names[$0] }
  }

  /// The notes to which properties lead.
  var linksOfProperties: [UUID] { targetsOfProperties.map(\.uuid) }

  static func titlesOfLinks(
    in text: RichText,
    _ context: NSManagedObjectContext
  ) throws -> @Sendable (UUID) -> String? {
    let names = try linkNames(of: text.links, in: context)
    return { names[$0] }
  }

  /// The texts between the brackets of links to notes, by which other programs and importing find the same notes.
  ///
  /// ```
  /// [[Slots]]             by its title
  /// [[C-|C#]]             by the name of its file, if a link cannot have the title in it
  /// [[Work/Meeting]]      by its folder, if an older note has the title, too
  /// ```
  ///
  /// There is none for a note without a title or in the trash, and for one that only its identifier distinguishes from
  /// an older one.
  static func linkNames(
    of ids: [UUID],
    in context: NSManagedObjectContext
  ) throws -> [UUID: String] {
    if ids.isEmpty { return [:] }
    let request = Note.fetch(NSPredicate(format: "%K IN %@", NoteProperties.uuid, ids))
    let linked = try context.fetch(request).map { ($0.uuid, $0.namesInLinks) }
    let directory = try TitleDirectory(of: linked.flatMap(\.1), byFile: true, in: context)
    var found: [UUID: String] = [:]
    for (id, names) in linked { found[id] = names.first { directory[$0] == id } }
    return found
  }

  private var namesInLinks: [String] {
    guard MarkdownNames.canBeLinked(title) else {
      let name = FileName.of(title, else: "")
      return name.isEmpty ? [] : [name]
    }
    guard let folder, !title.contains("/") else { return [title] }
    return [title, "\(folder.path)/\(title)"]
  }

  fileprivate func exported(
    as form: ExportForm,
    with picture: RichText.EmbeddedPicture?,
    _ pictures: [UUID: RichText.EmbeddedPicture],
    _ media: [UUID: RichText.EmbeddedMedia],
    _ works: ReferenceList,
    in context: NSManagedObjectContext
  ) throws -> Data {
    let text = formattedBodyText
    switch form {
    case .markdown:
      var file = MarkdownFile(
        title: title,
        keywords: keywords.sorted().map(\.name),
        status: status.word,
        text: text
      )
      file.aliases = aliases
      file.properties = writtenProperties
      if !file.properties.isEmpty {
        // Else a property such as “date” would be taken for them.
        (file.created, file.modified) = (creationDate, modificationDate)
      }
      return Data(file.contents(titleOf: try titlesOfLinks(in: text)).utf8)
    case .html:
      let text = try textWithEmbeds(in: context).citing(works, language)
      let page = text.html(
        title: title,
        picture: picture,
        pictures: pictures,
        media: media,
        language: language
      )
      return Data(page.utf8)
    case .docx:
      let text = try textWithEmbeds(in: context).citing(works, language)
      let page = text.plainHTML(
        title: title,
        picture: picture,
        pictures: pictures,
        language: language
      )
      return Data(page.utf8)
    case .rtf:
      let text = text.withoutRemarks.citing(works, language)
      return picture.map(text.rtf) ?? text.rtf
    case .json: return Data(text.json.utf8)
    }
  }
}

extension RichText {
  /// The text with short forms and a list of works; as it is if it cites none.
  func citing(_ list: ReferenceList, _ language: String?) -> RichText {
    citing(list.names, works: list.works.map(\.line), language: language)
  }
}
