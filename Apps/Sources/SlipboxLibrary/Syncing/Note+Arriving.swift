import CoreData
import RichText

extension Note {
  /// Whether a text or title has come from another device that lacks edits which are known here.
  var hasArrivedTexts: Bool {
    guard knownTexts_ != nil else { return false }
    let known = KnownTexts(knownTexts_)
    return Lined.allCases.contains { property in
      guard let known = known[keyPath: property.known], let state = state(of: property) else {
        return false
      }
      let isOther = state.value != known.current.value
      return isOther || !state.lineage.isWithin(known.current.lineage)
    }
  }

  /// Puts the text and title that have come from another device together with those that are known here.
  ///
  /// - Parameter strangers: Whether a text without a lineage, of an earlier version of the program, may have come.
  ///   It stays as the later one. If it was written without the known one, that has lost in the synchronization, and
  ///   becomes another wording (`adoptLost`).
  /// - Throws: The error of the store.
  func adoptArrivedTexts(strangers: Bool = false) throws {
    guard knownTexts_ != nil, let context = managedObjectContext, TextWriter.of(context) != nil
    else { return }
    for property in Lined.allCases {
      if let state = state(of: property) {
        try adopt(state, as: property)
      } else if strangers {
        try adoptStranger(property)
      }
    }
  }

  /// The same before somebody reads or edits the note: what is shown then is a revision.
  func settleArrivedTexts() throws {
    guard hasArrivedTexts else { return }
    try adoptArrivedTexts()
    adoptMergedText()
  }

  /// Adopts what has arrived, and puts it together with an edit that began from what is shown.
  func withArrivedTexts(
    _ newTitle: String?,
    _ stored: StoredText?
  ) throws -> (String?, StoredText?) {
    guard hasArrivedTexts else { return (newTitle, stored) }
    let (oldTitle, before) = (title, formattedBodyText)
    try settleArrivedTexts()
    let title = newTitle == oldTitle ? nil : newTitle
    guard let stored, formattedBodyText != before else { return (title, stored) }
    let joined = formattedBodyText.joined(with: stored.text, since: before)
    try keepWordings(joined)
    return (title, StoredText(joined.text))
  }

  /// Puts a text or title of another device together with the known one, and shows the result.
  func adopt(_ arrived: TextState, as property: Lined) throws {
    var texts = KnownTexts(knownTexts_)
    guard var known = texts[keyPath: property.known] ?? state(of: property).map(KnownText.init)
    else { return }
    let isRead = try known.adopt(arrived) { try joined($0, $1, since: $2, property) }
    guard isRead else { return }
    if known.current != texts[keyPath: property.known]?.current {
      texts[keyPath: property.known] = known
      keep(texts)
    }
    try show(known.current, as: property)
  }

  /// Puts a text or title that has lost in the synchronization together with the known one.
  func adoptLost(_ lost: TextState, as property: Lined) throws {
    let known = KnownTexts(knownTexts_)[keyPath: property.known]
    guard let known, known.hasStranger(since: lost), known.current.value != lost.value else {
      return try adopt(lost, as: property)
    }
    switch property {
    case .title: try keepWording(property, kept: known.current.value, lost: lost.value)
    case .text:
      guard let text = Self.text(known.current.value), let other = Self.text(lost.value)
      else { return }
      try keepWordings(text.joined(with: other))
    }
  }

  /// Shows a text or title, and sends it, unless it is shown.
  private func show(_ state: TextState, as property: Lined) throws {
    if value(forKey: property.attribute) as? String ?? "" == state.value { return }
    switch property {
    case .text:
      guard let text = Self.text(state.value) else { return }
      store(StoredText(text))
      // As it was written, so that the digest fits.
      document_ = state.value
      try managedObjectContext.map { try keepFiles(of: text, in: $0) }
    case .title: title = state.value
    }
    setValue(state.lineage.text, forKey: property.lineage)
  }

  /// The text of a document; `nil` if a later version of the program has written it.
  private static func text(_ document: String) -> RichText? {
    document.isEmpty ? RichText() : try? RichText(json: document)
  }
}

// MARK: - Putting together

extension Note {
  /// Puts two values together, of which the first prevails, and keeps the wordings that cannot be in the result.
  ///
  /// - Returns: The value with both; `nil` if one cannot be read.
  private func joined(
    _ one: String,
    _ other: String,
    since base: String?,
    _ property: Lined
  ) throws -> String? {
    switch property {
    case .title:
      if other == base { return one }
      if one == base { return other }
      try keepWording(property, kept: one, lost: other)
      return one
    case .text:
      guard let text = Self.text(one), let changed = Self.text(other) else { return nil }
      let before = base.flatMap(Self.text)
      let joined =
        before.map { text.joined(with: changed, since: $0) } ?? text.joined(with: changed)
      try keepWordings(joined)
      if joined.text == text { return one }
      return joined.text == changed ? other : joined.text.json
    }
  }

  /// Takes a text or title without a lineage, which an earlier version of the program has written on another device.
  private func adoptStranger(_ property: Lined) throws {
    var texts = KnownTexts(knownTexts_)
    guard var known = texts[keyPath: property.known], let context = managedObjectContext,
      let writer = TextWriter.of(context)
    else { return }
    let value = value(forKey: property.attribute) as? String ?? ""
    if value == known.current.value { return }
    known.takeStrange(value, by: writer, at: 0)
    texts[keyPath: property.known] = known
    keep(texts)
    setValue(known.current.lineage.text, forKey: property.lineage)
  }

  /// Keeps the wordings that could not be in a text, for everybody to see.
  func keepWordings(_ joined: JoinedText) throws {
    for wording in joined.wordings {
      try keepWording(.text, kept: wording.kept.json, lost: wording.lost.json)
    }
  }

  func keepWording(_ property: Lined, kept: String, lost: String) throws {
    guard let context = managedObjectContext, !lost.isEmpty else { return }
    try OtherWording.make(of: self, property.attribute, kept: kept, lost: lost, in: context)
  }
}
