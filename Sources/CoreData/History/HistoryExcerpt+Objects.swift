extension HistoryExcerpt {
  func id(ofChange index: Int) -> NSManagedObjectID {
    NSManagedObjectID(key: key(ofChange: index), layout: changes[index].layout)
  }
}
