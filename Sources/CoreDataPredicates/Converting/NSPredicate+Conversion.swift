public import Foundation

extension NSPredicate {
  /// The predicate that a Swift predicate says.
  ///
  /// ```
  /// NSPredicate(#Predicate<Note> { $0.stars > 3 && $0.folder?.name == "Work" })
  /// stars > 3 AND folder.name == "Work"
  /// ```
  ///
  /// Nil for what only Swift can run, such as a property that is not in the model; a sentence in
  /// the log names it. Where the model of the class is not loaded yet, as in a `static let`, the
  /// properties are looked up when the predicate is used.
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

extension NSExpression {
  /// The expression that a Swift expression says; nil for what only Swift can run.
  ///
  /// ```
  /// NSExpression(#Expression<Note, Int> { $0.stars * 2 })
  /// stars * 2
  /// ```
  public convenience init?<Input, Output>(_ expression: Expression<Input, Output>) {
    guard let tree = ExpressionTree(expression) else { return nil }
    self.init(tree: tree)
  }
}

extension NSSortDescriptor {
  /// The order that a Swift sort descriptor says.
  ///
  /// ```
  /// NSSortDescriptor(SortDescriptor(\Note.createdAt, order: .reverse))
  /// ```
  public convenience init<Compared>(_ descriptor: SortDescriptor<Compared>) {
    self.init(cluster: { SwiftSortDescriptor(swift: descriptor) })
  }
}
