import CoreData
public import Foundation

/// Where and how a container stores models.
///
/// ```swift
/// ModelConfiguration("Archive", schema: Schema([Note.self]))
/// ```
///
/// Without a URL, the file is `NAME.store` in the folder for application support, or in the folder of a group container.
public struct ModelConfiguration: Identifiable, Hashable, Sendable {
  /// The name; `default` unless another is given.
  public let name: String
  /// The classes that the store contains; all of the container if `nil`.
  public var schema: Schema?
  /// The file of the store.
  public let url: URL
  /// Whether the store can be changed.
  public let allowsSave: Bool
  /// Whether the store is in memory, and gone with its container.
  public let isStoredInMemoryOnly: Bool
  /// The group of programs that share the file.
  public let groupContainer: GroupContainer
  /// The server with which the store is kept in step.
  public let cloudKitDatabase: CloudKitDatabase
  /// The options of Core Data's stores, by their names.
  private(set) var options: [String: StoreOption] = [:]

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - name: The name, or `nil` for `default`.
  ///   - schema: The classes that the store contains; all of the container if `nil`.
  ///   - isStoredInMemoryOnly: Whether the store is in memory only.
  ///   - allowsSave: Whether the store can be changed.
  ///   - groupContainer: The group of programs that share the file.
  ///   - cloudKitDatabase: The server with which the store is kept in step: ``CloudKitDatabase/server(_:)``.
  public init(
    _ name: String? = nil,
    schema: Schema? = nil,
    isStoredInMemoryOnly: Bool = false,
    allowsSave: Bool = true,
    groupContainer: GroupContainer = .automatic,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    let name = name ?? "default"
    self.name = name
    self.schema = schema
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    self.allowsSave = allowsSave
    self.groupContainer = groupContainer
    self.cloudKitDatabase = cloudKitDatabase
    url =
      isStoredInMemoryOnly
      ? URL(fileURLWithPath: "/dev/null")
      : groupContainer.folder.appendingPathComponent("\(name).store")
  }

  /// Creates a configuration of classes, with the name `default`.
  ///
  /// - Parameters:
  ///   - forTypes: The classes that the store contains; those that their relationships reach need not be listed.
  ///   - isStoredInMemoryOnly: Whether the store is in memory only.
  @_disfavoredOverload
  public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(schema: Schema(forTypes), isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// Creates a configuration with a store in a given file.
  ///
  /// - Parameters:
  ///   - name: The name, or `nil` for that of the file.
  ///   - schema: The classes that the store contains; all of the container if `nil`.
  ///   - url: The file of the store, or the address of a PostgreSQL database, such as
  ///     `postgresql://notes@db.example.org/notes`. For a database, the target needs the product `CoreDataPostgreSQL`; its
  ///     tables are made when the container is opened.
  ///   - allowsSave: Whether the store can be changed.
  ///   - cloudKitDatabase: The server with which the store is kept in step: ``CloudKitDatabase/server(_:)``.
  public init(
    _ name: String? = nil,
    schema: Schema? = nil,
    url: URL,
    allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.name = name ?? url.deletingPathExtension().lastPathComponent
    self.schema = schema
    self.url = url
    self.allowsSave = allowsSave
    isStoredInMemoryOnly = url.path == "/dev/null"
    groupContainer = .none
    self.cloudKitDatabase = cloudKitDatabase
  }

  /// The name.
  public var id: String { name }

  /// Checks the name.
  ///
  /// - Throws: ``SwiftDataError/configurationFileNameTooLong`` for a name of more than 249 bytes,
  ///   ``SwiftDataError/configurationFileNameContainsInvalidCharacters`` for one with a slash or a zero.
  public func validate() throws {
    guard name.utf8.count < 250 else {
      throw SwiftDataError.configurationFileNameTooLong.because(
        "the name \(name.prefix(20))… has \(name.utf8.count) bytes; a file's name has 255 with its extension"
      )
    }
    guard !name.contains("/"), !name.contains("\0") else {
      throw SwiftDataError.configurationFileNameContainsInvalidCharacters.because(
        "the name “\(name)” contains a slash or a zero; use another, or give a URL"
      )
    }
  }
}

extension ModelConfiguration {
  /// Sets an option of the store, as that of Core Data's descriptions of stores.
  ///
  /// ```swift
  /// var acme = ModelConfiguration(url: database)
  /// acme.setOption("acme", forKey: NSPostgreSQLZoneOption)
  /// ```
  ///
  /// The container sets the options of histories and migrations itself. A value that a store refuses makes the container
  /// throw.
  ///
  /// - Parameters:
  ///   - value: The value, or `nil` to remove the option.
  ///   - key: The name of the option.
  public mutating func setOption(_ value: (any Hashable & Sendable)?, forKey key: String) {
    options[key] = value.map { StoreOption(AnyHashable($0)) }
  }

