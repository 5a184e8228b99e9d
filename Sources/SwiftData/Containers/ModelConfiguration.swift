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
  /// The database of CloudKit with which the store is kept in step.
  public let cloudKitDatabase: CloudKitDatabase

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - name: The name, or `nil` for `default`.
  ///   - schema: The classes that the store contains; all of the container if `nil`.
  ///   - isStoredInMemoryOnly: Whether the store is in memory only.
  ///   - allowsSave: Whether the store can be changed.
  ///   - groupContainer: The group of programs that share the file.
  ///   - cloudKitDatabase: The database of CloudKit; only `.automatic` and `.none` can be opened here, and neither keeps
  ///     the store in step.
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

  /// Creates a configuration with a store in a given file.
  ///
  /// - Parameters:
  ///   - name: The name, or `nil` for that of the file.
  ///   - schema: The classes that the store contains; all of the container if `nil`.
  ///   - url: The file of the store. Its folder must exist.
  ///   - allowsSave: Whether the store can be changed.
  ///   - cloudKitDatabase: The database of CloudKit.
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

  /// A database of CloudKit.
  public struct CloudKitDatabase: Hashable, Sendable {
    /// The name of the private database, if one is demanded.
    let privateName: String?

    /// The database that a program's entitlements name, which a program has on Apple's systems only.
    public static let automatic = CloudKitDatabase(privateName: nil)
    /// No database.
    public static let none = CloudKitDatabase(privateName: nil)

    /// The private database of a name, which cannot be opened here: the container throws.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(privateName: privateDBName)
    }
  }
}
