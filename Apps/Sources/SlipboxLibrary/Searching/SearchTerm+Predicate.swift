import CoreData

// The notes that each term admits. Only this file decides how text is found.
//
//   `w` compares by words, which the store's index of words answers without reading a text. Signs that the index does
//   not know, such as those of "C++", are compared letter by letter in the notes that have its words. Signs alone, and
//   letters of scripts without blanks, are kept as words of their own.

extension SearchTerm {
  /// The predicate of a term; a name of something that is missing admits nothing.
  func predicate(in context: NSManagedObjectContext) throws -> NSPredicate {
    switch self {
    case .word(let word):
      let spellings = try Self.spellings(of: word, in: context)
      let found = Self.or(spellings.map { Self.found($0, Self.places, in: context) })
      let inFiles = Self.or(spellings.map { Self.found($0, Self.files, in: context) })
      return try Self.or(
        [found]
          + [
            Self.keywords(beginning: word, in: context), FileText.notes(inFiles, in: context),
          ].compactMap { $0 }
      )
    case .phrase(let words):
      let spellings = try Self.spellings(of: words, in: context)
      let found = Self.or(spellings.map { Self.next($0, Self.places, in: context) })
      let inFiles = Self.or(spellings.map { Self.next($0, Self.files, in: context) })
      return try Self.or([found] + [FileText.notes(inFiles, in: context)].compactMap { $0 })
    case .title(let term):
      return try term.titlePredicate(in: context) ?? NSPredicate.none
    case .keyword(let name): return try Keyword.having(Self.keywords(named: name, in: context))
    case .folder(let name): return try Self.inFolder(named: name, in: context)
    case .trait(let trait): return trait.predicate
    case .date(let date): return date.predicate
    case .property(let question, let other):
      guard try question.isKnown(in: context) else { return try other.predicate(in: context) }
      // A status is also a fact of its own.
      let found = try question.predicate(in: context)
      guard case .trait(let trait) = other, trait.isStatus else { return found }
      return Self.or([trait.predicate, found])
    case .not(let term):
      return NSCompoundPredicate(notPredicateWithSubpredicate: try term.predicate(in: context))
    case .one(let terms): return try Self.or(terms.map { try $0.predicate(in: context) })
    }
  }

  /// Whether the title of a note has the words; nil for terms that are not about words.
  func titlePredicate(in context: NSManagedObjectContext) throws -> NSPredicate? {
    switch self {
    case .word(let word):
      return Self.or(
        try Self.spellings(of: word, in: context).map { Self.found($0, Self.title, in: context) }
      )
    case .phrase(let words):
      return Self.or(
        try Self.spellings(of: words, in: context).map { Self.next($0, Self.title, in: context) }
      )
    case .one(let terms):
      let titled = try terms.compactMap { try $0.titlePredicate(in: context) }
      return titled.count == terms.count ? Self.or(titled) : nil
    case .property(let question, let other):
      return try question.isKnown(in: context) ? nil : other.titlePredicate(in: context)
    case .title, .keyword, .folder, .trait, .date, .not: return nil
    }
  }

  static func or(_ predicates: [NSPredicate]) -> NSPredicate {
    predicates.count == 1
      ? predicates[0] : NSCompoundPredicate(orPredicateWithSubpredicates: predicates)
  }

  static func and(_ predicates: [NSPredicate]) -> NSPredicate {
    predicates.count == 1
      ? predicates[0] : NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
  }
}

// MARK: - Words

extension SearchTerm {
  /// The spellings of a word that occur in texts: most of a dozen have no note, and each would be a question.
  private static func spellings(
    of words: String,
    in context: NSManagedObjectContext
  ) throws -> [String] {
    let all = SearchWords.spellings(of: words)
    return try all.prefix(1) + all.dropFirst().filter { try isWritten($0, in: context) }
  }

  private static func isWritten(
    _ words: String,
    in context: NSManagedObjectContext
  ) throws -> Bool {
    // The index of words knows no signs, and few words of scripts without blanks.
    guard words.contains(where: { $0.isLetter || $0.isNumber }), !SearchWords.hasNoBlanks(words)
    else { return true }
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    request.resultType = .managedObjectIDResultType
    request.predicate = or(places.map { next(words, $0) })
    request.fetchLimit = 1
    if try !context.fetch(request).isEmpty { return true }
    return try FileText.count(or(files.map { next(words, $0) }), in: context) > 0
  }

