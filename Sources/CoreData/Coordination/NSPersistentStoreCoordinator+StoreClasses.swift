public import Foundation

// MARK: - Types of stores

extension NSPersistentStoreCoordinator {
  /// Makes a class of one's own the store of a type; nil forgets the type.
  ///
  /// The class inherits from ``NSAtomicStore`` or ``NSIncrementalStore``; anything else stops the
  /// program, as do the types that are built in.
  public class func registerStoreClass(
    _ storeClass: AnyClass?,
    type storeType: NSPersistentStore.StoreType
  ) {
    require(
      !builtIn.contains(storeType.rawValue),
      "the store type \(storeType.rawValue) is built in; choose another name for one's own"
    )
    guard let storeClass else { return CustomStores.register(nil, for: storeType.rawValue) }
    guard let type = storeClass as? NSPersistentStore.Type,
      type is NSAtomicStore.Type || type is NSIncrementalStore.Type
    else {
      stop("\(storeClass) must inherit from NSAtomicStore or NSIncrementalStore to be a store")
    }
    CustomStores.register(type, for: storeType.rawValue)
  }

  public class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
    registerStoreClass(storeClass, type: NSPersistentStore.StoreType(rawValue: storeType))
  }

  /// The types that stores can have, each with the address of its class.
  ///
  /// The types that are built in share the class `NSPersistentStore`.
  public class var registeredStoreTypes: [String: NSValue] {
    var classes = CustomStores.all as [String: AnyClass]
    for type in builtIn { classes[type] = NSPersistentStore.self }
    return classes.mapValues { NSNumber(value: UInt(bitPattern: ObjectIdentifier($0))) }
  }

  private static var builtIn: [String] {
    [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]
  }
}
