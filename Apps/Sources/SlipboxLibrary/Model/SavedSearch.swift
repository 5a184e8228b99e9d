public import CoreData

/// A search that somebody wants to do again, under a name.
public final class SavedSearch: NSManagedObject {
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    uuid_ = UUID()
  }
}

extension SavedSearch {
  public var uuid: UUID { uuid_ ?? .none }

  public var name: String { name_ ?? "" }

  /// The text for the search field.
  public var text: String { text_ ?? "" }

  /// A request for all of them, in the order in which somebody has put them, then as they were made.
  public static func fetchAll() -> NSFetchRequest<SavedSearch> {
    let request = NSFetchRequest<SavedSearch>(entityName: "SavedSearch")
    request.sortDescriptors = [
      NSSortDescriptor(key: "order", ascending: true),
      NSSortDescriptor(key: "creationDate_", ascending: true),
    ]
    return request
  }
}
