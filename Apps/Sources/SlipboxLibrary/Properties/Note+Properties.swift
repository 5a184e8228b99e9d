import CoreData
import RichText

// MARK: - Editing

extension Note {
  /// Changes properties, one after the other.
  ///
  /// - Throws: ``LibraryProblem/refused(_:)`` for a name or value that cannot be one.
  func apply(_ edits: [PropertyEdit], in context: NSManagedObjectContext) throws {
    guard edits.count <= NoteProperty.mostOfNote * 2 else {
      throw LibraryProblem.refused("At most 200 properties can be changed at once.")
    }
    for edit in edits { try apply(edit, in: context) }
  }

  private func apply(_ edit: PropertyEdit, in context: NSManagedObjectContext) throws {
    let known = property(named: edit.name)
    if edit.removed == true {
      // One that another device has removed is removed.
      if let known { remove(known, in: context) }
      return
    }
    // It has the new name already, or is gone.
    if known == nil, edit.newName != nil, !edit.saysValue { return }
    let kind = try edit.kind.map(Given.propertyKind)
    let value = try edit.value(known?.value, kind, in: context)
    let property = try known ?? makeProperty(Given.propertyName(edit.name), in: context)
    if let newName = edit.newName { try rename(property, to: newName) }
    if known == nil || edit.saysValue || kind != nil { try set(value, of: property, in: context) }
    if let place = edit.place { move(property, to: place) }
    keepPropertyFacts()
  }

  /// The property of a name, whatever its case.
  func property(named name: String) -> Property? {
    let canonical = name.trimmingCharacters(in: .whitespaces).canonical
    return properties.first { $0.name.canonical == canonical }
  }

  /// Makes a property without a value; `isFresh` says that the note never had one, whose identifier it could have.
  private func makeProperty(
    _ name: String,
    isFresh: Bool = false,
    in context: NSManagedObjectContext
  ) throws -> Property {
    let others = properties
    guard others.count < NoteProperty.mostOfNote else {
      throw LibraryProblem.refused("A note has at most \(NoteProperty.mostOfNote) properties.")
    }
    let property = Property(context: context)
    // The same on every device, unless another property had the name when it was made.
    let id = UUID(ofKind: "property of \(uuid.text)", named: name.canonical)
    property.uuid_ = try !isFresh && Property.isTaken(id, in: context) ? UUID() : id
    property.noteID_ = uuid
    property.note = self
    property.name = name
    property.order = (others.last?.order ?? -1) + 1
    return property
  }

  private func rename(_ property: Property, to newName: String) throws {
    let name = try Given.propertyName(newName)
    if let other = self.property(named: name), other !== property {
      throw LibraryProblem.refused("The note has a property “\(other.name)” already.")
    }
    property.name = name
  }

  private func move(_ property: Property, to place: Int) {
    var all = properties.filter { $0 !== property }
    all.insert(property, at: min(max(place, 0), all.count))
    for (order, property) in all.enumerated() where property.order != Int64(order) {
      property.order = Int64(order)
    }
  }

  private func remove(_ property: Property, in context: NSManagedObjectContext) {
    let target = property.target
    property.note = nil
    context.delete(property)
    if let target { unlink(target) }
    keepPropertyFacts()
  }

  private func set(
    _ value: PropertyValue,
    of property: Property,
    in context: NSManagedObjectContext
  ) throws {
    let before = property.target
    var target: Note?
    if case .link(let link) = value, let id = link.note {
      // Also one that is being imported, and still hidden.
      let request = Note.fetch(
        NSPredicate(format: "%K == %@", NoteProperties.uuid, id as any CVarArg)
      )
      request.fetchLimit = 1
      target = try context.fetch(request).first
    }
    if property.value_ != value.stored { property.value_ = value.stored }
    guard target !== before else { return }
    property.target = target
    if let before { unlink(before) }
    if let target, target !== self { linkedNotes.insert(target) }
  }

  /// Takes a note from those that are linked, unless the text or a property still leads to it.
  fileprivate func unlink(_ other: Note) {
    guard !properties.contains(where: { $0.target === other }),
      !formattedBodyText.links.contains(other.uuid)
    else { return }
    linkedNotes.remove(other)
  }
}

extension PropertyEdit {
  /// The value after the edit of a property that has one, or is new.
  fileprivate func value(
    _ known: PropertyValue?,
    _ kind: PropertyKind?,
    in context: NSManagedObjectContext
  ) throws -> PropertyValue {
    let wanted = kind ?? known?.kind ?? .text
    if let note {
      let title = try context.note(note).title
      return .link(PropertyLink(note: note, title: title.isEmpty ? "Untitled" : title))
    }
    if let items { return try Given.propertyItems(items) }
    if let value {
      return try context.resolved(try Given.propertyValue(wanted, value))
    }
    guard let known else { return try Given.propertyValue(wanted, "") }
    guard let converted = known.converted(to: wanted) else {
      throw Given.isNot(known.plainText, wanted)
    }
    return try context.resolved(Given.within(converted))
  }
}