  /// The value of an option.
  ///
  /// Safety: only sendable values are in it.
  struct StoreOption: Hashable, @unchecked Sendable {
    let value: AnyHashable

    init(_ value: AnyHashable) { self.value = value }
  }

  /// Whether the store is in a PostgreSQL database.
  var isInDatabase: Bool { StoreAddress.isOfServer(url) }

  /// The options as Core Data takes them.
  var storeOptions: [AnyHashable: Any] {
    Dictionary(uniqueKeysWithValues: options.map { ($0.key, $0.value.value.base) })
  }

  /// The place of the store in messages.
  var place: String { StoreAddress.name(ofStoreAt: url, storeOptions) }
}

extension ModelConfiguration: CustomDebugStringConvertible {
  /// The name, and the place of the store.
  public var debugDescription: String {
    let place = isStoredInMemoryOnly ? "in memory" : self.place
    return "ModelConfiguration \(name): \(place)" + (allowsSave ? "" : ", read-only")
  }
}

extension ModelConfiguration {
  /// A group of programs that share the files of their stores.
  public struct GroupContainer: Hashable, Sendable {
    private let identifier: String?

    /// The program's own group: here the program's user.
    public static let automatic = GroupContainer(identifier: nil)
    /// No group.
    public static let none = GroupContainer(identifier: nil)

    /// The group of an identifier: a folder of that name in the folder for application support.
    public static func identifier(_ identifier: String) -> GroupContainer {
      GroupContainer(identifier: identifier)
    }

    fileprivate var folder: URL {
      let support =
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        ?? FileManager.default.temporaryDirectory
      return identifier.map { support.appendingPathComponent($0) } ?? support
    }
  }

  /// The server with which a store is kept in step.
  public struct CloudKitDatabase: Hashable, Sendable {
    let place: Place

    enum Place: Hashable {
      case nowhere
      case cloudKit(String)
      case server(String)
    }

    /// The database that a program's entitlements name, which a program has on Apple's systems only: no server.
    public static let automatic = CloudKitDatabase(place: .nowhere)
    /// No server.
    public static let none = CloudKitDatabase(place: .nowhere)

    /// The private database of a name in CloudKit, in whose place a server of your own can be.
    ///
    /// The address is that of the environment variable `COREDATA_SYNC_ADDRESS`; the container throws without it.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(place: .cloudKit(privateDBName))
    }

    /// A zone of a server that `coredata serve` runs.
    ///
    /// ```swift
    /// ModelConfiguration(cloudKitDatabase: .server("https://sync.example.org/Notes#k3v9…"))
    /// ```
    ///
    /// The target needs the product `CoreDataSync`, and the store must be in a file. Each save is sent to the server, and a
    /// save of another device arrives as a save of another program does. ``ModelContainer/syncContainer`` has the status.
    ///
    /// - Parameter address: The address of the zone with its token, as `coredata serve` prints it, or a pairing code.
    /// - Returns: The server.
    public static func server(_ address: String) -> CloudKitDatabase {
      CloudKitDatabase(place: .server(address))
    }

    /// The address of the server; `nil` for none.
    var address: String? {
      switch place {
      case .nowhere: nil
      case .server(let address): address
      case .cloudKit:
        ProcessInfo.processInfo.environment[NSPersistentCloudKitContainer.environmentKey]
          .flatMap { $0.isEmpty ? nil : $0 }
      }
    }
  }
}
