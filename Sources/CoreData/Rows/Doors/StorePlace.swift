import CoreDataPredicates
import Foundation
import Synchronization

/// The place of a store, and the options for opening it.
package struct StorePlace: Sendable {
  package let number: StoreNumber
  package let type: String
  package let configuration: String?
  package let url: URL?
  package let purpose: Purpose
  /// Values of property lists.
  private let given: Immutable<[AnyHashable: Any]?>

  /// The purpose for which a store is opened.
  package enum Purpose: Sendable {
    case use
    /// To become the copy of another store, which it is as soon as its first transaction is committed.
    case copy
  }

  /// The name that a store without a configuration shows as its own.
  static let defaultConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

  package init(
    number: StoreNumber,
    type: String,
    configuration: String?,
    url: URL?,
    options: [AnyHashable: Any]?,
    purpose: Purpose = .use
  ) {
    self.number = number
    self.type = type
    self.configuration = configuration == Self.defaultConfiguration ? nil : configuration
    self.url = url
    self.purpose = purpose
    given = Immutable(options)
  }

  package var options: [AnyHashable: Any]? { given.value }

  /// The path, or the address of a database with the zone, for messages.
  package var path: String {
    url.map { StoreAddress.name(ofStoreAt: $0, options) } ?? type
  }

  /// The whole address, for messages about one that is not a file's; without a password, which may be in it.
  var shownAddress: String { url.map { StoreAddress.shown($0) } ?? "(no URL)" }

  package var isReadOnly: Bool { flag(NSReadOnlyPersistentStoreOption) }

  var ignoresVersions: Bool { flag(NSIgnorePersistentStoreVersioningOption) }

  /// Whether the store keeps indexes of words; `nil` leaves it as it is.
  package var keepsTextIndexes: Bool? {
    options?[CoreDataTextSearchOption] == nil ? nil : flag(CoreDataTextSearchOption)
  }

  /// Whether the file gives back the room that deleted rows have left, when it is opened.
  var isVacuumed: Bool { flag(NSSQLiteManualVacuumOption) }

  /// Whether SQLite looks at how the values of indexes are spread, when the file is opened.
  var isAnalyzed: Bool { flag(NSSQLiteAnalyzeOption) }

  /// Seconds to wait for another process that writes.
  var timeout: TimeInterval {
    (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240
  }

  /// The same in milliseconds; NaN and numbers beyond all waiting come from options too.
  var wait: Int32 { timeout > 0 ? Int32(min(timeout * 1000, 600_000)) : 0 }

  var pragmas: [String: String] {
    let given = options?[NSSQLitePragmasOption] as? [AnyHashable: Any] ?? [:]
    return given.reduce(into: [:]) { pragmas, pair in pragmas["\(pair.key)"] = "\(pair.value)" }
  }

  package func flag(_ key: String) -> Bool {
    switch options?[key] {
    case let flag as Bool: flag
    case let number as NSNumber: number.boolValue
    case _: false
    }
  }
}

extension StoreNumber {
  private static let last = Atomic<UInt32>(0)

  /// A number that no store of the process has had.
  package static func next() -> StoreNumber {
    StoreNumber(rawValue: last.add(1, ordering: .relaxed).newValue)
  }
}
