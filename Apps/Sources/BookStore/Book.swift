public import CoreData

/// A book tells when it is made and when it comes from the store.
///
/// The class is ours, because only a class can override; its properties are generated
/// (Category/Extension in the model).
public final class Book: NSManagedObject {
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    print("New book created")
  }

  public override func awakeFromFetch() {
    super.awakeFromFetch()
    print("Book fetched: \(title ?? "")")
  }
}
