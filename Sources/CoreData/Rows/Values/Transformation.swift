import CoreDataModel
import Foundation
import Synchronization

/// How one transformable attribute is stored.
struct Transformation {
  /// `nil` if only a class of the program's that cannot be made by its name would do.
  private let transformer: ValueTransformer?
  private let name: String
  private let place: String

  /// The transformer that the model names; the default one if the model does not name one, and, with a line in the
  /// log, if nobody has registered one under the name.
  init(of layout: EntityLayout, at slot: Int) {
    place = "\(layout.name).\(layout.slots[slot].name)"
    let attribute = layout.slots[slot].attribute
    name = attribute?.valueTransformerName ?? Self.standardName
    let named = ValueTransformer.find(name) ?? Self.standard(insteadOf: name, at: place)
    let takesOwnClasses = attribute?.valueTransformerName == nil || name == Self.insecureName
    if takesOwnClasses, let named, type(of: named) == NSSecureUnarchiveFromDataTransformer.self {
      transformer = ProgramObjectsTransformer(of: attribute?.customClassName)
    } else {
      transformer = named
    }
  }

  /// Transformers that read archives work from data to object; all others from object to data.
  private var readsForward: Bool { transformer is NSSecureUnarchiveFromDataTransformer }

  /// The object; nil for data that the transformer cannot read.
  func object(from data: Data) -> AnyObject? {
    guard let transformer else { stop("\(place) cannot be read: \(missing)") }
    let value =
      readsForward ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    return value.map { $0 as AnyObject }
  }

  /// The data to store; `nil` if the transformer returns `nil`.
  ///
  /// Throws 134030 if the result is not data, or cannot be archived.
  func data(from object: AnyObject) throws -> Data? {
    guard let transformer else {
      throw WriteFailure.untransformable(attribute: place, reason: missing).error
    }
    let refusal = NSSecureUnarchiveFromDataTransformer.Refusal()
    let value = NSSecureUnarchiveFromDataTransformer.$refusal.withValue(refusal) {
      readsForward
        ? transformer.reverseTransformedValue(object) : transformer.transformedValue(object)
    }
    if let data = value as? Data { return data }
    // A transformer may return nil for an object that it does not know; an archiver that has failed is an error.
    if value == nil, !refusal.isNoted { return nil }
    let reason =
      if transformer is ProgramObjectsTransformer {
        """
        the model names no value transformer, and the default one does not archive an object of the class \
        \(String(reflecting: type(of: object))): \(SecureClass.demand)
        """
      } else {
        "\(type(of: transformer)) makes no data of an object of the class \(type(of: object))"
      }
    throw WriteFailure.untransformable(attribute: place, reason: reason).error
  }
}

// MARK: - The default transformer

extension Transformation {
  private static let standardName =
    NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue

  /// The name of Apple's transformer that reads objects of any class.
  private static let insecureName = "NSKeyedUnarchiveFromData"

  /// Says which attributes of a program's entities have a class that the default transformer does not archive.
  static func tellOfUnarchivable(in layout: EntityLayout) {
    for slot in layout.slots.prefix(layout.propertyCount) {
      guard let attribute = slot.attribute, attribute.type == .transformable,
        attribute.valueTransformerName == nil, let name = attribute.customClassName,
        !isArchived(name),
        said.withLock({ $0.insert("\(layout.name).\(slot.name) \(name)").inserted })
      else { continue }
      ProgramLog.say(
        """
        warning: \(layout.name).\(slot.name) is transformable, and the model names no value transformer for it. Values of \
        its class \(name) cannot be saved: \(SecureClass.demand). Name a transformer in the model.
        """
      )
    }
  }

  /// Whether a class of a model, or a type in Swift's words, may be archived.
  private static func isArchived(_ name: String) -> Bool {
    let plain = ProgramClasses.plain(name)
    // A type such as [String] or Set<Tag>.
    guard plain.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }) else {
      return true
    }
    let classes = NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses
    for candidate in [plain, "NS\(plain)"] {
      guard let found = NSClassFromString(candidate) else { continue }
      if classes.contains(where: { $0 == found }) || candidate == "NSObject" {
        return true
      }
    }
    return plain.hasPrefix("NSMutable") || SecureClass.named(plain) != nil
  }

  /// The default transformer in place of a missing one; `nil` if the program has a class of the name, which would
  /// write other data.
  private static func standard(insteadOf name: String, at place: String) -> ValueTransformer? {
    if ValueTransformer.classNamed(name) != nil { return nil }
    if said.withLock({ $0.insert("\(place) \(name)").inserted }) {
      ProgramLog.say(advice(insteadOf: name, at: place))
    }
    return ValueTransformer.find(standardName) ?? NSSecureUnarchiveFromDataTransformer()
  }

  private static func advice(insteadOf name: String, at place: String) -> String {
    if namesOfArchives.contains(name) {
      return """
        warning: \(place) names the value transformer '\(name)'; using the default one, which keeps archives in the same form, \
        of the classes of property lists. Name NSSecureUnarchiveFromData in the model, or a subclass of \
        NSSecureUnarchiveFromDataTransformer that allows your classes.
        """
    }
    return """
      warning: no value transformer named '\(name)' was found for \(place); using the default one. \
      Register it with ValueTransformer.setValueTransformer(_:forName:) before the store is opened.
      """
  }

  /// The names that models use for transformers that keep archives: Apple's names, and the names of the constants for
  /// them.
  private static let namesOfArchives: Set = [
    "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
    "NSSecureUnarchiveFromDataTransformerName",
  ]

  private var missing: String {
    "the class of the value transformer \(name) has stored properties, so no object of it can be made by its "
      + "name; make one and register it with ValueTransformer.setValueTransformer(_:forName:)"
  }

  /// The attributes that were logged already.
  private static let said = Mutex<Set<String>>([])
}
