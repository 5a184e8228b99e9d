public import Foundation

extension Set {
  /// Creates a Swift set with the elements of an `NSSet`, such as the value of a to-many relationship.
  ///
  /// ```swift
  /// let notes = Set<Note>(folder.notes)
  /// ```
  ///
  /// The program stops if an element has another type. Use `folder.notes as? Set<Note>` to get `nil` instead.
  ///
  /// - Parameter set: The set whose elements are copied.
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

  /// Creates a Swift set with the elements of an `NSSet`, or an empty set if it is `nil`.
  ///
  /// The program stops if an element has another type.
  ///
  /// - Parameter set: The set whose elements are copied, or `nil`.
  public init(_ set: NSSet?) {
    if let set { self.init(set) } else { self.init() }
  }
}
