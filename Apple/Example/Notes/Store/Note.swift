import CoreData

/// A note with a title and a text.
final class Note: NSManagedObject, Identifiable {
  @NSManaged var title: String?
  @NSManaged var contents: String?
  @NSManaged var createdAt: Date?
  @NSManaged var updatedAt: Date?
  @NSManaged var uuid: UUID?
  @NSManaged var category: Category?

  override func awakeFromInsert() {
    super.awakeFromInsert()
    uuid = UUID()
    createdAt = Date()
    updatedAt = createdAt
  }
}

/// A name that several notes share.
final class Category: NSManagedObject, Identifiable {
  @NSManaged var name: String?
  @NSManaged var uuid: UUID?
  @NSManaged var notes: NSSet?

  override func awakeFromInsert() {
    super.awakeFromInsert()
    uuid = UUID()
  }
}
