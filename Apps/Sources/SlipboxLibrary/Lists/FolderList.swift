import CoreData

/// All folders that are there, in order, kept up to date by a fetched results controller.
///
/// The tree in the sidebar is wanted with every overview and changes seldom: it is fetched once, and
/// then follows the changes of the reading context.
///
/// Safety: the controller is touched on its context's queue only.
final class FolderList: @unchecked Sendable {
  private let controller: NSFetchedResultsController<Folder>
  private let follower = Follower()

  /// Fetches the folders.
  init(_ context: NSManagedObjectContext) throws {
    let request = Folder.fetch(NSPredicate(format: "%K == nil", FolderProperties.erasedDate))
    request.sortDescriptors = [
      NSSortDescriptor(key: FolderProperties.order, ascending: true),
      NSSortDescriptor(key: FolderProperties.creationDate, ascending: true),
    ]
    controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    controller.delegate = follower
    let controller = controller
    try context.performAndWait { try controller.performFetch() }
  }

  /// Fetches again, after a batch that no context has heard of; to be called on the context's queue.
  func refetch() throws { try controller.performFetch() }

  /// The folders now; to be called on the context's queue.
  var folders: [Folder] { controller.fetchedObjects ?? [] }

  /// A controller without a delegate does not track changes.
  private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}
  }
}
