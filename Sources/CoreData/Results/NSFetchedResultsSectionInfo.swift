import Foundation

/// A section of fetched results, as it was when it was read.
///
/// Use a section on the queue of the controller's context.
public protocol NSFetchedResultsSectionInfo {
  /// The name of the section, which is the textual value at the section key path.
  ///
  /// The name is empty if the results do not have sections or the value is `nil`.
  var name: String { get }
  /// The section index entry of the section, usually the capitalized first letter of its name, or `nil` if it does
  /// not have one.
  var indexTitle: String? { get }
  /// The number of objects in the section.
  var numberOfObjects: Int { get }
  /// The objects of the section, in order.
  var objects: [Any]? { get }
}

/// A section as it was when somebody asked; equal to another one with the same name and objects.
final class FetchedSection: NSObject, NSFetchedResultsSectionInfo {
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

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? FetchedSection else { return false }
    return name == other.name && indexTitle == other.indexTitle
      && members.elementsEqual(other.members, by: ===)
  }

  override var hash: Int { name.hashValue }
}
