public import Foundation
import Synchronization

/// The options with which a store is kept in step with other devices.
///
/// ```swift
/// let options = NSPersistentCloudKitContainerOptions(containerIdentifier: "Notes")
/// options.syncAddress = "https://sync.example.org/Notes#k3v9…"
/// description.cloudKitContainerOptions = options
/// ```
public final class NSPersistentCloudKitContainerOptions: NSObject, Sendable {
  /// The identifier that the program has given to what its devices share.
  ///
  /// It is ignored here: the zone is part of the address.
  public let containerIdentifier: String

  /// The address of the zone, with its token, as `coredata serve` prints it, or a pairing code.
  ///
  /// If it is `nil`, which is the default, the environment variable `COREDATA_SYNC_ADDRESS` is used, if
  /// there is one; without either, the store is used on this device only. Not part of Apple's API.
  public var syncAddress: String? {
    get { address.withLock { $0 } }
    set { address.withLock { $0 = newValue } }
  }

  private let address = Mutex<String?>(nil)

  /// The name of this device, which other devices show with a conflict.
  ///
  /// If it is `nil`, which is the default, the environment variable `COREDATA_SYNC_DEVICE` is used, and without it the
  /// name that the machine has in its network. With an empty text, no name is sent. At most 64 Unicode scalars of the
  /// name are sent; if the zone is encrypted, the server cannot read them. A changed name is sent with the next change.
  /// Not part of Apple's API.
  public var deviceName: String? {
    get { name.withLock { $0 } }
    set { name.withLock { $0 = newValue } }
  }

  private let name = Mutex<String?>(nil)

  /// Creates options.
  ///
  /// - Parameter containerIdentifier: The identifier that the program has given to what its devices share.
  public init(containerIdentifier: String) {
    self.containerIdentifier = containerIdentifier
    super.init()
  }
}

/// Options for checking whether a model can be kept in step.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Checks the model only, as without this option: the server needs no schema.
  public static let dryRun = NSPersistentCloudKitContainerSchemaInitializationOptions(rawValue: 2)

  /// Prints the entities and properties that are kept in step.
  public static let printSchema =
    NSPersistentCloudKitContainerSchemaInitializationOptions(rawValue: 4)
}