  private static let title = [NoteProperties.title]
  private static let places = [
    NoteProperties.title, NoteProperties.bodyText, NoteProperties.propertyWords,
  ]

  /// The words of files, which are kept for themselves.
  private static let files = [FileTextProperties.words]

  /// A word that begins so in one of some attributes.
  private static func found(
    _ word: String,
    _ attributes: [String],
    in context: NSManagedObjectContext
  ) -> NSPredicate {
    withoutBlanks(word, attributes, in: context)
      ?? or(attributes.map { found(word, $0, in: context) })
  }

  /// Words next to each other in one of some attributes.
  static func next(
    _ words: String,
    _ attributes: [String],
    in context: NSManagedObjectContext
  ) -> NSPredicate {
    withoutBlanks(words, attributes, in: context) ?? or(attributes.map { next(words, $0) })
  }

  /// Letters of scripts without blanks; `nil` if there are none, or they are not kept as words yet.
  private static func withoutBlanks(
    _ words: String,
    _ attributes: [String],
    in context: NSManagedObjectContext
  ) -> NSPredicate? {
    let pairs = LetterPairs.words(sought: words)
    guard !pairs.isEmpty, Library.knowsSigns(context) else { return nil }
    let known = pairs.map { NSPredicate(format: "%K CONTAINS[cdw] %@", NoteProperties.signs, $0) }
    // The pairs say which letters there are, and neither where nor in which order.
    let isEnough = attributes.contains(NoteProperties.bodyText) && LetterPairs.isOneWord(words)
    return and(isEnough ? known : known + [or(attributes.map { letters(words, $0) })])
  }

  /// A word that begins so, with its signs if it has some.
  private static func found(
    _ word: String,
    _ attribute: String,
    in context: NSManagedObjectContext
  ) -> NSPredicate {
    if SearchWords.hasNoBlanks(word) { return letters(word, attribute) }
    if !word.contains(where: { $0.isLetter || $0.isNumber }) {
      let written = signs(word, attribute)
      guard let words = SearchSigns.words(sought: word), Library.knowsSigns(context) else {
        return written
      }
      let known = words.map { NSPredicate(format: "%K CONTAINS[cdw] %@", NoteProperties.signs, $0) }
      // The words say which signs there are, and neither where nor in which order.
      let isEnough = attribute == NoteProperties.bodyText && SearchSigns.isOneWord(word)
      return isEnough ? known[0] : and(known + [written])
    }
    let begins = NSPredicate(format: "%K CONTAINS[cdw] %@", attribute, word)
    return SearchWords.hasSigns(word) ? and([begins, letters(word, attribute)]) : begins
  }

  /// Words next to each other, with anything between them: “slip box” is also “slip-box”.
  private static func next(_ words: String, _ attribute: String) -> NSPredicate {
    guard words.contains(where: { $0.isLetter || $0.isNumber }), !SearchWords.hasNoBlanks(words)
    else { return letters(words, attribute) }
    let phrase = "\"\(words.replacing("\"", with: " "))\""
    let next = NSPredicate(format: "%K CONTAINS[cdw] %@", attribute, phrase)
    return SearchWords.hasSigns(words) ? and([next, letters(words, attribute)]) : next
  }

  /// Signs do not have upper and lower case; a sign for their looks may be missing on either side: “❤” and “❤️”.
  private static func signs(_ word: String, _ attribute: String) -> NSPredicate {
    var plain = word.unicodeScalars
    plain.removeAll { $0.properties.generalCategory == .nonspacingMark }
    if plain.isEmpty { return letters(word, attribute) }
    return NSPredicate(format: "%K CONTAINS %@", stored(attribute), String(plain))
  }

  /// Titles are also there without case and accents, before the long texts of a row, which need not be read for it.
  private static func stored(_ attribute: String) -> String {
    attribute == NoteProperties.title ? NoteProperties.canonicalTitle : attribute
  }

  private static func letters(_ words: String, _ attribute: String) -> NSPredicate {
    if attribute == NoteProperties.title {
      return NSPredicate(format: "%K CONTAINS %@", stored(attribute), words.canonical)
    }
    return NSPredicate(format: "%K CONTAINS[cd] %@", attribute, words)
  }
}

