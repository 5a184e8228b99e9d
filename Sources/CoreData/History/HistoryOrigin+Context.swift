extension HistoryOrigin {
  /// The present name and author of the context.
  package init(of context: NSManagedObjectContext) {
    self.init(author: context.transactionAuthor, contextName: context.name)
  }
}
