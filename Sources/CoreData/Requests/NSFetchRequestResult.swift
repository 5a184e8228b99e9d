public import Foundation

/// A protocol to which the results of fetch requests conform.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSNumber: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}

/// The types of results that a fetch request can return, with the raw values of Apple's framework.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Managed objects of the context that executes the request.
  public static let managedObjectResultType = NSFetchRequestResultType([])
  /// Identities of objects.
  ///
  /// The objects themselves are not created.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// Dictionaries with stored values.
  ///
  /// They do not belong to a context.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// The number of matching objects, as one `NSNumber` in the array of results.
  ///
  /// ``NSManagedObjectContext/count(for:)`` returns the number itself.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
