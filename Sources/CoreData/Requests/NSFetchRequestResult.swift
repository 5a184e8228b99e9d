public import Foundation

/// What a fetch request can give.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSNumber: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}

/// What a fetch gives; raw values are Apple's.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Objects of the context.
  public static let managedObjectResultType = NSFetchRequestResultType([])
  /// Identities of objects, which are not made.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// Dictionaries with values as they are in the store, of no context.
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// One number: how many objects there are.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
