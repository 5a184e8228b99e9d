public import CoreData

/// A picture that belongs to a note, in an entity of its own so that lists never read it.
extension Attachment {
  public convenience init(image: Data?, context: NSManagedObjectContext) {
    self.init(context: context)
    fullImageData = image
    byteCount = Int64(image?.count ?? 0)
  }

  public var name: String { name_ ?? "picture" }

  /// The picture's media type: `image/jpeg`.
  public var type: String { type_ ?? "application/octet-stream" }
}
