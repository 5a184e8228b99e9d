import CoreData

/// A list that follows its context: a request's objects as rows, now and after each change.
///
/// Belongs to its context's queue.
final class ListController<Object: NSManagedObject, Row>: NSObject,
  NSFetchedResultsControllerDelegate
{
  private let fetchedResultsController: NSFetchedResultsController<Object>
  private let row: (Object) -> Row
  private let rowsDidChange: ([Row]) -> Void

  init(
    _ fetchRequest: NSFetchRequest<Object>,
    in context: NSManagedObjectContext,
    row: @escaping (Object) -> Row,
    rowsDidChange: @escaping ([Row]) -> Void
  ) throws {
    self.row = row
    self.rowsDidChange = rowsDidChange
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

  var rows: [Row] { (fetchedResultsController.fetchedObjects ?? []).map(row) }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    rowsDidChange(rows)
  }
}
