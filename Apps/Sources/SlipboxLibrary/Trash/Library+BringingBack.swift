import CoreData
import Foundation

// A note is deleted for good by a date, and a date that comes from another device wins over nothing: without the rule
// below it would hide words that were written at the same time somewhere else. An erasure deletes only what its device
// had seen. It says so beside the date, and every device compares that with the note after the exchange:
//
//   desk    erases “Seeds” as of 9:00     erasedDate_ 10:05   erasedEdit_ 9:00   modificationDate_ 9:00
//   phone   writes in it without a network                                       modificationDate_ 10:02
//   both, after the exchange              erasedDate_ 10:05   erasedEdit_ 9:00   modificationDate_ 10:02   ─▶ it is back
//
// The rule reads nothing but the note, so all devices come to the same result, in whatever order the changes arrive.

extension Note {
  /// The attributes that keep what an erasure had seen, each with the attribute that it compares to.
  static let seenByErasure = [
    (seen: NoteProperties.erasedEdit, now: NoteProperties.modificationDate),
    (seen: NoteProperties.erasedTitle, now: NoteProperties.title),
    (seen: NoteProperties.erasedDigest, now: NoteProperties.documentDigest),
  ]

  /// Notes that were deleted for good by a device that had not seen what they say now.
  ///
  /// Dates are compared with one, not with `nil`, so that the store finds them along an index.
  ///
  /// The date of the edit alone does not say so: another device may have written only the text, and lost that date to an edit of the deleting device.
  /// An erasure by an earlier version of the program has not kept what it had seen, and holds.
  static var erasedUnseen: NSPredicate {
    let differs = seenByErasure.map { seen, now in
      NSPredicate(
        format: "%K != %K OR (%K == nil AND %K != nil) OR (%K != nil AND %K == nil)",
        seen,
        now,
        seen,
        now,
        seen,
        now
      )
    }
    return NSCompoundPredicate(
      andPredicateWithSubpredicates: [
        NSPredicate(
          format: "%K > %@ AND %K > %@ AND %K != nil",
          NoteProperties.trashedDate,
          Date.distantPast as any CVarArg,
          NoteProperties.erasedDate,
          Date.distantPast as any CVarArg,
          NoteProperties.erasedEdit
        ),
        NSCompoundPredicate(orPredicateWithSubpredicates: differs),
      ]
    )
  }
}

extension NSManagedObjectContext {
  /// Brings back what was deleted for good while another device wrote in it or restored it.
  ///
  /// A note comes back to its folder, or to the next one above that is not in the trash.
  func bringBackErasedUnseen() throws {
    for note in try fetch(Note.fetch(Note.erasedUnseen)) {
      note.erasedDate_ = nil
      note.trashedDate_ = nil
      note.folder = note.folder?.nearestAlive
    }
    // One device has restored it from the trash, and another one has deleted it for good.
    let restored = NSPredicate(
      format: "%K == nil AND %K > %@",
      NoteProperties.trashedDate,
      NoteProperties.erasedDate,
      Date.distantPast as any CVarArg
    )
    for note in try fetch(Note.fetch(restored)) { note.erasedDate_ = nil }
    for folder in try fetch(Folder.fetch(restored)) { folder.erasedDate_ = nil }
  }
}
