import CoreDataModel
import CoreDataModelWriting
import Foundation

/// `coredata model diagram`: a model as a picture.
struct ModelDiagramCommand: Command {
  static let words = ["model", "diagram"]
  static let summary = "draw the entities and relationships of a model as SVG or for Mermaid"
  static let help = """
    coredata model diagram MODEL [--version NAME] [-o FILE] [--force] [--mermaid]

    Draws a model: a box for each entity, a line for each relationship with its inverse, and a dashed
    line from each superentity to its subentities.

      MODEL            a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store that contains its model
      --version NAME   a version of the model; without it, the current one
      -o FILE, --output FILE
                       the file to write; without it, the diagram is printed
      --force          replace an existing file
      --mermaid        write text for Mermaid instead of SVG

    A crow's foot marks the end of a line with many objects, a bar the end with one object, and an arrow
    a relationship without an inverse. The SVG adapts to light and dark mode.

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
    output = try arguments.output().map { URL(filePath: $0) }
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
    if places[0] == places[1] { throw Refusal("\(output.path) is the model itself") }
    try OpenedStore.requireReplaceable(output, isForced)
    try refusing { try Data(drawing.utf8).write(to: output, options: .atomic) }
  }
}
