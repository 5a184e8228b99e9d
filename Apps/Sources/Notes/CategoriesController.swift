import CoreData

/// The list of categories, by name.
typealias CategoriesController = ListController<Category, CategoryRow>

extension CategoriesController {
  convenience init(
    _ context: NSManagedObjectContext,
    categoriesDidChange: @escaping ([CategoryRow]) -> Void
  ) throws {
    let fetchRequest: NSFetchRequest<Category> = Category.fetchRequest()
    fetchRequest.sortDescriptors = [
      NSSortDescriptor(
        key: "name",
        ascending: true,
        selector: Selector("localizedStandardCompare:")
      )
    ]
    try self.init(
      fetchRequest,
      in: context,
      row: CategoryRow.init,
      rowsDidChange: categoriesDidChange
    )
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
