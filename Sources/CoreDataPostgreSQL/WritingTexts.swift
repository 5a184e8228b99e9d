import CoreData
import CoreDataSQL
import Synchronization

/// The texts of the statements that write rows, each made once for a store: most saves write the same properties of
/// the same entities.
final class WritingTexts: Sendable {
  private let texts = Mutex<[Shape: String]>([:])

  /// The facts on which a text depends.
  enum Shape: Hashable {
    case insertion(into: Int32, filling: [FilledColumn])
    case update(UpdateShape, ofMany: Bool)
  }

  /// Sets of changed properties are many where programs change them at random.
  private static let most = 200

  /// The text of a shape, made if it is missing.
  func text(_ shape: Shape, _ make: () -> SQLFragment) -> String {
    if let known = texts.withLock({ $0[shape] }) { return known }
    let text = make().rendered(for: .postgreSQL).sql
    texts.withLock { texts in
      if texts.count >= Self.most { texts.removeAll() }
      texts[shape] = text
    }
    return text
  }
}
