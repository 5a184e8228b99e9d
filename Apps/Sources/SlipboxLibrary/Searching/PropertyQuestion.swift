import CoreData
import RichText

/// A question about a property of notes, as a search has it.
///
/// ```
/// status:open           has the word, or a word that begins so      rating:4            is that number
/// due:<2026-12-01       before that day                             rating:>3           also >=, <=, 2..4
/// due:none              is empty, or missing                        due:any             has a value
/// ```
struct PropertyQuestion: Hashable, Sendable {
  /// Without case and accents.
  let name: String
  private let answers: [Answer]

  /// One of the things that a text may ask for.
  private enum Answer: Hashable, Sendable {
    case none
    case any
    case equal(String)
    case within(Bound, Bound)
    case words(String)
  }

  /// An end of a range of keys.
  private struct Bound: Hashable, Sendable {
    let key: String
    var isIncluded = true
  }

  init(_ name: String, _ text: String, isQuoted: Bool, now: Date, _ calendar: Calendar) {
    self.name = name.canonical
    answers = Self.answers(to: text, isQuoted: isQuoted, now, calendar)
  }

  private static func answers(
    to text: String,
    isQuoted: Bool,
    _ now: Date,
    _ calendar: Calendar
  ) -> [Answer] {
    let words = PropertyValue.words(of: text).map { [Answer.words($0)] } ?? []
    if isQuoted { return words }
    let small = text.lowercased()
    switch small {
    case "none": return [.none] + words
    case "any": return [.any] + words
    case "true", "yes": return [.equal(PropertyValue.key(of: true))] + words
    case "false", "no": return [.equal(PropertyValue.key(of: false))] + words
    default: break
    }
    if comparesTexts(text, now, calendar) { return [texts(text)] }
    let found = values(text, now, calendar)
    return comparison(text) != nil ? found : found + words
  }

  /// Whether a text such as `<m` compares with what is neither a number nor a date: the order of texts counts then.
  static func comparesTexts(_ text: String, _ now: Date, _ calendar: Calendar) -> Bool {
    comparison(text) != nil && values(text, now, calendar).isEmpty
  }

  private static func values(_ text: String, _ now: Date, _ calendar: Calendar) -> [Answer] {
    let date = SearchDate(text, isCreation: false, now, calendar).map { dates($0, calendar) }
    return [numbers(text.lowercased()), date].compactMap { $0 }
  }

  /// `4`, `>3`, `<=2.5`, `2..4`, `2..`.
  private static func numbers(_ text: String) -> Answer? {
    func key(_ text: some StringProtocol) -> String? {
      PropertyValue.number(String(text)).map(PropertyValue.key(of:))
    }
    if let dots = text.range(of: "..") {
      let (start, end) = (text[..<dots.lowerBound], text[dots.upperBound...])
      let (low, high) = (key(start), key(end))
      guard low != nil || high != nil, low != nil || start.isEmpty, high != nil || end.isEmpty
      else { return nil }
      return .within(Bound(key: low ?? "n"), Bound(key: high ?? "o"))
    }
    if let (sign, rest) = comparison(text) {
      guard let key = key(rest) else { return nil }
      return range(sign, key, from: "n", to: "o")
    }
    return key(text).map(Answer.equal)
  }

  /// Texts behind another, or before it, in the order of lists.
  private static func texts(_ text: String) -> Answer {
    guard let (sign, rest) = comparison(text) else { return .words(text) }
    return range(sign, PropertyValue.key(ofWords: String(rest)), from: "s", to: "t")
  }

  private static func comparison(_ text: String) -> (sign: String, rest: Substring)? {
    for sign in [">=", "<=", ">", "<"] where text.hasPrefix(sign) {
      return (sign, text.dropFirst(sign.count))
    }
    return nil
  }

