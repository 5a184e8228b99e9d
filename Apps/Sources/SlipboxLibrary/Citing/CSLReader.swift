import CoreDataStrictJSON
import Foundation

/// Reads a list of references in CSL JSON, the format that Zotero and Pandoc exchange.
///
/// ```
/// [{"id": "doe2020", "type": "book", "title": "Faults", "issued": {"date-parts": [[2020]]},
///   "author": [{"family": "Doe", "given": "Jane"}]}]
/// ```
enum CSLReader {
  /// - Parameters:
  ///   - data: The file.
  ///   - isMeant: Whether the name says that it is CSL JSON; of other JSON, what is not a list of references is left alone.
  /// - Returns: `nil` for other JSON.
  /// - Throws: A `CancellationError` if nobody waits for the file any more.
  static func file(of data: Data, isMeant: Bool) throws -> ReferenceFile? {
    var file = ReferenceFile()
    do {
      guard isMeant || beginsList(data) else { return nil }
      guard case .list(let values) = try JSONFile.value(of: data),
        isMeant || values.first.map(isReference) == true
      else {
        guard isMeant else { return nil }
        file.add(problem: "The file is not a list of references in CSL JSON.", at: "line 1")
        return file
      }
      read(values, into: &file)
    } catch let problem as LibraryProblem {
      guard isMeant else { return nil }
      file.add(problem: problem.localizedDescription, at: "line 1")
    }
    return file
  }

  private static func beginsList(_ data: Data) -> Bool {
    data.prefix(1_000).first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "[")
  }

  private static func isReference(_ value: JSONValue) -> Bool {
    guard case .object(let members) = value else { return false }
    return members.word("id") != nil && members.text("type") != nil
  }

  private static func read(_ values: [JSONValue], into file: inout ReferenceFile) {
    var seen: Set<String> = []
    for (index, value) in values.enumerated() {
      let place = "entry \(index + 1)"
      guard file.references.count < Reference.mostInFile else {
        file.add(
          problem:
            "The file has more than \(Reference.mostInFile) entries. Divide it into smaller ones.",
          at: place
        )
        return
      }
      guard case .object(let members) = value, let key = members.word("id"), Reference.isKey(key)
      else {
        file.add(
          problem: "It is left out: it has no “id” of at most \(Reference.longestKey) letters.",
          at: place
        )
        continue
      }
      if seen.insert(key).inserted {
        file.references.append(Reference(csl: members, key: key))
      } else {
        file.add(problem: "“\(key.prefix(80))” is there twice. The first one is used.", at: place)
      }
    }
  }
}

// MARK: - References

extension Reference {
  fileprivate init(csl members: JSONMembers, key: String) {
    self.init(key: key)
    let type = members.text("type") ?? ""
    kind = Self.kinds[type] ?? .other
    authors = Self.names(members["author"])
    editors = Self.names(members["editor"])
    year = Self.year(members.object("issued")) ?? ""
    title = members.value("title")
    shortTitle = members.value("title-short", "shortTitle")
    container = kind == .book ? "" : members.value("container-title")
    volume = members.value("volume")
    issue = members.value("issue")
    pages = members.value("page").withRangeDashes
    edition = members.value("edition")
    publisher = members.value("publisher")
    place = members.value("publisher-place")
    genre = members.value("genre")
    if kind == .thesis, genre.isEmpty { genre = "Thesis" }
    doi = members.value("DOI").doi
    url = members.value("URL").webAddress
  }

  private static let kinds: [String: Kind] = [
    "article-journal": .article, "article-magazine": .article, "article-newspaper": .article,
    "review": .article, "review-book": .article, "chapter": .chapter, "paper-conference": .chapter,
    "entry-encyclopedia": .chapter, "entry-dictionary": .chapter, "book": .book,
    "classic": .book, "report": .book, "thesis": .thesis,
  ]

  private static func names(_ value: JSONValue?) -> Names {
    guard case .list(let values)? = value else { return Names() }
    let list = values.prefix(mostNames).compactMap { value -> Name? in
      guard case .object(let members) = value else { return nil }
      let literal = members.value("literal")
      if !literal.isEmpty { return Name(family: literal) }
      let family = [members.value("non-dropping-particle"), members.value("family")]
      let given = [members.value("given"), members.value("dropping-particle")]
      let name = Name(
        family: family.filter { !$0.isEmpty }.joined(separator: " "),
        given: given.filter { !$0.isEmpty }.joined(separator: " "),
        suffix: members.value("suffix")
      )
      return name.family.isEmpty && name.given.isEmpty ? nil : name
    }
    return Names(list: list, hasOthers: values.count > mostNames)
  }

  private static func year(_ date: JSONMembers?) -> String? {
    if case .list(let dates)? = date?["date-parts"], case .list(let parts)? = dates.first,
      let year = parts.first?.word
    {
      return year
    }
    let words = date?.value("raw", "literal") ?? ""
    let digits = words.prefix { $0.isASCII && $0.isNumber }
    return digits.count == 4 ? String(digits) : String(words.prefix(40))
  }
}

extension JSONValue {
  /// The text, or the number as a text.
  fileprivate var word: String? {
    switch self {
    case .text(let text): Reference.tidy(text)
    case .integer(let number): String(number)
    case .null, .bool, .number, .list, .object: nil
    }
  }
}

extension JSONMembers {
  fileprivate func word(_ name: String) -> String? { self[name]?.word }

  /// The first of some members that says something, without the tags of italics and the like.
  fileprivate func value(_ names: String...) -> String {
    let words = names.lazy.compactMap { word($0) }.first { !$0.isEmpty } ?? ""
    guard words.contains("<") else { return words }
    return words.replacing(#/</?(i|b|sup|sub|sc|span)(\s[^<>]{0,200})?>/#, with: "")
  }
}