// MARK: - Keywords and folders

extension SearchTerm {
  /// Keywords of a name with those below it, `travel` with `travel/italy`; if there is none, those that begin so.
  private static func keywords(
    named name: String,
    in context: NSManagedObjectContext
  ) throws -> [Keyword] {
    guard let known = try Keyword.find(named: name, in: context) else {
      return try Keyword.beginning(name, in: context)
    }
    return [known] + (try Keyword.below(name, in: context))
  }

  /// Notes whose keyword has the typed name; `nil` if no keyword has it.
  private static func keywords(
    beginning word: String,
    in context: NSManagedObjectContext
  ) throws -> NSPredicate? {
    // With two letters half of all keywords would be meant.
    guard word.count > 2 else { return nil }
    let request = Keyword.fetch(
      NSPredicate(format: "%K == %@", KeywordProperties.canonicalName, word.canonical)
    )
    request.fetchLimit = mostKeywords
    let found = try context.fetch(request)
    return found.isEmpty ? nil : Keyword.having(found)
  }

  private static let mostKeywords = 20

  /// In folders of a name and everything in them; if none has it, those that begin so.
  private static func inFolder(
    named name: String,
    in context: NSManagedObjectContext
  ) throws -> NSPredicate {
    func folders(_ format: String) throws -> [Folder] {
      try context.fetch(Folder.fetch(NSPredicate(format: format, name)))
        .filter { !$0.isTrashed && $0.erasedDate_ == nil }
    }
    var found = try folders("name_ ==[cd] %@")
    if found.isEmpty { found = try folders("name_ BEGINSWITH[cd] %@") }
    if found.isEmpty { return .none }
    let inside = Set(found.flatMap(\.withDescendants))
    return NSPredicate(format: "%K IN %@", NoteProperties.folder, Array(inside))
  }
}

// MARK: - Traits and dates

extension SearchTrait {
  var predicate: NSPredicate {
    switch self {
    case .favourite: NoteMark.favourite.predicate
    case .pinned: NoteMark.pinned.predicate
    case .template: NoteMark.template.predicate
    case .task: NSPredicate(format: "%K > 0", NoteProperties.openTaskCount)
    case .done:
      NSPredicate(
        format: "%K > 0 AND %K == 0",
        NoteProperties.doneTaskCount,
        NoteProperties.openTaskCount
      )
    case .draft: Self.status(.draft)
    case .review: Self.status(.review)
    case .archived: Self.status(.archived)
    case .unfiled: NSPredicate(format: "%K == nil", NoteProperties.folder)
    case .orphan:
      NSPredicate(
        format: "linkedNotes_.@count == 0 AND backLinkedNotes_.@count == 0"
      )
    // As an index has it.
    case .untitled: NSPredicate(format: "canonicalTitle == nil OR canonicalTitle == ''")
    case .picture:
      NSPredicate(
        format: "attachment != nil OR SUBQUERY(files_, $f, $f.pixelWidth > 0).@count > 0"
      )
    case .file: NSPredicate(format: "files_.@count > 0")
    case .link: NSPredicate(format: "linkedNotes_.@count > 0")
    case .backlink: NSPredicate(format: "backLinkedNotes_.@count > 0")
    case .tag: NSPredicate(format: "keywords_.@count > 0")
    }
  }

  private static func status(_ status: Status) -> NSPredicate {
    NSPredicate(format: "%K == %@", NoteProperties.status, status.rawValue)
  }

  fileprivate var isStatus: Bool { [.draft, .review, .archived].contains(self) }
}

extension SearchDate {
  var predicate: NSPredicate {
    let key = isCreation ? NoteProperties.creationDate : NoteProperties.modificationDate
    var parts: [NSPredicate] = []
    if let from { parts.append(NSPredicate(format: "%K >= %@", key, from as any CVarArg)) }
    if let to { parts.append(NSPredicate(format: "%K < %@", key, to as any CVarArg)) }
    return parts.isEmpty ? .all : SearchTerm.and(parts)
  }
}
