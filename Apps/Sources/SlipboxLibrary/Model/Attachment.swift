public import CoreData

/// A picture or another file that belongs to notes, in an entity of its own so that lists never read it.
///
/// It is either the one picture of a note (`note`), or is in the texts of some (`notes_`), which name it by its
/// identifier. One that no longer belongs to a note goes in the next housekeeping.
extension Attachment {
  public convenience init(image: Data?, context: NSManagedObjectContext) {
    self.init(context: context)
    fullImageData = image
    byteCount = Int64(image?.count ?? 0)
  }

  /// The attachments of some identifiers, as far as they are there.
  static func find(_ ids: [UUID], in context: NSManagedObjectContext) throws -> [Attachment] {
    if ids.isEmpty { return [] }
    let request = NSFetchRequest<Attachment>(entityName: "Attachment")
    request.predicate = NSPredicate(format: "uuid_ IN %@", ids)
    return try context.fetch(request)
  }

  /// Whether it consists of pixels, and may have the metadata of a photograph.
  var isPicture: Bool { type.hasPrefix("image/") && type != FileKind.svg.type }

  public var uuid: UUID { uuid_ ?? .none }

  public var name: String { name_ ?? "picture" }

  /// The picture's media type: `image/jpeg`.
  public var type: String { type_ ?? "application/octet-stream" }
}
