public import Foundation

extension SortDescriptor where Compared: NSObject {
  /// Creates a sort descriptor that orders objects by a Boolean property, with `false` first.
  ///
  /// ```swift
  /// NSSortDescriptor(SortDescriptor(\Note.isFavourite, order: .reverse))
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property.
  ///   - order: The order. With `.reverse`, `true` is first.
  public init(
    _ keyPath: any KeyPath<Compared, Bool> & Sendable,
    order: Foundation.SortOrder = .forward
  ) {
    // Foundation orders what is Comparable, as the description of a Bool is: "false" is before "true".
    let path: KeyPath<Compared, Bool> = keyPath
    let described: KeyPath<Compared, String> = path.appending(path: \Bool.description)
    // Both parts can be sent, which `appending` does not say of the whole.
    let sendable = unsafeBitCast(described, to: (any KeyPath<Compared, String> & Sendable).self)
    self.init(sendable, order: order)
  }
}
