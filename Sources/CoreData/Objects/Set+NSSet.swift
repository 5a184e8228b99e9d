public import Foundation

extension Set {
  /// The elements of one of Foundation's sets, as `notes` is of a folder in which it is an `NSSet`.
  ///
  /// ```swift
  /// let notes = Set<Note>(folder.notes)
  /// ```
  ///
  /// An element of another type stops the program; `folder.notes as? Set<Note>` is nil for it.
  public init(_ set: NSSet) {
    self.init()
    reserveCapacity(set.count)
    for element in set {
      guard let element = element as? Element else {
        stop("a set of \(Element.self) cannot hold \(element)")
      }
      insert(element)
    }
  }

  /// The elements of one of Foundation's sets; none for nil.
  public init(_ set: NSSet?) {
    if let set { self.init(set) } else { self.init() }
  }
}
