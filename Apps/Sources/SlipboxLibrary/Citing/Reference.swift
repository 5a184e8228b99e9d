import Foundation

/// A work that notes cite, such as a book or an article.
///
/// The values are texts in Unicode, without the commands of the format that they come from.
struct Reference: Sendable, Equatable {
  /// How a line of the list is put together.
  enum Kind: String, Sendable {
    /// A part of a periodical: title in quotes, then the periodical.
    case article
    /// A part of a book: title in quotes, then the book.
    case chapter
    /// A work of its own: title in italics.
    case book
    /// A thesis: title in quotes, then the school.
    case thesis
    /// A page of the web, and everything else: title in quotes.
    case other
  }

  struct Name: Sendable, Equatable {
    /// The name by which it is sorted, with `von`; the whole name of an institution.
    var family: String
    var given = ""
    var suffix = ""
  }

  /// People in the order of the title page.
  struct Names: Sendable, Equatable {
    var list: [Name] = []
    /// Whether others follow who are not named.
    var hasOthers = false

    var isEmpty: Bool { list.isEmpty }
  }

  var key: String
  var kind = Kind.other
  var authors = Names()
  var editors = Names()
  /// Four digits mostly, or a word such as `forthcoming`; empty for a work without a date.
  var year = ""
  var title = ""
  var shortTitle = ""
  /// The periodical, the book or the site.
  var container = ""
  var volume = ""
  var issue = ""
  var pages = ""
  var edition = ""
  var publisher = ""
  var place = ""
  /// The kind of a thesis or report, such as `PhD thesis`.
  var genre = ""
  var doi = ""
  var url = ""

  init(key: String) {
    self.key = key
  }
}

// MARK: - Limits

extension Reference {
  /// The most bytes of a file with references.
  static let mostBytes = 20 << 20
  static let mostInFile = 100_000
  static let longestKey = 200
  /// The most letters of a value; a longer one is cut.
  static let longestValue = 2_000
  /// Names of one work that are kept.
  static let mostNames = 100

  /// Whether a text can be the key of a citation.
  static func isKey(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.count <= longestKey
      && !text.unicodeScalars.contains {
        $0 == "{" || $0 == "}" || $0 == "\u{FFFC}" || $0.value < 0x20
      }
  }

  /// The value on one line, and not longer than values are.
  static func tidy(_ text: String) -> String {
    let words = text.prefix(longestValue * 2).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    return String(words.prefix(longestValue))
  }
}
