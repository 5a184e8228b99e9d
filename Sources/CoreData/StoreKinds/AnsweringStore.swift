/// A store whose author answers requests, with objects of the context that asks; so it is asked on that
/// context's queue.
protocol AnsweringStore: RowStore {
  func answer(
    to request: NSPersistentStoreRequest,
    _ context: NSManagedObjectContext
  ) throws
    -> Any
}
