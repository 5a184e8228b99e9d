import Foundation

/// Values that objects of a context were asked for, and that their store could not read.
///
/// A property cannot throw. It reads `nil` or an empty set then, and the context keeps the error, which its next save throws: what
/// was derived from such values must not be written.
struct UnreadableValues {
  /// The first error, or `nil` if all values could be read.
  private(set) var error: (any Error)?
  private var objects: [NSManagedObject] = []

  mutating func note(_ object: NSManagedObject, _ error: any Error) {
    if self.error == nil {
      self.error = error
      ProgramLog.say("error: values of \(object.objectID) cannot be read: \(error)")
    }
    objects.append(object)
  }

  /// Forgets the error, and gives the objects that shall be read again.
  mutating func take() -> [NSManagedObject] {
    defer { self = UnreadableValues() }
    return objects
  }
}

extension NSManagedObjectContext {
  /// Throws the error of a store that could not read what a property of an object was asked for.
  func checkReading() throws {
    if let error = unreadable.error { throw error }
  }

  /// Has objects read again whose values could not be read.
  func forgetUnreadableValues() {
    for object in unreadable.take() where object.life == .clean { object.turnIntoFault() }
  }
}

extension NSManagedObject {
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
