public import Foundation

// MARK: - Types of stores

extension NSPersistentStoreCoordinator {
  /// Registers a class for stores of a custom type.
  ///
  /// The program stops if the class is of another kind or the type is built in.
  ///
  /// - Parameters:
  ///   - storeClass: A subclass of ``NSAtomicStore`` or ``NSIncrementalStore``, or `nil` to remove
  ///     the registration.
  ///   - storeType: The type that the class implements.
  public class func registerStoreClass(
    _ storeClass: AnyClass?,
    type storeType: NSPersistentStore.StoreType
  ) {
    require(
      KindsOfStores.known(storeType.rawValue).map { $0 is CustomKind } ?? true,
      "the store type \(storeType.rawValue) is built in; choose another name for one's own"
    )
    guard let storeClass else { return KindsOfStores.forget(storeType.rawValue) }
    guard let type = storeClass as? NSPersistentStore.Type,
      type is NSAtomicStore.Type || type is NSIncrementalStore.Type
    else {
      stop("\(storeClass) must inherit from NSAtomicStore or NSIncrementalStore to be a store")
    }
    KindsOfStores.register(CustomKind(type: storeType.rawValue, storeClass: type))
  }

  /// Registers a class for stores of a custom type.
  ///
  /// The program stops if the class is of another kind or the type is built in.
  ///
  /// - Parameters:
  ///   - storeClass: A subclass of ``NSAtomicStore`` or ``NSIncrementalStore``, or `nil` to remove
  ///     the registration.
  ///   - storeType: The type that the class implements.
  public class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
    registerStoreClass(storeClass, type: NSPersistentStore.StoreType(rawValue: storeType))
  }

  /// The types of stores that can be opened, each with the address of its class.
  ///
  /// The built-in types share the class `NSPersistentStore`.
  public class var registeredStoreTypes: [String: NSValue] {
    let classes = KindsOfStores.all.map { ($0.type, ObjectIdentifier($0.storeClass)) }
    return Dictionary(uniqueKeysWithValues: classes)
      .mapValues { NSNumber(value: UInt(bitPattern: $0)) }
  }
}
