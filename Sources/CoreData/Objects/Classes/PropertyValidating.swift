/// A protocol for classes that validate single properties with methods of their own.
///
/// Apple's framework finds methods such as `validateTitle(_:)` by their names. Here the class lists
/// them in ``propertyValidations``; the methods themselves are written as on Apple's systems. If
/// the class is generated, write them in an extension.
///
/// ```swift
/// extension Note: PropertyValidating {
///   public static var propertyValidations: [String: PropertyValidation] {
///     ["title": PropertyValidation(Note.validateTitle)]
///   }
///
///   func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
///     if (value.pointee as? String)?.hasPrefix("Draft") == true { throw StillADraft() }
///   }
/// }
/// ```
///
/// `NSManagedObject.validateValue(_:forKey:)` calls the method after the value has passed the rules
/// of the model, and every save of an inserted or updated object calls it for each property in the
/// list. A method may replace an invalid value with another one, which the object then takes.
///
/// The list is read once, when the model is first used. A name that the entity does not have stops
/// the program.
public protocol PropertyValidating: NSManagedObject {
  /// The validation methods of the class, by the names of the properties that they validate.
  static var propertyValidations: [String: PropertyValidation] { get }
}

/// A method that validates the value of one property.
public struct PropertyValidation: Sendable {
  private let method: Method

  private typealias Method =
    @Sendable (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void

  /// Creates a validation from a method of a class, as in `PropertyValidation(Note.validateTitle)`.
  ///
  /// - Parameter method: The method. It throws an error if the value is invalid, or replaces the
  ///   value.
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

  init(of layout: EntityLayout, _ objectClass: NSManagedObject.Type) {
    var validations: [Int: PropertyValidation] = [:]
    if let type = objectClass as? any PropertyValidating.Type {
      for (key, validation) in type.propertyValidations {
        guard let slot = layout.slot(named: key) else {
          stop("\(type).propertyValidations has the key \(key), which \(layout.name) lacks")
        }
        validations[slot] = validation
      }
    }
    self.validations = validations
    let overrides = MethodOverride.ofValueValidation.isIn(objectClass)
    asked = overrides ? SlotSet(0..<layout.propertyCount) : SlotSet(validations.keys)
  }

  subscript(slot: Int) -> PropertyValidation? {
    validations.isEmpty ? nil : validations[slot]
  }
}
