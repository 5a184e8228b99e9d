import CoreDataModel
import Foundation
import Synchronization

/// The default transformer of attributes for which the model does not name one: it also keeps objects of the
/// program's own classes that support secure coding.
///
/// An archive names the classes of its objects. Objects of these classes are created, because Apple's framework does
/// the same:
///
/// - the classes of property lists, as in ``NSSecureUnarchiveFromDataTransformer``;
/// - classes of the program with `NSSecureCoding`, or, if the model names such a class for the attribute, only this
///   class and its subclasses.
///
/// Each of these classes decides in `init(coder:)` which objects its own properties may have.
final class ProgramObjectsTransformer: NSSecureUnarchiveFromDataTransformer {
  /// The class of the model's attribute, if it is one of the program's.
  private let wanted: AnyClass?

  init(of className: String?) {
    wanted = className.flatMap(SecureClass.named)
    super.init()
  }

  override func classes(allowedFor object: NSObject) -> [AnyClass] {
    type(of: self).allowedTopLevelClasses + (wanted.map { [$0] } ?? SecureClass.all(in: object))
  }

  override func classes(allowedIn archive: WholeArchive) -> [AnyClass] {
    type(of: self).allowedTopLevelClasses
      + (wanted.map { [$0] } ?? archive.outermostClassNames.compactMap(SecureClass.named))
  }
}

/// The classes of the program whose objects Foundation can archive and read again.
///
/// Foundation on Linux stops the program when it archives an object of a class that is within another type, private or
/// generic.
enum SecureClass {
  /// The class of a name in an archive or a model; `nil` if it is missing, or several modules have it.
  static func named(_ name: String) -> AnyClass? {
    known.withLock { known in
      if let found = known[name] { return found.value }
      let classes = ProgramClasses.find(name) { ($0 as? any NSSecureCoding.Type).flatMap(usable) }
      let found: AnyClass? = classes.count == 1 ? classes[0] : nil
      // Names come from files; a table of hostile names would grow without end.
      if known.count < 1_000 { known[name] = Named(value: found) }
      return found
    }
  }

  /// The class of a name in an archive, of Foundation or of the program; `nil` if it does not support secure coding.
  static func inArchive(_ name: String) -> AnyClass? {
    if name == "NSDecimalNumberPlaceholder" { return NSDecimalNumber.self }
    guard let found = NSClassFromString(name) else { return named(name) }
    return isArchivable(found) ? found : nil
  }

  static func isKind(_ one: AnyClass, of other: AnyClass) -> Bool {
    var next: AnyClass? = one
    while let current = next {
      if current == other { return true }
      next = _getSuperclass(current)
    }
    return false
  }

  /// The class of an object, and those of the elements of a collection.
  static func all(in object: NSObject) -> [AnyClass] {
    var classes: [AnyClass] = []
    collect(from: object, depth: 0, &classes)
    return classes
  }

  private static func collect(from value: Any, depth: Int, _ classes: inout [AnyClass]) {
    // The writer refuses what is nested deeper.
    guard depth < 400, let object = value as? NSObject else { return }
    switch object {
    case let list as NSArray:
      for element in list { collect(from: element, depth: depth + 1, &classes) }
    case let set as NSSet: for element in set { collect(from: element, depth: depth + 1, &classes) }
    case let table as NSDictionary:
      for (_, element) in table { collect(from: element, depth: depth + 1, &classes) }
    case _:
      guard let type = type(of: object) as? any NSSecureCoding.Type, let own = usable(type),
        !classes.contains(where: { $0 == own })
      else { return }
      classes.append(own)
    }
  }

  private static func usable(_ type: any NSSecureCoding.Type) -> AnyClass? {
    guard let type = type as? AnyClass, isArchivable(type),
      !String(reflecting: type).hasPrefix("Foundation.")
    else { return nil }
    return type
  }

  /// Whether Foundation archives objects of the class; it would stop the program at one without a name.
  static func isArchivable(_ type: AnyClass) -> Bool {
    let supportsCoding = (type as? any NSSecureCoding.Type)?.supportsSecureCoding ?? false
    return supportsCoding && hasName(type)
  }

  private static func hasName(_ type: AnyClass) -> Bool {
    let name = String(reflecting: type)
    return name.count { $0 == "." } == 1
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
  }

  /// The conditions on a class, as part of a sentence.
  static let demand = """
    only objects of classes that support NSSecureCoding are archived, and only if the class is not private, generic or \
    within another type
    """

  private struct Named {
    let value: AnyClass?
  }

  private static let known = Mutex<[String: Named]>([:])
}
