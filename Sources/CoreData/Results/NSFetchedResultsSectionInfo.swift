/// A section of fetched results.
public protocol NSFetchedResultsSectionInfo {
  /// The description of the value at the section key path; empty without sections, and for nil.
  var name: String { get }
  /// The entry in the section index; usually the first letter of the name.
  var indexTitle: String? { get }
  var numberOfObjects: Int { get }
  var objects: [Any]? { get }
}

/// A section as it was when somebody asked.
final class FetchedSection: NSFetchedResultsSectionInfo {
  let name: String
  let indexTitle: String?
  private let members: [NSManagedObject]
  /// The members once more, in the type that is asked for.
  private(set) lazy var objects: [Any]? = members

  init(_ section: Arrangement.Section, indexTitle: String?) {
    name = section.name
    self.indexTitle = indexTitle
    members = section.objects
  }

  var numberOfObjects: Int { members.count }
}
