import CoreData
package import CoreDataPredicates

extension SortTerm {
  /// `title`, or `-created` to descend.
  package init(spelled text: Substring) {
    let descends = text.hasPrefix("-")
    let path = text.drop { $0 == "-" || $0 == "+" || $0 == " " }
    self.init(keyPath: path.split(separator: ".").map(String.init), ascending: !descends)
  }
}

extension String {
  /// The number of characters before a part that errors spell their own way: with double quotes,
  /// and `==` for `=`.
  ///
  /// If the spelling differs, the beginning of the part will do, if it occurs only once.
  package func place(ofPart part: String) -> Int? {
    let beginning = part.prefix { $0 != " " }
    let found = ranges(of: part) + ranges(of: part.replacing("\"", with: "'"))
    let once = ranges(of: beginning)
    guard let range = found.first ?? (once.count == 1 ? once[0] : nil) else { return nil }
    return distance(from: startIndex, to: range.lowerBound)
  }
}

extension PredicateTree {
  /// Reads a condition as somebody types it.
  ///
  /// - Throws: A ``Refusal`` with the place at which the text cannot be parsed.
  package init(written format: String) throws {
    do throws(PredicateFormatError) {
      self = try PredicateFormat.predicate(format)
    } catch {
      throw Refusal(error.description, in: format, at: error.position)
    }
  }
}
