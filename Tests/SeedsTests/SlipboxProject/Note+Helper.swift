// swift-format-ignore-file
import Foundation
import CoreData

extension Note {

    var title: String {
        get { self.title_ ?? "" }
        set { self.title_ = newValue }
    }

    var creationDate: Date {
        get { creationDate_ ?? Date() }
    }

    convenience init(title: String, context: NSManagedObjectContext) {
        self.init(context: context)
        self.title = title
    }

    var status: Status {
        get {
            if let rawStatus = status_,
              let status = Status(rawValue: rawStatus){
                return status
            } else {
                return Status.draft
            }
        }
        set {
            status_ = newValue.rawValue
        }
    }

    var formattedBodyText: NSAttributedString {
        get {
            formattedBodyText_?.toAttributedString() ?? NSAttributedString(string: "")
        }
        set {
            formattedBodyText_ = newValue.toData()
            bodyText_ = newValue.string.lowercased() // storing the plain text
        }
    }

    var bodyText: String {
        get { bodyText_ ?? "" }
    }

    var backLinkedNotes: Set<Note> {
        get { (backLinkedNotes_ as? Set<Note>) ?? [] }
        set { backLinkedNotes_ = newValue as NSSet }
    }

    var linkedNotes: Set<Note> {
        get { (linkedNotes_ as? Set<Note>) ?? [] }
        set { linkedNotes_ = newValue as NSSet }
    }

    var keywords: Set<Keyword> {
        get { (keywords_ as? Set<Keyword>) ?? [] }
        set { keywords_ = newValue as NSSet }
    }

    static func delete(note: Note) {
      guard let context = note.managedObjectContext else { return }
      context.delete(note)
    }

    static func fetch(_ predicate: NSPredicate = .all) -> NSFetchRequest<Note> {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.creationDate_, ascending: true)]
        request.predicate = predicate
        return request
    }

    static func fetch(for folder: Folder,
                       status: Status? = nil) -> NSFetchRequest<Note> {
        let folderPredicate = NSPredicate(format: "%K == %@",
                                           NoteProperties.folder,
                                           folder)
        if let status = status {
            let statusPredicate = NSPredicate(format: "%K == %@",
                                               NoteProperties.status,
                                               status.rawValue as CVarArg)
            let predicate = NSCompoundPredicate(andPredicateWithSubpredicates:
                                                   [folderPredicate, statusPredicate])
            return Note.fetch(predicate)
        } else {
            return Note.fetch(folderPredicate)
        }
    }

    var sectionStatus: String {
        status_ ?? Status.review.rawValue
    }

    static func exampleArray(context: NSManagedObjectContext) -> [Note] {
        var notes = [Note]()
        let calendar = Calendar.current
        for index in 0..<10 {
            let newNote = Note(title: "note \(index)", context: context)
            newNote.creationDate_ = calendar.date(byAdding: .hour,
                                                   value: -(index * 10),
                                                   to: Date())
            if index > 6 {
                newNote.status = .review
            } else if index > 3 {
                newNote.status = .archived
            }
            notes.append(newNote)
        }
        return notes
   }
}

extension Note: Comparable {
    public static func < (lhs: Note, rhs: Note) -> Bool {
        lhs.creationDate < rhs.creationDate
    }
}

struct NoteProperties {
    static let title = "title_"
    static let bodyText = "bodyText_"
    static let status = "status_"
    static let creationDate = "creationDate_"
    static let folder = "folder"
    static let keywords = "keywords_"
    static let attachment = "attachment"
}
