import Foundation

/// Values that objects of a context were asked for, and that their store could not read.
///
/// A property cannot throw. It reads `nil` or an empty set then, and the context keeps the error for its next save, so that
/// nothing is written that was derived from such values before the program has heard of it.
struct UnreadableValues {
  /// The first error, or `nil` if all values could be read.
  private(set) var error: (any Error)?
  private var objects: [NSManagedObject] = []

  func contains(_ object: NSManagedObject) -> Bool {
    error != nil && objects.contains { $0 === object }
  }

  mutating func note(_ object: NSManagedObject, _ error: any Error) {
    if self.error == nil {
      self.error = error
      ProgramLog.say("error: values of \(object.objectID) cannot be read: \(error)")
    }
    objects.append(object)
  }

  /// Forgets the error, and returns the objects that must be read again.
  mutating func take() -> [NSManagedObject] {
    defer { self = UnreadableValues() }
    return objects
  }
}

extension NSManagedObjectContext {
  /// Throws the error of a store that could not read what a property of an object was asked for.
  ///
  /// The program hears of it once. Afterwards, the error is kept only for objects that were changed without their values
  /// being known.
  func checkReading() throws {
    guard let error = unreadable.error else { return }
    forgetUnreadableValues(error)
    throw error
  }

  /// Has objects read again whose values could not be read, unless they were changed since.
  ///
  /// - Parameter error: The error to keep for those that were changed.
  func forgetUnreadableValues(_ error: (any Error)? = nil) {
    for object in unreadable.take() {
      if object.life == .clean {
        object.turnIntoFault()
      } else if object.snapshot?.version != 0 {
        refresh(object, mergeChanges: true)
      } else if let error, object.life == .updated {
        unreadable.note(object, error)
      }
    }
  }
}

extension NSManagedObject {
  /// Whether its properties are nil only because the store could not be read.
  var isUnreadable: Bool { managedObjectContext?.unreadable.contains(self) == true }

  /// The values cannot be read: properties are nil until the context forgets the error.
  func becomeUnreadable(_ error: any Error) {
    guard let context = managedObjectContext else {
      stop("the values of \(objectID) cannot be read: \(error)")
    }
    context.unreadable.note(self, error)
    snapshot = .empty(slotCount: layout.slots.count)
    life = .clean
  }
}
