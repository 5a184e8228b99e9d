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
nonisolated open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes that the topmost object of an archive may have.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  /// Returns whether data can be converted to objects and back.
  ///
  /// - Returns: `true`.
  open override class func allowsReverseTransformation() -> Bool { true }

  /// Returns the object that is archived in the given data.
  ///
  /// - Parameter value: The data of a secure archive.
  /// - Returns: The object, or `nil` if the archive is damaged or contains an object of a class
  ///   that is not allowed.
  open override func transformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    guard let archive = WholeArchive(data) else {
      return unreadable("its \(data.count) bytes are no archive")
    }
    let allowed = type(of: self).allowedTopLevelClasses
    do {
      return try PlainArchiveReader.object(of: archive, allowing: allowed)
    } catch .unknownClass(let name) where allowed.contains(where: Self.isOwn) {
      return ownObject(of: data, allowed, name)
    } catch .unknownClass(let name), .unwantedClass(let name) {
      return unreadable("it has an object of the class \(name), which is not allowed")
    } catch {
      return unreadable("an object in its archive lacks what its class needs")
    }
  }

  /// Whether a class needs Foundation's archivers, which all others are read and written without.
  private static func isOwn(_ allowed: AnyClass) -> Bool {
    !NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses.contains { $0 == allowed }
  }

  /// Has Foundation make objects of the program's classes.
  private func ownObject(of data: Data, _ allowed: [AnyClass], _ name: String) -> Any? {
    do {
      return try NSKeyedUnarchiver.unarchivedObject(ofClasses: allowed, from: data)
    } catch {
      return unreadable("\(error) (class \(name))")
    }
  }

  private func unreadable(_ reason: String) -> Any? {
    ProgramLog.say("a transformable value cannot be read: \(reason)")
    return nil
  }

  /// Returns the secure archive of an object.
  ///
  /// - Parameter value: An object that conforms to `NSSecureCoding`.
  /// - Returns: The data, or `nil` if the object cannot be archived.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    let allowed = type(of: self).allowedTopLevelClasses
    guard let object = value as? NSObject else { return unwritable(value, "it is no object") }
    do {
      return try PlainArchiveWriter.data(of: object, allowing: allowed)
    } catch .unknownClass {
      return ownArchive(of: object)
    } catch .unwantedClass {
      return unwritable(value, "it has an object of a class that is not allowed")
    } catch {
      return unwritable(value, "its collections are nested too deep")
    }
  }

  /// Has Foundation archive objects of the program's classes.
  private func ownArchive(of object: NSObject) -> Any? {
    guard takes(object) else {
      return unwritable(object, "it has an object that does not support secure coding")
    }
    do {
      return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    } catch {
      return unwritable(object, "\(error)")
    }
  }

  private func unwritable(_ value: Any, _ reason: String) -> Any? {
    ProgramLog.say("a value of \(type(of: value)) cannot be archived: \(reason)")
    return nil
  }

  /// Whether the object, and each that it contains, can be archived and would be read again.
  ///
  /// Foundation's archiver stops the program at what it cannot archive: decimal numbers beside objects of
  /// other classes are among it.
  func takes(_ value: Any) -> Bool { takes(value, depth: 0) }

  private func takes(_ value: Any, depth: Int) -> Bool {
    guard depth < Self.greatestDepth, let object = value as? NSObject, !(object is NSDecimalNumber),
      type(of: self).allowedTopLevelClasses.contains(where: { object.isKind(of: $0) })
    else { return false }
    func takesElement(_ element: Any) -> Bool { takes(element, depth: depth + 1) }
    switch object {
    case let list as NSArray: return list.allSatisfy(takesElement)
    case let list as NSOrderedSet: return list.allSatisfy(takesElement)
    case let set as NSSet: return set.allSatisfy(takesElement)
    case let table as NSDictionary:
      return table.allKeys.allSatisfy(takesElement) && table.allValues.allSatisfy(takesElement)
    case _:
      return (type(of: object) as? any NSSecureCoding.Type)?.supportsSecureCoding ?? false
    }
  }

  private static let greatestDepth = 390
}
