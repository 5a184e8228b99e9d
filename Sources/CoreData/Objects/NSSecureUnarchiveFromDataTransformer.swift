import CoreDataModel
import Foundation

/// A value transformer that stores objects as secure archives.
///
/// It is the transformer of transformable attributes that name no other. It accepts arrays,
/// dictionaries and sets of strings, numbers, dates, data, URLs and UUIDs, nested as you like. To
/// store other classes, create a subclass:
///
/// ```swift
/// final class StrokesTransformer: NSSecureUnarchiveFromDataTransformer {
///   override class var allowedTopLevelClasses: [AnyClass] {
///     super.allowedTopLevelClasses + [Strokes.self]              // Strokes: NSObject, NSSecureCoding
///   }
/// }
/// ```
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes that the topmost object of an archive may have.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  /// Returns `true`, because data can be turned into objects and back.
  open override class func allowsReverseTransformation() -> Bool { true }

  /// Returns the object that is archived in the given data.
  ///
  /// - Parameter value: The data of a secure archive.
  /// - Returns: The object, or `nil` if the archive is damaged or contains an object of a class
  ///   that is not allowed.
  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    guard KeyedArchive.isWhole(data) else {
      NSLog(
        "CoreData: a transformable value cannot be read: its %d bytes are no archive",
        data.count
      )
      return nil
    }
    do {
      return try NSKeyedUnarchiver.unarchivedObject(
        ofClasses: type(of: self).allowedTopLevelClasses,
        from: data
      )
    } catch {
      NSLog("CoreData: a transformable value cannot be read: %@", "\(error)")
      return nil
    }
  }

  /// Returns the secure archive of an object.
  ///
  /// - Parameter value: An object that conforms to `NSSecureCoding`.
  /// - Returns: The data, or `nil` if the object cannot be archived.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    guard takes(value) else { return nil }
    do {
      return try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    } catch {
      NSLog("CoreData: a transformable value cannot be archived: %@", "\(error)")
      return nil
    }
  }

  /// Whether the object, and each that it contains, can be archived and would be read again.
  ///
  /// Foundation's archiver stops the program at what it cannot archive.
  func takes(_ value: Any) -> Bool {
    guard let object = value as? NSObject,
      type(of: self).allowedTopLevelClasses.contains(where: { object.isKind(of: $0) })
    else { return false }
    switch object {
    case let list as NSArray: return list.allSatisfy(takes)
    case let list as NSOrderedSet: return list.allSatisfy(takes)
    case let set as NSSet: return set.allSatisfy(takes)
    case let dictionary as NSDictionary:
      return dictionary.allKeys.allSatisfy(takes) && dictionary.allValues.allSatisfy(takes)
    case _:
      return (type(of: object) as? any NSSecureCoding.Type)?.supportsSecureCoding ?? false
    }
  }
}
