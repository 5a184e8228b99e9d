import Archives
import CoreData
public import Foundation
import Pictures
import RichText

/// The facts about a file in a text, without reading it.
public struct FileFacts: Encodable, Sendable, Equatable {
  public let id: String
  public let name: String
  public let type: String
  public let bytes: Int64
  /// In pixels; 0 if it is not a picture.
  ///
  /// An SVG can be drawn larger.
  public let width: Int64
  public let height: Int64

  init(_ attachment: Attachment) {
    id = attachment.uuid.text
    name = attachment.name
    type = attachment.type
    bytes = attachment.byteCount
    width = attachment.pixelWidth
    height = attachment.pixelHeight
  }

  /// The files that a text of a note names.
  static func named(in text: RichText, of note: Note) -> [FileFacts] {
    let named = Set(text.files)
    if named.isEmpty { return [] }
    return note.files.filter { named.contains($0.uuid) }.map(FileFacts.init).sorted {
      $0.id < $1.id
    }
  }
}

extension Library {
  /// Keeps a file for a note's text, which will name it.
  ///
  /// A file that begins as a picture and can be read to its end is a picture, and so is an SVG; everything else is a file.
  ///
  /// - Parameters:
  ///   - data: The content, at most ``fileLimit`` bytes.
  ///   - name: The file's name.
  ///   - id: The note.
  ///   - author: The author of the change.
  /// - Returns: The facts about the file.
  /// - Throws: A ``LibraryProblem`` for one that is too large or empty, or a note that is not there.
  public func addFile(
    _ data: Data,
    name: String?,
    to id: UUID,
    by author: String?
  ) async throws -> FileFacts {
    let file = try await NewFile(data, name: name)
    let facts = try await write(by: author) { context in
      let note = try context.note(id)
      let attachment = file.attachment(in: context)
      note.files.insert(attachment)
      try context.save()
      return FileFacts(attachment)
    }
    if facts.type == FileKind.pdf.type { fileTexts.readSoon() }
    return facts
  }

  /// The largest file that is kept, in bytes.
  public static let fileLimit = 64 << 20

  /// Finds a file, and hands a block the facts about it, and a closure that reads its bytes; see
  /// ``readPicture(of:_:)``.
  public func readFile<Result: Sendable>(
    _ id: UUID,
    _ block: @escaping @Sendable (OriginalPicture.Facts, () throws -> Data) throws -> Result
  ) async throws -> Result {
    try await readAttachment(.file(id), block)
  }

  /// A picture of a text in small: at most so many pixels wide and high.
  public func thumbnail(ofFile id: UUID, size: Int) async throws -> OriginalPicture {
    try await thumbnail(.file(id), size: size)
  }

  /// Deletes the files of texts that no note has any more.
  func purgeFiles() async throws {
    try await write(by: nil) { context in
      let request = NSFetchRequest<Attachment>(entityName: "Attachment")
      request.predicate = NSPredicate(format: "uuid_ != nil AND note == nil AND notes_.@count == 0")
      request.fetchLimit = 1_000
      for attachment in try context.fetch(request) { context.delete(attachment) }
    }
  }
}

/// A file that is about to be kept.
struct NewFile: Sendable {
  let id: UUID
  let data: Data
  let name: String
  let type: String
  let width: Int
  let height: Int

  /// Finds out the kind of a file.
  ///
  /// - Parameters:
  ///   - data: The content.
  ///   - name: The file's name; `nil` for a name of its kind.
  ///   - id: The file's future identifier.
  ///   - folder: The folder where the content waits until it is kept, if not in memory.
  /// - Throws: A ``LibraryProblem`` for one that is too large or empty.
  init(
    _ data: Data,
    name: String?,
    id: UUID = UUID(),
    heldIn folder: URL? = nil
  ) async throws {
    guard !data.isEmpty else { throw LibraryProblem.refused("The file is empty.") }
    guard data.count <= Library.fileLimit else {
      throw LibraryProblem.tooLarge("A file has at most \(Library.fileLimit >> 20) MB.")
    }
    self.id = id
    self.data = try folder.map { try HeldData.data(data, in: $0) } ?? data
    let given = try Given.title(name ?? "")
    // A picture whose size cannot be measured is a file like others.
    if let kind = PictureKind(of: data), let size = try? await Library.size(ofPicture: data) {
      self.name = given.isEmpty ? "picture.\(kind.fileExtension)" : given
      type = kind.contentType
      (width, height) = (size.width, size.height)
    } else {
      let kind = FileKind(of: data)
      let size = kind == .svg ? SVGHead.size(of: data) : nil
      self.name = given.isEmpty ? (size == nil ? "file" : "picture.svg") : given
      type = kind == .svg && size == nil ? FileKind.other.type : kind.type
      (width, height) = (size?.width ?? 0, size?.height ?? 0)
    }
  }

  var isPicture: Bool { width > 0 }

  func attachment(in context: NSManagedObjectContext) -> Attachment {
    let attachment = Attachment(image: data, context: context)
    attachment.uuid_ = id
    attachment.name_ = name
    attachment.type_ = type
    attachment.pixelWidth = Int64(width)
    attachment.pixelHeight = Int64(height)
    return attachment
  }
}
