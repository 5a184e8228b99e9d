extension HistoryOrigin {
  /// The present name and author of the context, or of the one at the top, to which a child hands its requests.
  package init(of context: NSManagedObjectContext) {
    var top = context
    while let parent = top.parent { top = parent }
    let (author, name) = top.performAndWait { (top.transactionAuthor, top.name) }
    self.init(author: author, contextName: name)
  }
}
