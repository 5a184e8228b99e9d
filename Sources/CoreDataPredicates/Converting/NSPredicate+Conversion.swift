public import Foundation

extension NSPredicate {
  /// Creates a predicate from a Swift predicate.
  ///
  /// ```swift
  /// NSPredicate(#Predicate<Note> { $0.stars > 3 && $0.folder?.name == "Work" })
  /// // stars > 3 AND folder.name == "Work"
  /// ```
  ///
  /// The initializer fails if the Swift predicate contains something that only Swift can evaluate, such as a property
  /// that is not in the model; the log names it. If the model of the class is not loaded yet, as in a `static let`, the
  /// properties are looked up when the predicate is used.
  ///
  /// You can call this initializer on any thread.
  ///
  /// - Parameter predicate: A predicate that was created with `#Predicate`.
  public convenience init?<Input>(_ predicate: Predicate<Input>) {
    let made: NSPredicate
    do throws(ConversionError) {
      made = NSPredicate.of(try PredicateTree(converting: predicate))
    } catch {
      guard error.isForNow else {
        error.log("a predicate", of: Input.self)
        return nil
      }
      made = LaterPredicate(later: predicate)
    }
    self.init(cluster: { made })
  }
}

extension NSPredicate {
  /// Creates the same predicate, and throws the reason why it cannot be.
  package convenience init<Input>(converting predicate: Predicate<Input>) throws(ConversionError) {
    let made = NSPredicate.of(try PredicateTree(converting: predicate))
    self.init(cluster: { made })
  }
}

extension NSExpression {
  /// Creates an expression from a Swift expression.
  ///
  /// ```swift
  /// NSExpression(#Expression<Note, Int16> { $0.stars * 2 })
  /// // stars * 2
  /// ```
  ///
  /// The initializer fails if the Swift expression contains something that only Swift can evaluate.
  ///
  /// - Parameter expression: An expression that was created with `#Expression`.
  public convenience init?<Input, Output>(_ expression: Expression<Input, Output>) {
    guard let tree = ExpressionTree(expression) else { return nil }
    self.init(tree: tree)
  }
}

extension NSSortDescriptor {
  /// Creates a sort descriptor from a Swift sort descriptor.
  ///
  /// ```swift
  /// NSSortDescriptor(SortDescriptor(\Note.created, order: .reverse))
  /// ```
  ///
  /// - Parameter descriptor: A Swift sort descriptor whose key path leads to a property of the
  ///   model.
  public convenience init<Compared>(_ descriptor: SortDescriptor<Compared>) {
    self.init(cluster: { SwiftSortDescriptor(swift: descriptor) })
  }
}
