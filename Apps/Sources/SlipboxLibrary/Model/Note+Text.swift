import CoreData
public import RichText

// A note's text is in the store three times:
//
//   formattedBodyText_   RTF, which Apple's apps read and write
//   document_            the editor's format; quicker to read, and it knows task lists and more
//   bodyText_            plain text in lower case, for searches
//
// An Apple app that edits a note writes the first and the third and knows nothing of the second. So
// the document carries the digest of the RTF it was written with, and counts only while that fits.
// A program that writes the third alone, such as `coredata set`, means the text, too.

extension Note {
  /// The note's text; setting it writes all three forms.
  public var formattedBodyText: RichText {
    get {
      if hasForeignText, let text = foreignText { return text }
      // Another program has made the note, and knows the words alone.
      if document_ == nil, formattedBodyText_ == nil, bodyText.utf8.count <= RichText.maximumSize {
        return RichText(plainText: bodyText)
      }
      // A text that cannot be read is shown as empty, and stays in the store until something is written.
      return document_.flatMap { try? RichText(json: $0) } ?? RichText()
    }
    set { store(StoredText(newValue)) }
  }

  /// The beginning of the text: at least so many characters, if there are so many.
  ///
  /// Takes as long as that beginning does, however long the text is.
  func beginning(_ characters: Int) -> RichText {
    guard let document = document_, !hasForeignText else { return formattedBodyText }
    // A text that cannot be read is shown as empty.
    return (try? RichText(json: document, enough: characters)) ?? RichText()
  }

  /// Writes all three forms of a text, which were made before.
  func store(_ stored: StoredText) {
    formattedBodyText_ = stored.rtf
    documentDigest_ = stored.digest
    document_ = stored.document
    bodyText_ = stored.words
    keep(stored.facts)
  }

  func keep(_ facts: TextFacts) {
    if doneTaskCount != facts.doneTasks { doneTaskCount = Int64(facts.doneTasks) }
    if openTaskCount != facts.openTasks { openTaskCount = Int64(facts.openTasks) }
    looseLinks = facts.looseLinks
  }

  /// Whether another app has written the text, without a document and without a revision.
  var hasForeignText: Bool {
    formattedBodyText_.map { documentDigest_ != Digest.of($0) } ?? false
  }

  /// Takes the text of another app's RTF into the document, and counts that as an edit.
  ///
  /// The RTF stays as it is: it may have fonts and colours that the document cannot have.
  func adoptForeignText() {
    guard hasForeignText, let rtf = formattedBodyText_ else { return }
    if let text = foreignText {
      document_ = text.json
      keep(TextFacts(text))
    }
    documentDigest_ = Digest.of(rtf)
    keepSigns()
    countRevision()
  }

  /// Changes the text to the plain words that another program has written alone.
  ///
  /// The old content stays among the note's versions.
  func adoptForeignWords(at now: Date) throws {
    let old = formattedBodyText
    guard bodyText != old.plainText.lowercased(), bodyText.utf8.count <= RichText.maximumSize else {
      return
    }
    let text = old.saying(bodyText)
    // More lines than a text may have are words for searches alone.
    guard text.pieceCount <= RichText.maximumPieces else { return }
    try keepVersion(at: now, always: true)
    try rewrite(title: nil, text: text, at: now)
  }

  private var foreignText: RichText? {
    // If it is not RTF, the note's own document is its text.
    formattedBodyText_.flatMap { try? RichText(rtf: $0) }
  }
}

/// A text in the forms in which it is stored: making them of a long one takes its time, which nobody who writes
/// should wait for.
struct StoredText: Sendable {
  let text: RichText
  let rtf: Data
  let digest: Int64
  let document: String
  let words: String
  let facts: TextFacts

  init(_ text: RichText) {
    self.text = text
    facts = TextFacts(text)
    rtf = text.rtf
    digest = Digest.of(rtf)
    document = text.json
    words = text.plainText.lowercased()
  }
}

/// The facts that searches need about a text without reading it: its tasks, and the notes it waits for.
struct TextFacts: Sendable {
  let doneTasks: Int
  let openTasks: Int
  /// Titles of notes that are not there, each once.
  let looseLinks: [String]

  init(_ text: RichText) {
    (doneTasks, openTasks) = text.tasks
    var names: [String] = []
    var (written, seen): (Set<String>, Set<String>) = ([], [])
    for link in text.looseLinks where written.insert(link.title).inserted {
      if seen.insert(link.title.canonical).inserted { names.append(link.title) }
      if names.count == Self.mostLooseLinks { break }
    }
    looseLinks = names
  }

  /// More titles of notes that are not there are not waited for.
  private static let mostLooseLinks = 1_000
}

/// A number that tells whether bytes are still the same (FNV-1a); not a protection against forgers.
enum Digest {
  static func of(_ data: Data) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    data.withUnsafeBytes { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return Int64(bitPattern: hash)
  }
}
