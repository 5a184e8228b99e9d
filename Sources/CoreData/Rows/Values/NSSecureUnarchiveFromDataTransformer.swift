import CoreDataModel
import Foundation
import Synchronization

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
    let allowed = classes(allowedIn: archive)
    do {
      return try PlainArchiveReader.object(of: archive, allowing: allowed)
    } catch .unknownClass(let name) where allowed.contains(where: Self.isOwn) {
      return ownObject(of: data, archive, allowed, name)
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

  /// The classes that the topmost object of an archive, and the elements of collections in it, may have.
  func classes(allowedIn archive: WholeArchive) -> [AnyClass] {
    type(of: self).allowedTopLevelClasses
  }

  /// The classes that an object to archive, and the elements of collections in it, may have.
  func classes(allowedFor object: NSObject) -> [AnyClass] { type(of: self).allowedTopLevelClasses }

  /// Has Foundation make objects of the program's classes.
  ///
  /// With `requiresSecureCoding`, Foundation on Linux stops the program at an object of a class that is not expected. So
  /// the classes are checked before: those of the outermost objects must be allowed, and those of the objects within must
  /// support secure coding.
  private func ownObject(
    of data: Data,
    _ archive: WholeArchive,
    _ allowed: [AnyClass],
    _ name: String
  ) -> Any? {
    var classes: [String: AnyClass] = [:]
    for name in archive.classNames {
      guard let found: AnyClass = SecureClass.inArchive(name) else {
        return unreadable("it has an object of the class \(name), which is not allowed")
      }
      classes[name] = found
    }
    for name in archive.outermostClassNames {
      guard let found: AnyClass = classes[name],
        allowed.contains(where: { SecureClass.isKind(found, of: $0) })
      else { return unreadable("it has an object of the class \(name), which is not allowed") }
    }
    do {
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
      unarchiver.requiresSecureCoding = false
      unarchiver.decodingFailurePolicy = .setErrorAndReturn
      // Archives of Apple's systems often have names without a module.
      for name in classes.keys { unarchiver.setClass(classes[name], forClassName: name) }
      let object = unarchiver.decodeObject(of: allowed, forKey: NSKeyedArchiveRootObjectKey)
      let failure = unarchiver.error
      unarchiver.finishDecoding()
      if let object, failure == nil { return object }
      let reason = failure.map { "\($0)" } ?? "its class made no object of it"
      return unreadable("\(reason) (class \(name))")
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
    guard let object = value as? NSObject else { return unwritable(value, "it is no object") }
    let allowed = classes(allowedFor: object)
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
      return unwritable(object, SecureClass.demand)
    }
    do {
      return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    } catch {
      return unwritable(object, "\(error)")
    }
  }

  /// Notes that an object could not be archived, so that a save knows it from a transformer that returns `nil` because
  /// it does not know the object.
  final class Refusal: Sendable {
    private let noted = Atomic(false)

    var isNoted: Bool { noted.load(ordering: .relaxed) }

    func note() { noted.store(true, ordering: .relaxed) }
  }

  @TaskLocal static var refusal: Refusal?

  private func unwritable(_ value: Any, _ reason: String) -> Any? {
    Self.refusal?.note()
    ProgramLog.say("a value of \(type(of: value)) cannot be archived: \(reason)")
    return nil
  }

  /// Whether the object, and each that it contains, can be archived and would be read again.
  ///
  /// Foundation's archiver stops the program at what it cannot archive: decimal numbers beside objects of
  /// other classes are among it.
  func takes(_ value: Any) -> Bool {
    guard let object = value as? NSObject else { return false }
    return takes(object, classes(allowedFor: object), depth: 0)
  }

  private func takes(_ value: Any, _ allowed: [AnyClass], depth: Int) -> Bool {
    guard depth < Self.greatestDepth, let object = value as? NSObject, !(object is NSDecimalNumber),
      allowed.contains(where: { object.isKind(of: $0) })
    else { return false }
    func takesElement(_ element: Any) -> Bool { takes(element, allowed, depth: depth + 1) }
    switch object {
    case let list as NSArray: return list.allSatisfy(takesElement)
    case let list as NSOrderedSet: return list.allSatisfy(takesElement)
    case let set as NSSet: return set.allSatisfy(takesElement)
    case let table as NSDictionary:
      return table.allKeys.allSatisfy(takesElement) && table.allValues.allSatisfy(takesElement)
    case is NSString, is NSNumber, is NSDate, is NSData, is NSURL, is NSUUID, is NSNull:
      return true
    case _:
      return SecureClass.isArchivable(type(of: object))
    }
  }

  private static let greatestDepth = 390
}
