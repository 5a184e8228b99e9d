import CoreDataModel
import CoreDataModelWriting
import CoreDataStoreCare
import CoreDataWebServer
import Foundation
import Synchronization

/// The versions of the model that is edited, each read when somebody looks at it.
final class ModelDesk: Sendable {
  private struct State {
    var folder: URL?
    var drafts: [String: ModelDraft] = [:]
  }

  private let state: Mutex<State>

  /// - Parameter model: The file or folder of a model; only Xcode's source is edited.
  init(_ model: URL?) {
    let isSource = ["xcdatamodeld", "xcdatamodel"].contains(model?.pathExtension)
    state = Mutex(State(folder: isSource ? model : nil))
  }

  /// The folder that is edited; `nil` if the model is not Xcode's source.
  var folder: URL? { state.withLock(\.folder) }

  /// The versions of the model, and the name of the current one.
  func versions() throws -> (names: [String], current: String, changed: Set<String>) {
    let source = try source()
    let changed = state.withLock { $0.drafts.filter(\.value.isChanged).keys }
    return (source.versionNames, try current(of: source), Set(changed))
  }

  private func current(of source: ModelSourceFolder) throws -> String {
    try source.currentVersion().name
  }

  func source() throws -> ModelSourceFolder {
    guard let folder else {
      throw Problem(404, "This model is not Xcode’s source. Save it as source first.")
    }
    return try ModelSourceFolder(at: folder)
  }

  /// Does something with the draft of a version.
  func draft<Result>(
    _ version: String,
    _ body: (inout ModelDraft) throws -> Result
  ) throws -> Result {
    let source = try source()
    guard source.versionNames.contains(version) else {
      throw Problem(404, "The model has no version “\(version.prefix(200))”.")
    }
    guard !source.isArchive(version: version) else {
      throw Problem(422, "\(version) is in the format of Xcode 3, which is only read here.")
    }
    return try state.withLock { state in
      var draft =
        try state.drafts[version] ?? ModelDraft(version, source.file(ofVersion: version))
      defer { state.drafts[version] = draft }
      return try body(&draft)
    }
  }

  /// The model that a version's draft says.
  func schema(_ version: String) throws -> ModelSchema {
    try draft(version) { $0.document.schema().schema }
  }

  /// Edits another folder from now on.
  func take(_ folder: URL) {
    state.withLock { $0 = State(folder: folder) }
  }
}

// MARK: - Versions

extension ModelDesk {
  /// Adds a version with the content of another, and makes it the current one.
  func addVersion(_ name: String, from origin: String) throws -> String {
    let source = try source()
    guard source.url.pathExtension == "xcdatamodeld" else {
      throw Problem(
        400,
        "A single .xcdatamodel has no versions; put it into a .xcdatamodeld folder."
      )
    }
    let name = name.isEmpty ? Self.nextName(after: source.versionNames, of: source.url) : name
    guard !name.contains("/"), !name.hasPrefix("."), name.utf8.count <= 200, !name.utf8.contains(0)
    else { throw Problem(400, "A version’s name becomes the name of a folder; choose another.") }
    let place = source.url.appending(path: "\(name).xcdatamodel")
    guard !source.versionNames.contains(name), !FileManager.default.fileExists(atPath: place.path)
    else { throw Problem(409, "There is a version “\(name)” already.") }
    let data = try draft(origin) { $0.document.data }
    do {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      try data.write(to: place.appending(path: "contents"), options: .atomic)
      try makeCurrent(name)
    } catch {
      // A part of a version would make the model unreadable; if it cannot be removed, the first failure says why.
      try? FileManager.default.removeItem(at: place)
      throw error
    }
    return name
  }

  /// `Notes 2` after `Notes`, as Xcode names it.
  private static func nextName(after names: [String], of model: URL) -> String {
    let stem = model.deletingPathExtension().lastPathComponent
    var number = names.count + 1
    while names.contains("\(stem) \(number)") { number += 1 }
    return "\(stem) \(number)"
  }

  /// Makes a version the current one.
  func makeCurrent(_ name: String) throws {
    guard let folder, try source().versionNames.contains(name) else {
      throw Problem(404, "The model has no version “\(name.prefix(200))”.")
    }
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "\(name).xcdatamodel"],
      format: .xml,
      options: 0
    )
    try data.write(to: folder.appending(path: ".xccurrentversion"), options: .atomic)
  }
}