extension NSManagedObjectContext {
  /// The value, whose link leads to the note of its title if there is one.
  fileprivate func resolved(_ value: PropertyValue) throws -> PropertyValue {
    guard case .link(var link) = value, link.note == nil, !link.title.isEmpty else { return value }
    link.note = try TitleDirectory(of: [link.title], in: self)[link.title]
    return .link(link)
  }
}

extension Property {
  fileprivate static func isTaken(_ id: UUID, in context: NSManagedObjectContext) throws -> Bool {
    let request = NSFetchRequest<Property>(entityName: "Property")
    request.predicate = NSPredicate(format: "uuid_ == %@", id as any CVarArg)
    return try context.count(for: request) > 0
  }
}

// MARK: - The language

extension Note {
  /// The language of the note, `de-AT`, by its property `lang` or `language`; `nil` for values such as “German”.
  ///
  /// The pages read it in the same way (`Web/model/properties.js`).
  var language: String? {
    let values = ["lang", "language"].compactMap { property(named: $0)?.value.plainText }
    return values.first { !$0.allSatisfy(\.isWhitespace) }.flatMap(LanguageTag.tidy)
  }
}

// MARK: - Coming in

extension Note {
  /// Gives a note without properties those of a file or another note.
  func takeProperties(_ properties: [NoteProperty], in context: NSManagedObjectContext) throws {
    for property in properties.prefix(NoteProperty.mostOfNote) {
      let made = try makeProperty(property.name, isFresh: true, in: context)
      try set(property.value, of: made, in: context)
    }
    keepPropertyFacts()
  }

  /// Gives the note the properties of another whose names it does not have.
  func takeMissingProperties(of other: Note, in context: NSManagedObjectContext) throws {
    for property in other.writtenProperties where self.property(named: property.name) == nil {
      let made = try makeProperty(property.name, in: context)
      try set(property.value, of: made, in: context)
    }
    keepPropertyFacts()
  }

  /// Leads the properties of others that lead here to another note.
  func passProperties(to other: Note) {
    for property in linkingProperties_ as? Set<Property> ?? [] where property.note !== other {
      guard case .link(var link) = PropertyValue(stored: property.value_ ?? "") else { continue }
      (link.note, link.title) = (other.uuid, other.title.isEmpty ? "Untitled" : other.title)
      property.value_ = PropertyValue.link(link).stored
      property.target = other
      guard let owner = property.note else { continue }
      owner.linkedNotes.insert(other)
      owner.unlink(self)
    }
  }

  /// The properties as a file has them.
  var writtenProperties: [NoteProperty] { properties.map { NoteProperty($0.name, $0.value) } }
}

// MARK: - Titles of linked notes

extension NSManagedObjectContext {
  /// Writes the titles of notes that came in into the properties that lead to them.
  func tellProperties(to ids: [UUID]) throws {
    let request = Note.fetch(
      NSPredicate(format: "%K IN %@ AND linkingProperties_.@count > 0", NoteProperties.uuid, ids)
    )
    for note in try fetch(request) where !note.title.isEmpty { note.tellProperties() }
  }
}

extension Note {
  /// The notes to which properties lead.
  var targetsOfProperties: Set<Note> { Set(properties.compactMap(\.target)) }

  /// Writes the title into the properties of others that lead here.
  func tellProperties() {
    for property in linkingProperties_ as? Set<Property> ?? [] {
      guard case .link(var link) = PropertyValue(stored: property.value_ ?? ""), link.title != title
      else { continue }
      link.title = title
      property.value_ = PropertyValue.link(link).stored
    }
  }

  /// Makes properties with `[[Title]]` lead to this note.
  func answerLooseProperties(named canonical: String, in context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<Property>(entityName: "Property")
    request.predicate = NSPredicate(
      format: "kind_ == %@ AND key_ == %@ AND target == nil",
      PropertyKind.link.rawValue,
      PropertyValue.key(ofWords: canonical)
    )
    request.fetchLimit = Self.mostFollowers
    for property in try context.fetch(request) {
      guard let owner = property.note, owner.erasedDate_ == nil,
        PropertyValue(stored: property.value_ ?? "").plainText.canonical == canonical
      else { continue }
      property.target = self
      if owner !== self { owner.linkedNotes.insert(self) }
    }
  }
}
