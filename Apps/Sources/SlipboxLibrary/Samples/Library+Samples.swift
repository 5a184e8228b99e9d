import CoreData
import RichText

extension Library {
  /// Puts notes that explain the program into a slip box that has never had any.
  public func addSamplesIfNew() async throws {
    let now = now()
    try await write(by: nil) { context in
      let isNew = try [Note.entity(), Folder.entity(), Keyword.entity()].allSatisfy { entity in
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        return try context.count(for: request) == 0
      }
      if isNew { SampleNotes.insert(into: context, now: now) }
    }
  }
}

extension SampleNotes {
  /// Makes folders, keywords and notes; the notes are some minutes apart, the first of them newest.
  static func insert(into context: NSManagedObjectContext, now: Date) {
    let folders = folders(in: context)
    let keywords = keywords.mapValues { hex -> Colour in Colour(hex: hex) ?? .black }
      .reduce(into: [String: Keyword]()) { known, entry in
        let keyword = Keyword(name: entry.key, context: context)
        keyword.color = entry.value
        known[entry.key] = keyword
      }
    let made = notes.enumerated().map { index, sample in
      let note = Note(title: sample.title, context: context)
      note.creationDate = now - Double(index) * 240
      note.modificationDate_ = note.creationDate_
      note.folder = folders[sample.folder]
      note.status = sample.status
      note.isFavorite = sample.isFavorite
      note.keywords = Set(sample.keywords.compactMap { keywords[$0] })
      if sample.hasPicture { note.attachment = picture(in: context) }
      return note
    }
    let byTitle = Dictionary(made.map { ($0.title, $0) }) { first, _ in first }
    for (note, sample) in zip(made, notes) {
      let text = RichText(markdown: sample.text) { byTitle[$0]?.uuid }
      note.formattedBodyText = text
      let links = Set(text.links)
      note.linkedNotes = Set(made.filter { links.contains($0.uuid) })
      note.revision = 1
    }
  }

  private static func folders(in context: NSManagedObjectContext) -> [String: Folder] {
    var known: [String: Folder] = [:]
    for (order, name) in folders.enumerated() {
      let folder = Folder(name: name, context: context)
      folder.order = Int64(order)
      known[name] = folder
    }
    let inner = Folder(name: subfolder.name, context: context)
    inner.parent = known[subfolder.parent]
    known[subfolder.name] = inner
    return known
  }

  private static func picture(in context: NSManagedObjectContext) -> Attachment {
    let attachment = Attachment(image: SamplePicture.png, context: context)
    attachment.name_ = "slips.png"
    attachment.type_ = "image/png"
    attachment.pixelWidth = Int64(SamplePicture.width)
    attachment.pixelHeight = Int64(SamplePicture.height)
    return attachment
  }
}
