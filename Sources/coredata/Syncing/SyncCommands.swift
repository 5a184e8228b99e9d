import CoreData
import CoreDataStoreCare
import CoreDataSync
import Foundation

/// The store of a command that speaks of its sidecar.
private struct SyncedStore {
  let url: URL

  init(_ arguments: inout CommandArguments) throws {
    url = URL(filePath: try arguments.operand("the path of a store"))
  }

  var sidecar: String { SyncSession.sidecar(ofStoreAt: url.path) }

  func report() throws -> SidecarReport { try reading { try readReport() } }

  /// Reads something of the sidecar, and says in words why that cannot be.
  func reading<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let failure as SyncFailure {
      throw Refusal(failure.description)
    }
  }

  /// Throws a `SyncFailure` where the sidecar cannot be read as it is.
  func readReport() throws -> SidecarReport {
    try OpenedStore.requireFile(url)
    guard let report = try SidecarReport(ofStoreAt: url.path) else {
      throw Refusal(
        "\(url.relativePath) was never kept in step: there is no \(URL(filePath: sidecar).lastPathComponent) beside it."
      )
    }
    return report
  }
}

/// `coredata sync status`: how far a store is in step.
struct SyncStatusCommand: Command {
  static let words = ["sync", "status"]
  static let summary = "show what a store has not sent yet, and when it was last in step"
  static let help = """
    coredata sync status STORE [--json]

    Prints what the sidecar of the store, the file STORE-sync, knows: how many values wait to be sent,
    how many lost against those of other devices, and how many the store refuses or the server has lost.
    Nothing is changed, and the program that uses the store may be running. What it has saved since the
    last exchange is not counted. If the store was never kept in step, the status is 1.

      --json   print an object with "pending", "objects", "cells", "conflicts", "quarantined",
               "serverPosition", "confirmed" and "sidecarBytes"

    \(CoreDataCommand.exitStatuses)
    """

  private let store: SyncedStore
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    printsJSON = arguments.flag("--json")
    store = try SyncedStore(&arguments)
    try arguments.finish()
  }

  func run() throws {
    let report = try store.report()
    let files = [store.sidecar, "\(store.sidecar)-wal"]
    let bytes = files.reduce(0) { sum, path in
      // A log that is not there has no bytes.
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
    }
    let size = try store.reading { try report.size() }
    if printsJSON { return try printJSON(report, size, bytes) }
    let time = report.confirmed?.formatted(.iso8601) ?? "never"
    print(
      """
      waiting to be sent   \(report.pending.of("value"))
      last in step         \(time), at change \(Int(clamping: report.serverPosition).grouped) of the server
      conflicts            \(report.conflicts.grouped)
      refused values       \(report.quarantined.grouped)
      sidecar              \(bytes.asBytes) for \(size.objects.of("object")) and \(size.cells.of("value"))
      """
    )
  }

  private func printJSON(
    _ report: SidecarReport,
    _ size: (objects: Int, cells: Int),
    _ bytes: Int
  ) throws {
    let values: [String: Any] = [
      "pending": report.pending, "objects": size.objects, "cells": size.cells,
      "conflicts": report.conflicts, "quarantined": report.quarantined,
      "serverPosition": Int(clamping: report.serverPosition),
      "confirmed": report.confirmed?.formatted(.iso8601) ?? NSNull(), "sidecarBytes": bytes,
    ]
    let data = try JSONSerialization.data(withJSONObject: values, options: [.sortedKeys])
    print(String(decoding: data, as: UTF8.self))
  }
}

/// `coredata sync conflicts`: the values that lost against those of other devices.
struct SyncConflictsCommand: Command {
  static let words = ["sync", "conflicts"]
  static let summary = "list values that lost against those of other devices"
  static let help = """
    coredata sync conflicts STORE [--model MODEL]

    Lists the values of the last 30 days that a device has replaced without having seen them. A line for
    each has the time, the entity and property, the name of the device that wrote the value ("?" if it
    has none), and the value, with ↵ in place of its line breaks. Nothing is changed. A program takes a
    value back with NSPersistentCloudKitContainer.takeBack(_:).

      --model MODEL   the model to name the properties with; without it, the model inside the store

    \(CoreDataCommand.exitStatuses)
    """

  private let store: SyncedStore
  private let model: ModelChoice

