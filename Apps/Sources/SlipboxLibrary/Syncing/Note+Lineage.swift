import CoreData
import RichText

// A synchronized note has, beside its text, the lineage of it, which is synchronized in the same save. What this device
// has written, or has taken over from others, it knows in an attribute of its own:
//
//   document_       the text that is shown, which the synchronization replaces
//   textLineage_    the edits that it contains
//   knownTexts_     the text and the edits as they were here, with earlier ones; not synchronized
//
// If a text comes that lacks edits of the known one, the two are put together (`adoptArrivedTexts`). Every device does
// the same with the same texts, so all come to the same result, however often that is sent.

extension Note {
  /// A property that has a lineage.
  enum Lined: CaseIterable {
    case text, title

    var attribute: String { self == .text ? NoteProperties.document : NoteProperties.title }

    var lineage: String {
      self == .text ? NoteProperties.textLineage : NoteProperties.titleLineage
    }

    var known: WritableKeyPath<KnownTexts, KnownText?> { self == .text ? \.text : \.title }
  }

  /// A property with its lineage; `nil` without one, or with that of another text.
  func state(of property: Lined) -> TextState? {
    Self.state(value(forKey: property.attribute), value(forKey: property.lineage))
  }

  private static func state(_ value: Any?, _ lineage: Any?) -> TextState? {
    let value = value as? String ?? ""
    guard let lineage = (lineage as? String).flatMap(Lineage.init(text:)),
      lineage.digest == Lineage.digest(of: value)
    else { return nil }
    return TextState(lineage: lineage, value: value)
  }
}

extension Note {
  /// Whether the slip box is synchronized with other devices.
  var isSynchronized: Bool { managedObjectContext.flatMap(TextWriter.of) != nil }
}

// MARK: - Edits on this device

extension Note {
  /// Notes in the lineages what is about to be saved, if the slip box is synchronized.
  ///
  /// Undoing brings back an old lineage with an old text; that is an edit as well, because other devices know the newer
  /// one.
  func keepLineages() {
    guard let context = managedObjectContext else { return }
    let names = Lined.allCases.flatMap { [$0.attribute, $0.lineage] } + [NoteProperties.knownTexts]
    let changed = Set(changedValues().keys)
    guard isInserted || !changed.isDisjoint(with: names) else { return }
    if ForeignEdits.isOfDevices(context) {
      return keepReplaced(changed, committedValues(forKeys: names))
    }
    guard let writer = TextWriter.of(context) else { return forgetLineages(changed) }
    let committed = isInserted ? [:] : committedValues(forKeys: names)
    let before = KnownTexts(committed[NoteProperties.knownTexts] as? Data)
    var known = KnownTexts(knownTexts_)
    for property in Lined.allCases {
      let old = before[keyPath: property.known] ?? Self.known(property, committed)
      let isChanged =
        isInserted || changed.contains(property.attribute)
        || changed.contains(property.lineage)
      known[keyPath: property.known] = keepLineage(
        of: property,
        (old, known[keyPath: property.known]),
        isChanged: isChanged,
        by: writer
      )
      let isKnown = isChanged || before[keyPath: property.known] != nil
      // Nobody can have written in a new note before.
      if isInserted || !isKnown { known[keyPath: property.known] = nil }
    }
    keep(known)
  }

  /// Keeps what the synchronization is about to replace by an edit of another device: others may have begun from it.
  private func keepReplaced(_ changed: Set<String>, _ committed: [String: Any]) {
    if isInserted { return }
    var known = KnownTexts(knownTexts_)
    for property in Lined.allCases where changed.contains(property.attribute) {
      guard known[keyPath: property.known] == nil, let new = state(of: property),
        var old = Self.known(property, committed)
      else { continue }
      if new.lineage.age(besides: old.current.lineage) == .newer { old.take(new) }
      known[keyPath: property.known] = old
    }
    keep(known)
  }

  /// Keeps what is known, if it is something else than before.
  func keep(_ known: KnownTexts) {
    if KnownTexts(knownTexts_) != known { knownTexts_ = known.data }
  }

  /// The state that was saved last, if it was not noted as known yet; a text without a lineage is the first.
  private static func known(_ property: Lined, _ committed: [String: Any]) -> KnownText? {
    if committed.isEmpty { return nil }
    let (value, lineage) = (committed[property.attribute], committed[property.lineage])
    if let state = state(value, lineage) { return KnownText(state) }
    let text = value as? String ?? ""
    let edits = (lineage as? String).flatMap(Lineage.init(text:))?.edits ?? [:]
    let first = Lineage(ofNew: text, root: Lineage.digest(of: text), edits: edits)
    return KnownText(TextState(lineage: first, value: text))
  }

  /// - Returns: What is known of the property from now on.
  private func keepLineage(
    of property: Lined,
    _ known: (old: KnownText?, new: KnownText?),
    isChanged: Bool,
    by writer: String
  ) -> KnownText? {
    let (old, new) = known
    let age = old.flatMap { old in
      new.map { $0.current.lineage.age(besides: old.current.lineage) }
    }
    // An undone act has brought back what was known before it.
    var latest = age == .older || age == .apart || new == nil ? old : new
    guard isChanged else { return latest }
    let value = value(forKey: property.attribute) as? String ?? ""
    if let state = state(of: property),
      old.map({ $0.current.lineage.isWithin(state.lineage) }) ?? true, !isInserted
    {
      // It was adopted from another device.
      return latest
    }
    guard var kept = latest else {
      let new = Lineage(ofNew: "").edited(to: value, by: writer, at: editTime)
      setLineage(value.isEmpty ? nil : new.text, of: property)
      return nil
    }
    if kept.current.value != value { kept.edit(to: value, by: writer, at: editTime) }
    setLineage(kept.current.lineage.text, of: property)
    latest = kept
    return latest
  }

  private var editTime: Int64 {
    let milliseconds = modificationDate.timeIntervalSince1970 * 1000
    return milliseconds > 0 && milliseconds < 1e15 ? Int64(milliseconds) : 0
  }

  private func setLineage(_ text: String?, of property: Lined) {
    if value(forKey: property.lineage) as? String != text {
      setValue(text, forKey: property.lineage)
    }
  }

  /// Drops the lineages of what is changed while the slip box is on this device only.
  private func forgetLineages(_ changed: Set<String>) {
    var known = KnownTexts(knownTexts_)
    for property in Lined.allCases where changed.contains(property.attribute) {
      setLineage(nil, of: property)
      known[keyPath: property.known] = nil
    }
    keep(known)
  }
}

/// The writer of this run of the program in the slip box of a coordinator.
enum TextWriter {
  /// The name of the writer; `nil` if the slip box is not synchronized.
  static func of(_ context: NSManagedObjectContext) -> String? {
    context.persistentStoreCoordinator?.name
  }

  /// Begins a new writer, or none.
  ///
  /// A store that was copied or put back from a backup never goes on as the old one.
  static func begin(_ isSynchronized: Bool, in coordinator: NSPersistentStoreCoordinator) {
    let name = UUID().text.replacing("-", with: "").prefix(12)
    coordinator.name = isSynchronized ? String(name) : nil
  }
}
