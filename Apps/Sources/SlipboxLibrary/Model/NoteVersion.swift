public import CoreData

/// A note's content at an earlier time.
public final class NoteVersion: NSManagedObject {
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    uuid_ = UUID()
  }

  public var date: Date { date_ ?? Date(timeIntervalSinceReferenceDate: 0) }
  public var title: String { title_ ?? "" }
  public var uuid: UUID { uuid_ ?? .none }
}