  init(_ arguments: inout CommandArguments) throws {
    model = try ModelChoice(given: &arguments)
    store = try SyncedStore(&arguments)
    try arguments.finish()
  }

  func run() throws {
    let report = try store.report()
    let opened = try OpenedStore(at: store.url, model)
    for lost in try store.reading({ try report.lostValues(opened.coordinator.managedObjectModel) })
    {
      let place = "\(lost.entityName ?? "?").\(lost.propertyName ?? "?")"
      let line = "\(lost.date.formatted(.iso8601))  \(place)  \(lost.device ?? "?")  \(lost.text)"
      print(line.inOneLine)
    }
  }
}

/// `coredata sync reset`: a store that begins again.
struct SyncResetCommand: Command {
  static let words = ["sync", "reset"]
  static let summary = "forget what is known of the server, so that a store begins anew"
  static let help = """
    coredata sync reset STORE [--yes]

    Deletes the sidecar of the store, the file STORE-sync. The store itself stays as it is. Close the
    program that uses it first.

    When the program opens the store again, it compares all objects with those of the server. An object
    that both have stays one object. An object that only one of them has is in both afterwards: if
    another device has deleted it in the meantime, it comes back.

    Afterwards, an object may be there twice if its entity has neither a uniqueness constraint nor
    CoreDataSync.identity in the model, and one of these is true:

      - It came from another device, and was changed here since the last exchange.
      - The history of the store was purged, and the object has other values than at the server.

      --yes   do not ask

    \(CoreDataCommand.exitStatuses)
    """

  private let store: SyncedStore
  private let isAgreed: Bool

  init(_ arguments: inout CommandArguments) throws {
    isAgreed = arguments.flag("--yes")
    store = try SyncedStore(&arguments)
    try arguments.finish()
  }

  func run() throws {
    do {
      let waiting = try store.readReport().pending
      print("\(waiting.of("value")) of \(store.url.relativePath) were not confirmed by the server.")
    } catch let failure as SyncFailure {
      // Beginning again is the way out also then.
      print("What was not confirmed by the server cannot be told. \(failure.description)")
    }
    if !isAgreed {
      try Consent.ask("Forget what is known of the server?", orAdvise: "add --yes")
    }
    do {
      try SyncSession.deleteSidecar(ofStoreAt: store.url.path)
    } catch let failure as SyncFailure {
      throw Refusal("\(failure.description) Close that program first.")
    }
    print("The store begins anew the next time it is opened by its program.")
  }
}

/// `coredata sync export`: all that a sidecar knows, as JSON.
struct SyncExportCommand: Command {
  static let words = ["sync", "export"]
  static let summary = "print every value that a device knows of, with the time it was written"
  static let help = """
    coredata sync export STORE [--model MODEL]

    Prints a line of JSON for each value in the sidecar of the store, the file STORE-sync: "object" (its
    identity on all devices), "entity", "property", "value" as text, "written", "confirmed" (whether the
    server has it) and "gone" (whether it says that the object was deleted, or a member taken out). If
    the model does not have the property, "property" is null. Nothing is changed.

      --model MODEL   the model to name the properties with; without it, the model inside the store

    \(CoreDataCommand.exitStatuses)
    """

  private let store: SyncedStore
  private let model: ModelChoice

  init(_ arguments: inout CommandArguments) throws {
    model = try ModelChoice(given: &arguments)
    store = try SyncedStore(&arguments)
    try arguments.finish()
  }

  func run() throws {
    let report = try store.report()
    let opened = try OpenedStore(at: store.url, model)
    let output = Output(descriptor: STDOUT_FILENO)
    try store.reading {
      try report.forEachValue(opened.coordinator.managedObjectModel) { value in
        let record: [String: Any] = [
          "object": value.object, "entity": value.entityName ?? NSNull(),
          "property": value.propertyName ?? NSNull(), "value": value.text,
          "written": value.date.formatted(.iso8601), "confirmed": value.isConfirmed,
          "gone": value.isGone,
        ]
        let data = try JSONSerialization.data(
          withJSONObject: record,
          options: [.sortedKeys, .withoutEscapingSlashes]
        )
        let line = String(decoding: data, as: UTF8.self)
        // Otherwise the output would have pictures in the place of control characters.
        try output.line(line.isHarmless ? line : JSONValue.escapingControls(in: line[...]))
      }
    }
    try output.flush()
  }
}
