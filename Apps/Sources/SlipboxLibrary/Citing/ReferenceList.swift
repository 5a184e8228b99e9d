import Foundation
import RichText

/// The works that a text cites: their short names, and their lines in the list at its end.
///
/// ```
/// Doe 2020a      Doe, Jane. 2020a. “Faults.” Journal of Slots 3 (1): 1–9. https://doi.org/10.1000/1
/// Doe 2020b      Doe, Jane. 2020b. Slots. 2nd ed. Vienna: Example Press.
/// ```
///
/// The style is author and year, as in the Chicago Manual of Style. Works that would have the same name get letters.
struct ReferenceList: Sendable {
  struct Work: Sendable {
    let key: String
    let name: RichText.ShortName
    let line: [RichText.Inline]
  }

  /// In the order of the list.
  let works: [Work]

  init(_ references: [Reference]) {
    let sorted = references.map { (key: SortKey($0), reference: $0) }.sorted { $0.key < $1.key }
      .map(\.reference)
    let names = sorted.map { RichText.ShortName(authors: $0.shortAuthors, year: $0.yearOrNone) }
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    var used: [RichText.ShortName: Int] = [:]
    works = zip(sorted, names).map { reference, name in
      var name = name
      if counts[name] ?? 0 > 1 {
        let number = used[name, default: 0]
        used[name] = number + 1
        name.year += (reference.year.isEmpty ? "-" : "") + Self.letters(number)
      }
      return Work(key: reference.key, name: name, line: ReferenceLine(reference, name.year).pieces)
    }
  }

  var names: [String: RichText.ShortName] {
    Dictionary(works.map { ($0.key, $0.name) }) { first, _ in first }
  }

  /// The letters of a number: a, b, … z, aa, ab, and so on.
  private static func letters(_ number: Int) -> String {
    let last = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26)))
    return number < 26 ? last : letters(number / 26 - 1) + last
  }

  /// By authors, then year, then title.
  private struct SortKey: Comparable {
    let words: [String]

    init(_ reference: Reference) {
      let names = reference.leaders.list.flatMap { [$0.family, $0.given] }
      let title = reference.title.canonical
      words = [
        names.isEmpty ? title : names.joined(separator: " ").canonical, reference.year, title,
        reference.key,
      ]
    }

    static func < (one: Self, other: Self) -> Bool {
      one.words.lexicographicallyPrecedes(other.words)
    }
  }
}

extension Reference {
  /// The authors, or the editors of a work without authors.
  var leaders: Names { authors.isEmpty ? editors : authors }

  var yearOrNone: String { year.isEmpty ? "n.d." : year }

  /// The names in a text: `Doe`, `Doe and Roe`, `Doe et al.`; the title of a work without people.
  var shortAuthors: String {
    let families = leaders.list.map { $0.family.isEmpty ? $0.given : $0.family }
    switch families.count {
    case 0:
      let title = shortTitle.isEmpty ? title : shortTitle
      return title.isEmpty ? key : "“\(title)”"
    case 1: return leaders.hasOthers ? families[0] + " et al." : families[0]
    case 2 where !leaders.hasOthers: return families[0] + " and " + families[1]
    default: return families[0] + " et al."
    }
  }
}
