#if APPLES_CORE_DATA
public import CoreData
#else
public import Foundation
#endif

// The following is not part of Apple's API. The package for Apple's systems has this file too.

extension NSPersistentCloudKitContainer {
  /// The state of the exchange between a container's stores and the server, as this device knows it.
  public struct SyncStatus: Hashable, Sendable {
    /// The number of changed values that the server has not confirmed.
    public var pendingChangeCount = 0
    /// The number of saves that these values belong to, for showing it to people as the number of changes.
    public var pendingSaveCount = 0
    /// A Boolean value that indicates whether the numbers of this status are those of the stores.
    ///
    /// It is `false` until the exchange has read each store for the first time, and while it cannot read one, as when its
    /// sidecar cannot be opened. Changes may be waiting then even if ``pendingChangeCount`` is 0, so do not show that
    /// nothing waits.
    public var countsAreKnown = false
    /// The time at which the last complete exchange with the server began, or `nil` before the first one.
    ///
    /// An exchange is complete when nothing waits to be sent. Of several stores, it is the time of the one that is the
    /// furthest behind, and `nil` until each of them has had one.
    public var lastConfirmed: Date?
    /// A Boolean value that indicates whether an exchange is under way.
    public var isActive = false
    /// The problem that keeps the stores from being in step at the moment, or `nil`.
    public var problem: SyncProblem?
    /// The number of values that lost against others; see ``NSPersistentCloudKitContainer/conflicts``.
    public var conflictCount = 0
    /// The number of values that wait because the store refuses them, the server has lost them, or they are too large to be
    /// sent; see ``NSPersistentCloudKitContainer/quarantine``.
    public var quarantineCount = 0
    /// A Boolean value that indicates whether the token allows sending changes.
    ///
    /// The server reports that when a change is sent. With a token that can only read, the value is `true` until
    /// then.
    public var canWrite = true
    /// A Boolean value that indicates whether values are encrypted on this device, so that the server cannot read
    /// them.
    public var isEncrypted = false

    package init() {}
  }

  /// A value that lost against another that was written without knowledge of it.
  public struct SyncConflict: Hashable, Sendable, Identifiable {
    /// The number of the conflict on this device.
    public let id: Int64
    /// The UUID of the store, as its ``NSPersistentStore/identifier``.
    public let storeIdentifier: String
    /// The identity of the object, or `nil` if the store does not have the object.
    public let objectID: NSManagedObjectID?
    /// The name of the object's entity, or `nil` if it is not known.
    public let entityName: String?
    /// The name of the property, or `nil` if the model does not have it.
    public let propertyName: String?
    /// The value that lost, as text.
    public let losingText: String
    /// The object that the losing value leads to, if the property is a to-one relationship and the store has the
    /// object.
    public let losingObjectID: NSManagedObjectID?
    /// The time at which the losing value was written, by the server's clock as far as its device knew that.
    ///
    /// It is never earlier than the values that its device had seen before. Values of one object that were saved
    /// together have the same time.
    public let date: Date
    /// The name of the device that wrote the losing value; see
    /// ``NSPersistentCloudKitContainerOptions/deviceName``.
    ///
    /// The name is `nil` if that device sends none.
    public let deviceName: String?

    package init(
      id: Int64,
      storeIdentifier: String,
      objectID: NSManagedObjectID?,
      entityName: String?,
      propertyName: String?,
      losingText: String,
      losingObjectID: NSManagedObjectID?,
      date: Date,
      deviceName: String?
    ) {
      self.id = id
      self.storeIdentifier = storeIdentifier
      self.objectID = objectID
      self.entityName = entityName
      self.propertyName = propertyName
      self.losingText = losingText
      self.losingObjectID = losingObjectID
      self.date = date
      self.deviceName = deviceName
    }
  }

  /// A value that is not exchanged for now.
  ///
  /// It is a value of another device that this store refuses or that the server has lost, or a value of this device that is too
  /// large to be sent.
  public struct QuarantinedValue: Hashable, Sendable {
    /// The object, or `nil` if the store does not have it.
    public let objectID: NSManagedObjectID?
    /// The name of the property, or `nil` if the whole object is refused.
    public let propertyName: String?
    /// A sentence that says why the value is refused, or what is missing, and what to do.
    public let reason: String

    package init(objectID: NSManagedObjectID?, propertyName: String?, reason: String) {
      self.objectID = objectID
      self.propertyName = propertyName
      self.reason = reason
    }
  }

  /// The kinds of protection of a zone's values from people who can read the server's files.
  public enum SyncProtection: Hashable, Sendable {
    /// As the address says: encrypted if it has a key.
    case asGiven
    /// With a new key, unless the address has one. The zone must be empty.
    case newKey
    /// With the key that is made from a passphrase. The first device of an empty zone chooses the passphrase.
    case passphrase(String)
  }

  /// An error that says why a store cannot be kept in step at the moment.
  ///
  /// Not part of Apple's API.
  public struct SyncProblem: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that says what happened, to what, and what to do.
    public let description: String
    /// A Boolean value that indicates whether the problem may resolve itself.
    ///
    /// If it may, the engine tries again within a minute. After any other problem, it tries again every ten minutes, provided
    /// that the store could be opened.
    public let isTemporary: Bool

    package init(_ description: String, isTemporary: Bool) {
      self.description = description
      self.isTemporary = isTemporary
    }

    /// The same sentence as `description`.
    public var errorDescription: String? { description }
  }
}
