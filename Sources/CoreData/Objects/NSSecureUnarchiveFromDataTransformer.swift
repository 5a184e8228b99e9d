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
    guard let object = value as? NSObject, isAllowed(object), object.isArchivable else { return nil }
    do {
      return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    } catch {
      NSLog("CoreData: a transformable value cannot be archived: %@", "\(error)")
      return nil
    }
  }

  private func isAllowed(_ object: NSObject) -> Bool {
    type(of: self).allowedTopLevelClasses.contains { object.isKind(of: $0) }
  }
}

extension NSObject {
  /// Whether a secure archive takes the object; Foundation's archiver stops the program otherwise.
  fileprivate var isArchivable: Bool {
    let elements: [Any]? =
      switch self {
      case let list as NSArray: list.map { $0 }
      case let list as NSOrderedSet: list.map { $0 }
      case let set as NSSet: set.map { $0 }
      case let dictionary as NSDictionary: dictionary.allKeys + dictionary.allValues
      case _: nil
      }
    if let elements { return elements.allSatisfy { ($0 as? NSObject)?.isArchivable ?? false } }
    return (type(of: self) as? any NSSecureCoding.Type)?.supportsSecureCoding ?? false
  }
}
