import CoreDataModel
import Foundation

/// Keeps objects as secure archives; the transformer of transformable attributes that name none.
///
/// ```swift
/// final class StrokesTransformer: NSSecureUnarchiveFromDataTransformer {
///   override class var allowedTopLevelClasses: [AnyClass] {
///     super.allowedTopLevelClasses + [Strokes.self]              // Strokes: NSObject, NSSecureCoding
///   }
/// }
/// ```
///
/// Without a subclass it takes arrays, dictionaries and sets of strings, numbers, dates, data, URLs,
/// UUIDs and one another.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes that the archive's topmost object may have.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  open override class func allowsReverseTransformation() -> Bool { true }

  /// From data to the object; nil for an archive that is damaged or of another class.
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

  /// From the object to data; nil for an object that cannot be archived.
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
