import CoreDataModel
import Foundation

/// `coredata model add-version`: a copy of the current version, which becomes the current one.
struct ModelAddVersionCommand: Command {
  static let words = ["model", "add-version"]
  static let summary = "add a version to a model, to be changed from then on"
  static let help = """
    coredata model add-version MODEL [NAME] [--keep-current]

    Copies the current version of a model under a new name and makes the copy the current version. The
    old one stays as it is, so that stores that were made with it can be migrated.

      MODEL            a .xcdatamodeld
      NAME             the name of the new version; without it, the model's name and the next number
      --keep-current   leave the current version the current one

      coredata model add-version Notes.xcdatamodeld

    \(CoreDataCommand.exitStatuses)
    """

  private let path: String
  private let name: String?
  private let keepsCurrent: Bool

  init(_ arguments: inout CommandArguments) throws {
    keepsCurrent = arguments.flag("--keep-current")
    path = try arguments.operand("the path of a model")
    name = arguments.operand()
    try arguments.finish()
  }

  func run() throws {
    let model = try EditedModel(at: path)
    guard model.url.pathExtension == "xcdatamodeld" else {
      throw Refusal("\(path) is a single version; put it into a .xcdatamodeld folder first")
    }
    let names = try ModelSourceFolder(at: model.url).versionNames
    let name = self.name.map(Self.withoutEnding) ?? Self.nextName(after: names, of: model.url)
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), name.utf8.count <= 200 else {
      throw Refusal("'\(name)' is no name for a version; it becomes the name of a folder")
    }
    let place = model.url.appending(path: "\(name).xcdatamodel")
    guard !names.contains(name), !FileManager.default.fileExists(atPath: place.path) else {
      throw Refusal("\(model.url.lastPathComponent) already has a version '\(name)'")
    }
    try refusing {
      let source = model.url.appending(path: "\(model.versionName).xcdatamodel")
      do {
        try FileManager.default.copyItem(at: source, to: place)
        if !keepsCurrent { try makeCurrent(name, in: model.url) }
      } catch {
        // A part of a version would make the model unreadable.
        try? FileManager.default.removeItem(at: place)
        throw error
      }
    }
    print(name)
  }

  /// A version is also known by the name of its folder.
  private static func withoutEnding(_ name: String) -> String {
    let ending = ".xcdatamodel"
    return name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
  }

  /// `Notes 2` after `Notes`, as Xcode names it.
  private static func nextName(after names: [String], of model: URL) -> String {
    let stem = model.deletingPathExtension().lastPathComponent
    var number = names.count + 1
    while names.contains("\(stem) \(number)") { number += 1 }
    return "\(stem) \(number)"
  }

  private func makeCurrent(_ name: String, in model: URL) throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "\(name).xcdatamodel"],
      format: .xml,
      options: 0
    )
    try data.write(to: model.appending(path: ".xccurrentversion"), options: .atomic)
  }
}
