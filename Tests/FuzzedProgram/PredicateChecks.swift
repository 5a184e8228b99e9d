import Foundation

// Scripts/fuzz-predicates compiles this file into the module itself.
#if canImport(CoreDataPredicates)
import CoreDataPredicates

import class CoreDataPredicates.NSExpression
#endif

/// What must hold for each text that somebody hands to the predicate parser.
enum PredicateChecks {
  /// Parses the text; stops the program if the parser throws anything but its own error, or if the
  /// predicate does not survive printing.
  static func check(_ text: String) {
    let arguments: [Any?] = ["folder.name", 3, [1, 2.5], nil, "a%b_c'\"", NSNumber(value: true)]
    do {
      let predicate = try NSPredicate(parsing: text, arguments: arguments)
      try checkReturn(of: predicate, from: text)
      ask(predicate.tree)
    } catch let error as PredicateFormatError {
      precondition((0...text.count).contains(error.position), "\(error) at \(error.position)")
    } catch {
      fatalError("\(error) is not a PredicateFormatError")
    }
    _ = try? NSExpression(parsing: text, arguments: arguments)
  }

  /// Stops the program unless the printed predicate parses to an equal one.
  private static func checkReturn(of predicate: NSPredicate, from text: String) throws {
    let printed = predicate.tree.description
    let again: NSPredicate
    do {
      again = try NSPredicate(parsing: printed)
    } catch let error as PredicateFormatError where error.problem.hasPrefix("more than") {
      return  // Printing writes parentheses, and there are only so many of them.
    } catch let error as PredicateFormatError {
      // A key that came as an argument may be one that no format can spell.
      precondition(text.contains("%"), "\(text) became \(printed): \(error)")
      return
    }
    precondition(again == predicate, "\(text) became \(printed), then \(again)")
    precondition(again.hash == predicate.hash, "\(printed) has two hashes")
    precondition(predicate.copy() as? NSPredicate == predicate, "\(printed) has no equal copy")
  }

  /// Evaluates the predicate; any answer or error is right.
  ///
  /// Regular expressions may take long and are left out.
  private static func ask(_ predicate: PredicateTree) {
    guard !predicate.description.contains("MATCHES") else { return }
    let note: [String: Any] = [
      "title": "Über Swift", "stars": 4, "tags": [["name": "swift"], ["name": "a"]],
      "date": Date(timeIntervalSinceReferenceDate: 1000), "a": 1, "b": Int.min, "c": 2.5,
    ]
    _ = try? predicate.evaluate(with: note, variables: ["x": 3, "n": "stars"])
  }
}
