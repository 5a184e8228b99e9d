import Foundation

// Text that nobody would type, for the throwing initialiser: it parses or it says why not.
//
// A text that parses is printed and parsed again, and is evaluated for a note. Compiled together
// with Sources/CoreDataPredicates by Scripts/fuzz-predicates.

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
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
  return 0
}

/// Printed and parsed again, a predicate is itself.
private func checkReturn(of predicate: NSPredicate, from text: String) throws {
  let printed = predicate.predicateFormat
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

/// Every answer will do, and every error; regular expressions may take their time and are left out.
private func ask(_ predicate: PredicateTree) {
  guard !predicate.description.contains("MATCHES") else { return }
  let note: [String: Any] = [
    "title": "Über Swift", "stars": 4, "tags": [["name": "swift"], ["name": "a"]],
    "date": Date(timeIntervalSinceReferenceDate: 1000), "a": 1, "b": Int.min, "c": 2.5,
  ]
  _ = try? predicate.evaluate(with: note, variables: ["x": 3, "n": "stars"])
}
