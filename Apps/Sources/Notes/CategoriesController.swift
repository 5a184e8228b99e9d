import CoreData

/// The list of categories, by name.
///
/// Belongs to its context's queue.
final class CategoriesController: NSObject, NSFetchedResultsControllerDelegate {
  private let fetchedResultsController: NSFetchedResultsController<Category>
  private let categoriesDidChange: ([CategoryRow]) -> Void

  init(
    _ context: NSManagedObjectContext,
    categoriesDidChange: @escaping ([CategoryRow]) -> Void
  ) throws {
    self.categoriesDidChange = categoriesDidChange
    let fetchRequest: NSFetchRequest<Category> = Category.fetchRequest()
    fetchRequest.sortDescriptors = [
      NSSortDescriptor(
        key: "name",
        ascending: true,
        selector: Selector("localizedStandardCompare:")
      )
    ]
    fetchedResultsController = NSFetchedResultsController(
      fetchRequest: fetchRequest,
      managedObjectContext: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    super.init()
    fetchedResultsController.delegate = self
    try fetchedResultsController.performFetch()
  }

  var categories: [Category] { fetchedResultsController.fetchedObjects ?? [] }

  var rows: [CategoryRow] { categories.map(CategoryRow.init) }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    categoriesDidChange(rows)
  }
}

/// A category in the list, and how many notes it has.
struct CategoryRow: Codable, Equatable, Sendable {
  let id: String
  let name: String
  let count: Int

  init(_ category: Category) {
    id = category.uuid.text
    name = category.name ?? ""
    count = category.notes?.count ?? 0
  }
}