  private static func range(
    _ sign: String,
    _ key: String,
    from low: String,
    to high: String
  ) -> Answer {
    let bound = Bound(key: key, isIncluded: sign.hasSuffix("="))
    return sign.hasPrefix(">")
      ? .within(bound, Bound(key: high, isIncluded: false)) : .within(Bound(key: low), bound)
  }

  private static func dates(_ date: SearchDate, _ calendar: Calendar) -> Answer {
    .within(
      Bound(key: date.from.map { key(of: $0, calendar) } ?? "d"),
      Bound(key: date.to.map { key(of: $0, calendar) } ?? "e", isIncluded: false)
    )
  }

  /// A day, with its time unless that is midnight: a day alone is then within a span that begins with it.
  private static func key(of date: Date, _ calendar: Calendar) -> String {
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    let day = String(
      format: "%04d-%02d-%02d",
      parts.year ?? 0,
      parts.month ?? 0,
      parts.day ?? 0
    )
    let (hour, minute) = (parts.hour ?? 0, parts.minute ?? 0)
    let time = hour == 0 && minute == 0 ? "" : String(format: "T%02d:%02d", hour, minute)
    return PropertyValue.key(ofDate: day + time)
  }
}

// MARK: - The predicate

extension PropertyQuestion {
  /// Whether any note has a property of the name: other words with a colon are words.
  func isKnown(in context: NSManagedObjectContext) throws -> Bool {
    try Self.isKnown(name, in: context)
  }

  static func isKnown(_ name: String, in context: NSManagedObjectContext) throws -> Bool {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Property")
    request.resultType = .managedObjectIDResultType
    let named = name.canonical
    request.predicate = NSPredicate(
      format: "%K == %@ AND %K != nil",
      PropertyAttributes.canonicalName,
      named,
      PropertyAttributes.note
    )
    request.fetchLimit = 1
    return try !context.fetch(request).isEmpty
  }

  /// The notes that have such a value.
  func predicate(in context: NSManagedObjectContext) throws -> NSPredicate {
    SearchTerm.or(try answers.map { try predicate($0, in: context) })
  }

  private func predicate(
    _ answer: Answer,
    in context: NSManagedObjectContext
  ) throws -> NSPredicate {
    let key = PropertyAttributes.key
    switch answer {
    case .none:
      return NSCompoundPredicate(
        notPredicateWithSubpredicate: try Self.having(name, in: context)
      )
    case .any: return try Self.having(name, in: context)
    case .equal(let value):
      return try Self.having(name, NSPredicate(format: "%K == %@", key, value), in: context)
    case .words(let words):
      let found = NSPredicate(format: "%K CONTAINS %@", PropertyAttributes.words, words)
      return try Self.having(name, found, in: context)
    case .within(let low, let high):
      let found = NSPredicate(
        format: "%K \(low.isIncluded ? ">=" : ">") %@ AND %K \(high.isIncluded ? "<=" : "<") %@",
        key,
        low.key,
        key,
        high.key
      )
      return try Self.having(name, found, in: context)
    }
  }

  /// The notes that have a property of a name with a value, and perhaps one that a condition admits.
  ///
  /// Their keys are read along the index of values, once: asking each note for its properties takes longer the more
  /// notes there are.
  static func having(
    _ name: String,
    _ condition: NSPredicate = .all,
    in context: NSManagedObjectContext
  ) throws -> NSPredicate {
    let request = NSFetchRequest<NSDictionary>(entityName: "Property")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [PropertyAttributes.note]
    let named = NSPredicate(
      format: "%K == %@ AND %K != nil AND %K != nil",
      PropertyAttributes.canonicalName,
      name.canonical,
      PropertyAttributes.key,
      PropertyAttributes.note
    )
    request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [named, condition])
    let notes = try context.fetch(request).compactMap {
      $0[PropertyAttributes.note] as? NSManagedObjectID
    }
    return notes.isEmpty ? .none : NSPredicate(format: "SELF IN %@", notes)
  }
}
