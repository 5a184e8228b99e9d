import Foundation

/// An entry of a BibTeX file, with its fields as they are written.
struct BibEntry {
  let kind: String
  let key: String
  let line: Int
  var fields: [String: [UInt8]]

  /// The fields that references are made of; others are not kept.
  static let names: Set<String> = [
    "author", "editor", "title", "subtitle", "shorttitle", "booktitle", "journal", "journaltitle",
    "year", "date", "volume", "number", "issue", "pages", "edition", "publisher", "address",
    "location", "school", "institution", "organization", "type", "doi", "url", "crossref",
    "howpublished", "eprint", "archiveprefix", "eprinttype", "maintitle", "pubstate",
  ]

  /// The key of the entry that has the fields that this one lacks.
  var crossref: String? {
    fields["crossref"].map { Reference.tidy(String(decoding: $0, as: UTF8.self)) }
  }

  /// The entry with the fields of the book or the proceedings that it is in.
  func inheriting(_ other: BibEntry) -> BibEntry {
    var entry = self
    for (name, value) in other.fields where !Self.own.contains(name) && fields[name] == nil {
      entry.fields[name] = value
    }
    let title = other.fields["booktitle"] ?? other.fields["title"]
    if fields["booktitle"] == nil { entry.fields["booktitle"] = title }
    return entry
  }

  /// Fields that say nothing about a part.
  private static let own: Set<String> = [
    "title", "subtitle", "shorttitle", "author", "crossref", "pages", "doi", "url",
  ]
}

// MARK: - References

extension BibEntry {
  var reference: Reference {
    var reference = Reference(key: key)
    reference.kind = Self.kinds[kind] ?? .other
    reference.authors = BibNames.names(in: fields["author"] ?? [])
    reference.editors = BibNames.names(in: fields["editor"] ?? [])
    reference.year = year
    reference.title = [value("title"), value("subtitle")].filter { !$0.isEmpty }
      .joined(separator: ": ")
    reference.shortTitle = value("shorttitle")
    reference.container =
      switch reference.kind {
      case .article: value("journaltitle", "journal", "booktitle")
      case .chapter: value("booktitle", "maintitle", "journal")
      case .book, .thesis: ""
      case .other: value("booktitle", "journal", "howpublished").withoutAddress
      }
    reference.volume = value("volume")
    reference.issue = value(reference.kind == .article ? "number" : "issue", "issue")
    reference.pages = value("pages").withRangeDashes
    reference.edition = value("edition")
    reference.publisher = value("publisher", "school", "institution", "organization")
    reference.place = value("location", "address")
    reference.genre = Self.genre(value("type"), of: kind, number: value("number"))
    reference.doi = written("doi").doi
    reference.url = address
    return reference
  }

  private func value(_ names: String...) -> String {
    for name in names {
      guard let bytes = fields[name] else { continue }
      let text = Reference.tidy(TeX.text(of: bytes))
      if !text.isEmpty { return text }
    }
    return ""
  }

  /// A value in which `--` and `~` mean themselves, and only braces and backslashes are left out.
  private func written(_ name: String) -> String {
    let bytes = fields[name] ?? []
    return Reference.tidy(
      String(decoding: bytes.filter { !"{}\\".utf8.contains($0) }, as: UTF8.self)
    )
  }

  /// The first year of `2020-05-12`, `2020/2021` and `1987?`; other words as they are.
  private var year: String {
    let text = value("year", "date", "pubstate")
    let date = fields["year"] == nil ? value("date") : text
    let digits = date.prefix { $0.isASCII && $0.isNumber }
    if digits.count == 4, date.dropFirst(4).first.map({ "-/~?%T".contains($0) }) ?? true {
      return String(digits)
    }
    return String(text.prefix(40))
  }

  /// The address as it is written: signs such as `~` and `%` mean themselves in it.
  private var address: String {
    let text = fields["url"] == nil ? written("howpublished") : written("url")
    if let start = text.range(of: "http", options: .caseInsensitive) {
      return String(text[start.lowerBound...].prefix { !$0.isWhitespace }).webAddress
    }
    let isArXiv = value("archiveprefix", "eprinttype").lowercased() == "arxiv"
    let paper = isArXiv ? value("eprint") : ""
    return paper.isEmpty ? "" : "https://arxiv.org/abs/\(paper)".webAddress
  }

  private static let kinds: [String: Reference.Kind] = [
    "article": .article, "periodical": .book, "book": .book, "mvbook": .book, "booklet": .book,
    "collection": .book, "mvcollection": .book, "proceedings": .book, "manual": .book,
    "report": .book, "techreport": .book, "inbook": .chapter, "incollection": .chapter,
    "inproceedings": .chapter, "conference": .chapter, "inreference": .chapter,
    "suppbook": .chapter, "bookinbook": .chapter, "phdthesis": .thesis, "mastersthesis": .thesis,
    "thesis": .thesis,
  ]

  private static func genre(_ type: String, of kind: String, number: String) -> String {
    let words =
      switch (kind, type.lowercased()) {
      case ("phdthesis", ""), (_, "phdthesis"): "PhD thesis"
      case ("mastersthesis", ""), (_, "mathesis"): "Master’s thesis"
      case ("techreport", ""), (_, "techreport"): "Technical report"
      default: type
      }
    let isNumbered = kind == "techreport" || kind == "report"
    return isNumbered && !number.isEmpty ? "\(words) \(number)" : words
  }
}

// MARK: - Values

extension String {
  /// Pages with a dash between them: `12--34` and `12-34` are `12–34`.
  var withRangeDashes: String {
    replacing("--", with: "–").replacing("-", with: "–").replacing("––", with: "–")
  }

  /// The name of a document, without the address of the site that gives it.
  var doi: String {
    let text = trimmingCharacters(in: .whitespaces)
    guard let start = text.range(of: "10.") else { return "" }
    return String(text[start.lowerBound...].prefix { !$0.isWhitespace }.prefix(300))
  }

  /// The address if pages may follow it, else nothing.
  var webAddress: String {
    let start = prefix(8).lowercased()
    return utf8.count <= 2_000 && (start.hasPrefix("https://") || start.hasPrefix("http://"))
      ? self : ""
  }

  fileprivate var withoutAddress: String { contains("http") ? "" : self }
}
