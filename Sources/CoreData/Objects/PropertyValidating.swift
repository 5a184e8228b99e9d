/// A class with rules of its own for single properties, beside those of the model.
///
/// Apple's framework finds methods such as `validateTitle(_:)` by their names. Here the class says
/// which it has; the methods themselves are spelled as on Apple's systems, and stand in an extension
/// where the class is a generated one.
///
/// ```swift
/// extension Note: PropertyValidating {
///   static var propertyValidations: [String: PropertyValidation] {
///     ["title": PropertyValidation(Note.validateTitle)]
///   }
///
///   func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
///     if (value.pointee as? String)?.hasPrefix("Draft") == true { throw StillADraft() }
///   }
/// }
/// ```
///
/// `NSManagedObject.validateValue(_:forKey:)` calls the method once the value has passed the model's
/// rules; every save of an inserted or updated object asks about each property in the table. A method
/// may put another value in the place of the one it is given, and the object takes it over; it should
/// do so only where the value was not right.
///
/// The table is read once, when the model is first used. A key that the entity lacks stops the
/// program.
public protocol PropertyValidating: NSManagedObject {
  /// The methods, by the names of the properties they judge.
  static var propertyValidations: [String: PropertyValidation] { get }
}

/// A method that judges the value of one property.
public struct PropertyValidation: Sendable {
  private let method: Method

  private typealias Method =
    @Sendable (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void

  /// Takes a method as its class names it: `PropertyValidation(Note.validateTitle)`.
  public init<Object: NSManagedObject>(
    _ method:
      @escaping @Sendable (Object) -> (
        AutoreleasingUnsafeMutablePointer<AnyObject?>
      ) throws -> Void
  ) {
    self.method = { object, value in
      guard let object = object as? Object else {
        stop("a validation method of \(Object.self) was given for \(type(of: object))")
      }
      try method(object)(value)
    }
  }

  func judge(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
    of object: NSManagedObject
  ) throws {
    try method(object, value)
  }
}

// MARK: - What a class wants to be asked

/// The properties about which an entity's class has something to say.
struct OwnValidation {
  /// The slots that a save asks `validateValue(_:forKey:)` about, in their order.
  let asked: SlotSet
  private let validations: [Int: PropertyValidation]

  init(of layout: EntityLayout) {
    var validations: [Int: PropertyValidation] = [:]
    if let type = layout.objectClass as? any PropertyValidating.Type {
      for (key, validation) in type.propertyValidations {
        guard let slot = layout.slot(named: key) else {
          stop("\(type).propertyValidations has the key \(key), which \(layout.name) lacks")
        }
        validations[slot] = validation
      }
    }
    self.validations = validations
    let overrides = ValueValidationOverride.isIn(layout.objectClass)
    asked = overrides ? SlotSet(0..<layout.propertyCount) : SlotSet(validations.keys)
  }

  subscript(slot: Int) -> PropertyValidation? {
    validations.isEmpty ? nil : validations[slot]
  }
}
