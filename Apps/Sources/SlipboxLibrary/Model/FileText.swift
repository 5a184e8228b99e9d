public import CoreData

/// The words of a file, which a search finds in addition to those of the note.
///
/// Every device reads its files by itself, so this is not synchronized. A file that was read, and consists of pictures,
/// has an empty text. The text is deleted with its file.
public final class FileText: NSManagedObject {
  convenience init(_ words: String, of file: Attachment, in context: NSManagedObjectContext) {
    self.init(context: context)
    text_ = words
    signs_ = SearchSigns.words(of: words)
    byteCount = Int64(words.utf8.count)
    self.file = file
  }

  var words: String { text_ ?? "" }
}

// MARK: - Searching

extension FileText {
  /// The notes with a file whose words have something; `nil` if no file has it.
  ///
  /// The words are looked up first, so that a search for words that are in no file looks at no file of a note.
  static func notes(
    _ words: NSPredicate,
    in context: NSManagedObjectContext
  ) throws -> NSPredicate? {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "FileText")
    request.resultType = .managedObjectIDResultType
    request.predicate = words
    request.fetchLimit = most
    let texts = try context.fetch(request)
    return texts.isEmpty ? nil : NSPredicate(format: "ANY files_.text IN %@", texts)
  }

  /// More files with a word tell nobody more.
  private static let most = 2_000

  static func count(_ words: NSPredicate, in context: NSManagedObjectContext) throws -> Int {
    let request = NSFetchRequest<FileText>(entityName: "FileText")
    request.predicate = words
    request.fetchLimit = 1
    return try context.count(for: request)
  }
}

/// The names of a file text's properties in predicates.
enum FileTextProperties {
  static let words = "text_"
}
