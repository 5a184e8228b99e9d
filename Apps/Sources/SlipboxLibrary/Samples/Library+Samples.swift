public import CoreData
import RichText

extension Library {
  /// Makes the slip box of a folder, with notes that explain the program, if it does not exist.
  ///
  /// The slip box follows other devices only after these notes are saved. Otherwise theirs could arrive between the check
  /// that it is empty and the save, and every note would be there twice.
  ///
  /// One that has the address of a server gets these notes only if nobody has sent anything to the server yet.
  /// Otherwise the others have the notes, and may have rewritten them or thrown them away.
  ///
  /// - Parameter folder: The future folder of the notes.
  /// - Throws: A `CocoaError` if the store cannot be made, or an error of the file system if the address cannot be
  ///   read.
  public static func beginWithSamples(in folder: URL) async throws {
    if FileManager.default.fileExists(atPath: PersistenceController.store(in: folder).path) {
      return
    }
    if let address = try SyncAddressFile(in: folder).address,
      await isFirst(at: address) != true
    {
      return
    }
    let controller = try PersistenceController(folder: folder, followsOthers: false)
    let library = try Library(controller, now: { Date() })
    defer {
      library.close()
      library.closeStore()
    }
    try await library.addSamplesIfEmpty()
  }

  /// Whether nobody has sent anything to an address yet; `nil` if the server does not say.
  private static func isFirst(at address: String) async -> Bool? {
    try? await NSPersistentCloudKitContainer.isNewZone(at: address)
  }

  /// Deletes the samples that nobody has changed here, if others have their notes at an address already.
  ///
  /// The others may have rewritten these notes or thrown them away. Those of this slip box were made later, and would win.
  ///
  /// - Returns: The token with which this is undone, or `nil` if nothing was deleted.
  func letSamplesGiveWay(toThoseAt address: String) async throws -> String? {
    guard try await read({ try !SampleNotes.untouched(in: $0).isEmpty }),
      await Self.isFirst(at: address) == false
    else { return nil }
    return try await act(by: nil) { try SampleNotes.deleteUntouched(from: $0) }.undo
  }

  /// Puts notes that explain the program into a slip box that has never had any, and gets none from others.
  public func addSamplesIfNew() async throws {
    if try syncAddress == nil { try await addSamplesIfEmpty() }
  }

  private func addSamplesIfEmpty() async throws {
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
        keyword.uuid_ = id(of: entry.key)
        keyword.color = entry.value
        known[entry.key] = keyword
      }
    let made = notes.enumerated().map { index, sample in
      let note = Note(title: sample.title, context: context)
      note.uuid_ = id(of: sample.title)
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

  /// The same on all devices, so that two slip boxes that have begun with these notes have them once when they
  /// are kept in step.
  private static func id(of name: String) -> UUID { UUID(ofKind: "sample", named: name) }

  private static func folders(in context: NSManagedObjectContext) -> [String: Folder] {
    var known: [String: Folder] = [:]
    for (order, name) in folders.enumerated() {
      let folder = Folder(name: name, context: context)
      folder.uuid_ = id(of: name)
      folder.order = Int64(order)
      known[name] = folder
    }
    let inner = Folder(name: subfolder.name, context: context)
    inner.uuid_ = id(of: subfolder.name)
    inner.parent = known[subfolder.parent]
    known[subfolder.name] = inner
    return known
  }

  private static func picture(in context: NSManagedObjectContext) -> Attachment {
    let attachment = Attachment(image: SamplePicture.png, context: context)
    attachment.uuid_ = id(of: "slips.png")
    attachment.name_ = "slips.png"
    attachment.type_ = "image/png"
    attachment.pixelWidth = Int64(SamplePicture.width)
    attachment.pixelHeight = Int64(SamplePicture.height)
    return attachment
  }
}
