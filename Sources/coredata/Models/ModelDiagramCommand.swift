import CoreDataModel
import CoreDataModelWriting
import Foundation

/// `coredata model diagram`: a model as a picture.
struct ModelDiagramCommand: Command {
  static let words = ["model", "diagram"]
  static let summary = "draw entities and relationships, as SVG or for Mermaid"
  static let help = """
    coredata model diagram MODEL [--version NAME] [-o FILE] [--force] [--mermaid]

    Draws a model: a box for each entity, a line for each relationship with its inverse, and a dashed
    line from a superentity to its subentities.

      MODEL            a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store with its model in it
      --version NAME   a version of the model; without it, the current one
      -o FILE          where to write; without it, the picture is printed
      --force          replace a file that is there
      --mermaid        text for Mermaid instead of SVG

    A crow's foot stands at the end of which there are many, a bar where there is one, an arrow where
    there is no way back. The picture follows the light or dark appearance of whoever looks at it.

      coredata model diagram Notes.xcdatamodeld -o Notes.svg

    \(CoreDataCommand.exitStatuses)
    """

  private let model: URL
  private let version: String?
  private let output: URL?
  private let isForced: Bool
  private let isMermaid: Bool

  init(_ arguments: inout CommandArguments) throws {
    isMermaid = arguments.flag("--mermaid")
    isForced = arguments.flag("--force")
    version = try arguments.value(ifGiven: "--version")
    output = try arguments.value(ifGiven: "-o").map { URL(filePath: $0) }
    model = URL(filePath: try arguments.operand("the path of a model"))
    try arguments.finish()
  }

  func run() throws {
    let file = try ModelFile(contentsOf: model)
    let version = try file.version(version)
    let drawing =
      isMermaid
      ? MermaidDiagram(version.schema).text
      : DiagramDrawing(version.schema, title: version.name).svg
    guard let output else {
      print(drawing, terminator: "")
      return
    }
    try OpenedStore.requirePlace(output, forFileNamed: "\(version.name).svg")
    let places = [model, output].map { $0.resolvingSymlinksInPath().standardizedFileURL.path }
    if places[0] == places[1] { throw Refusal("\(output.path) is the model that is drawn") }
    try OpenedStore.requireReplaceable(output, isForced)
    try refusing { try Data(drawing.utf8).write(to: output) }
  }
}
