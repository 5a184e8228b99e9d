public import CoreData
import RichText

/// Words of a note that two devices have changed in different ways: those in the note, and the others.
///
/// The synchronization brings it to every device, where the note shows it until somebody settles it. Devices that find the
/// same one give it the same identifier, so that it is one.
public final class OtherWording: NSManagedObject {}

extension OtherWording {
  public var uuid: UUID { uuid_ ?? .none }

  /// When the note was written last before it was found.
  public var date: Date { date_ ?? Date(timeIntervalSinceReferenceDate: 0) }

  /// Whether it is about the title; otherwise it is about the text.
  public var isOfTitle: Bool { property_ == NoteProperties.title }

  /// The lines of the text with each wording; `nil` if they cannot be read, or if it is about the title.
  var wording: Wording? {
    guard !isOfTitle, let kept = kept_.flatMap({ try? RichText(json: $0) }),
      let lost = lost_.flatMap({ try? RichText(json: $0) })
    else { return nil }
    return Wording(kept: kept, lost: lost)
  }
}

// MARK: - Finding and making

extension OtherWording {
  /// The wordings of a note that nobody has settled, each once, the oldest first.
  static func open(of note: Note) throws -> [OtherWording] {
    guard let context = note.managedObjectContext else { return [] }
    let request = NSFetchRequest<OtherWording>(entityName: "OtherWording")
    request.predicate = NSPredicate(
      format: "noteID_ == %@ AND settledDate_ == nil",
      note.uuid as any CVarArg
    )
    request.sortDescriptors = [
      NSSortDescriptor(key: "date_", ascending: true),
      NSSortDescriptor(key: "uuid_", ascending: true),
    ]
    var seen: Set<UUID> = []
    return try context.fetch(request).filter { seen.insert($0.uuid).inserted }
  }

  /// Settles the wording, and others of the same identifier: another device's may have come in while this one was made.
  func settle(at date: Date) throws {
    let request = NSFetchRequest<OtherWording>(entityName: "OtherWording")
    request.predicate = NSPredicate(format: "uuid_ == %@", uuid as any CVarArg)
    for wording in try managedObjectContext?.fetch(request) ?? [] { wording.settledDate_ = date }
  }

  /// Makes a wording, unless it is there already, or was.
  static func make(
    of note: Note,
    _ property: String,
    kept: String,
    lost: String,
    in context: NSManagedObjectContext
  ) throws {
    let id = identifier(note.uuid, property, kept, lost)
    let request = NSFetchRequest<OtherWording>(entityName: "OtherWording")
    request.predicate = NSPredicate(format: "uuid_ == %@", id as any CVarArg)
    guard try context.count(for: request) == 0 else { return }
    let wording = OtherWording(context: context)
    wording.uuid_ = id
    wording.noteID_ = note.uuid
    wording.property_ = property
    wording.kept_ = kept
    wording.lost_ = lost
    wording.date_ = note.modificationDate
  }

  /// The same on all devices that find the same words.
  private static func identifier(
    _ note: UUID,
    _ property: String,
    _ kept: String,
    _ lost: String
  ) -> UUID {
    let words = [note.text, property, kept, lost].joined(separator: "\u{0}")
    let halves = [Digest.of(Data(words.utf8)), Digest.of(Data(words.utf8.reversed()))]
    let bytes = halves.flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) }
    }
    return NSUUID(uuidBytes: bytes) as UUID
  }
}
