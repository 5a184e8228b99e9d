public import CoreData

/// A folder: its class is ours, its properties are generated (Category/Extension).
public class Folder: NSManagedObject {
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    name = "Untitled"
  }

  var titles: [String] {
    (notes as? Set<Note> ?? []).compactMap(\.title).sorted()
  }
}
