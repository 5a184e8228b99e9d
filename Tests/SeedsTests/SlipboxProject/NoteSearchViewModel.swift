// swift-format-ignore-file
import Foundation
import CoreData

class NoteSearchViewModel { // Linux: Combine

    var selectedFolder: Folder? = nil // Linux: Combine
    var searchText: String = "" // Linux: Combine
    var searchTokens = [NoteSearchToken]() // Linux: Combine
    var searchScope = NoteSearchScope.selectedFolder // Linux: Combine

    var predicate: NSPredicate {
        createFullPredicate()
    }

    func createSearchTextPredicate(text: String) -> NSPredicate? {
        guard text.count > 0 else { return nil }
        let titlePredicate = NSPredicate(format: "%K CONTAINS[cd] %@", NoteProperties.title, text as CVarArg)
        let bodyPredicate = NSPredicate(format: "%K CONTAINS[cd] %@", NoteProperties.bodyText, text as CVarArg)
        return NSCompoundPredicate(orPredicateWithSubpredicates: [titlePredicate, bodyPredicate])
    }

    func createScopePredicate(scope: NoteSearchScope, folder: Folder?) -> NSPredicate? {
        guard scope == .selectedFolder, let folder = folder else { return nil }
        return NSPredicate(format: "%K == %@", NoteProperties.folder, folder)
    }

    func createLast24HoursPredicate() -> NSPredicate {
        let date = Calendar.current.date(byAdding: .day, value: -1, to: Date())!
        return NSPredicate(format: "%K > %@", NoteProperties.creationDate, date as NSDate)
    }

    func createLast7DaysPredicate() -> NSPredicate {
        let date = Calendar.current.date(byAdding: .day, value: -7, to: Date())!
        return NSPredicate(format: "%K > %@", NoteProperties.creationDate, date as NSDate)
    }

    func createAttachmentPredicate() -> NSPredicate {
        NSPredicate(format: "%K != nil", NoteProperties.attachment)
    }

    func createStatusPredicate(status: Status) -> NSPredicate {
        NSPredicate(format: "%K == %@", NoteProperties.status, status.rawValue as CVarArg)
    }

    func createTokenPredicates(tokens: [NoteSearchToken]) -> NSPredicate? {
        // start collecting all individual predicates
        var predicates = [NSPredicate]()
        // generate the individual NSPredicates for each token and add
        // it to the predicates array
        for token in tokens {
            switch token {
                case .draftStatus:
                    predicates.append(createStatusPredicate(status: .draft))
                case .reviewStatus:
                    predicates.append(createStatusPredicate(status: .review))
                case .archivedStatus:
                    predicates.append(createStatusPredicate(status: .archived))
                case .last24Hours:
                    predicates.append(createLast24HoursPredicate())
                case .last7Days:
                    predicates.append(createLast7DaysPredicate())
                case .withAttachment:
                    predicates.append(createAttachmentPredicate())
            }
        }
        if predicates.count == 0 {
            // no predicates, nothing to filter
            return nil
        } else if predicates.count == 1 {
            // only have one predicate, can return this one predicate here
            return predicates.first
        } else {
            // compounding all individual predicates to one search
            return NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
        }
    }

    func createFullPredicate() -> NSPredicate {
        var predicates = [NSPredicate]()
        // getting the individual predicates
        if let searchTextPredicate = createSearchTextPredicate(text: searchText) {
            predicates.append(searchTextPredicate)
        }
        if let folderScopePredicate = createScopePredicate(scope: searchScope,
                                                           folder: selectedFolder) {
            predicates.append(folderScopePredicate)
        }
        if let tokenPredicate = createTokenPredicates(tokens: searchTokens) {
            predicates.append(tokenPredicate)
        }
        // returning one search filter for the generated predicates:
        if predicates.count == 0 {
            return createScopePredicate(scope: .selectedFolder,
                                                  folder: selectedFolder) ?? .none
        } else if predicates.count == 1 {
            return predicates.first ?? .none
        } else {
           return NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
        }
    }

    func add(token: NoteSearchToken) {
        guard searchTokens.contains(where: { $0 == token}) == false else { return }
        if token.isStatusToken() {
            for existingToken in searchTokens {
                if existingToken.isStatusToken(),
                   let index = searchTokens.firstIndex(of: existingToken) {
                    searchTokens.remove(at: index)
                }
            }
        }
        searchTokens.append(token)
    }

    func isTokenSelected(token: NoteSearchToken) -> Bool {
        searchTokens.firstIndex(of: token) != nil
    }
}
