import CoreDataModel
import CoreDataModelWriting
import Foundation

/// `coredata model new`: an empty model.
struct ModelNewCommand: Command {
  static let words = ["model", "new"]
  static let summary = "make an empty model, a .xcdatamodeld folder"
  static let help = """
    coredata model new MODEL

    Makes an empty model with one version, as Xcode does. Add to it with coredata model add-entity,
    add-attribute, add-relationship and add-version, or open it in Xcode.

      MODEL   the .xcdatamodeld to make, which must not exist yet; the ending may be left out

      coredata model new Notes.xcdatamodeld

    \(CoreDataCommand.exitStatuses)
    """

  private let url: URL

  init(_ arguments: inout CommandArguments) throws {
    let path = try arguments.operand("the path of the new model")
    url = URL(filePath: path.hasSuffix(".xcdatamodeld") ? path : "\(path).xcdatamodeld")
    try arguments.finish()
  }

  func run() throws {
    guard !FileManager.default.fileExists(atPath: url.path) else {
      throw Refusal("\(url.relativePath) already exists; choose another name")
    }
    let name = url.deletingPathExtension().lastPathComponent
    try refusing {
      try ModelSource.write(
        [CompiledModel.Version(name: name, schema: ModelSchema())],
        currentVersionName: name,
        to: url
      )
    }
    print(url.relativePath)
  }
}
