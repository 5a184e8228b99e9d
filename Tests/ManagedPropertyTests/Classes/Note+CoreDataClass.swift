public import CoreData

public class Note: NSManagedObject {
  /// Here and not in the extension, so that a subclass can override it.
  @NSManaged public var title: String?

  public override func awakeFromInsert() {
    super.awakeFromInsert()
    primitiveUuid = UUID(uuidString: "2B1D3C6E-8F24-4B7B-9B0A-5A3E6D1C0F11")
  }

  /// An accessor over the stored value, as Apple's guide writes it.
  var heading: String {
    get {
      willAccessValue(forKey: "title")
      defer { didAccessValue(forKey: "title") }
      return primitiveTitle ?? "Untitled"
    }
    set {
      willChangeValue(forKey: "title")
      defer { didChangeValue(forKey: "title") }
      primitiveTitle = newValue
    }
  }

  enum Status: Int16 {
    case draft, review, archived
  }

  struct Options: OptionSet {
    let rawValue: Int32
    static let printed = Self(rawValue: 1)
    static let shared = Self(rawValue: 2)
  }
}

enum Mood: String {
  case calm, curious
}

class Checklist: Note {
  @NSManaged var isDone: Bool

  /// A managed property above can be overridden below.
  public override var title: String? {
    get { super.title.map { "☐ \($0)" } }
    set { super.title = newValue }
  }
}
