import Foundation

/// `coredata new app`: a package with a program, a model and a test.
struct NewAppCommand: Command {
  static let words = ["new", "app"]
  static let summary = "make a program with a model and a test, ready to build and run"
  static let help = """
    coredata new app NAME [--web] [--swiftdata] [--package PLACE [--branch BRANCH | --from VERSION]]

    Makes the folder NAME with a Swift package: a library with a data model and what is done with it, a
    program, a test, a README and a Dockerfile. It builds and runs at once:

      coredata new app Notes && cd Notes && swift run Notes add 'First note'

      NAME             the program's name, with a capital first letter; the folder must not be there yet
      --web            a program with a page in the browser instead of one for the terminal
      --swiftdata      the model is a @Model class of SwiftData instead of a model file
      --package PLACE  the package open-core-data: its folder, or the URL of a repository; without this
                       option, the folder that this tool was built from
      --branch BRANCH  the branch of the repository
      --from VERSION   this version of the repository, or a later one that is compatible; without
                       --branch and --from, the version of this tool

    \(CoreDataCommand.exitStatuses)
    """

  private let name: String
  private let isWeb: Bool
  private let usesSwiftData: Bool
  private let package: PackageSource

  init(_ arguments: inout CommandArguments) throws {
    isWeb = arguments.flag("--web")
    usesSwiftData = arguments.flag("--swiftdata")
    package = try PackageSource(&arguments, ownPackage: Self.ownPackage)
    name = try arguments.operand("the name of the program")
    try arguments.finish()
    guard let first = name.unicodeScalars.first, ("A"..."Z").contains(first), name.utf8.count <= 64,
      name.unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
      })
    else {
      throw Refusal(
        "'\(name)' is no name for a program here; use letters and digits, a capital letter first"
      )
    }
    guard !Self.taken.contains(name), !name.hasPrefix("CoreData"), !name.hasPrefix("BuildTool")
    else {
      throw Refusal("'\(name)' is the name of a module that the program needs; choose another")
    }
  }

  /// Modules that the program, its framework or its tests import, and classes of the program.
  private static let taken: Set<String> = [
    "Combine", "Cxx", "Dispatch", "Distributed", "Foundation", "FoundationEssentials",
    "FoundationNetworking", "FoundationXML", "Glibc", "Note", "Notebook", "Observation",
    "RegexBuilder", "Swift", "SwiftData", "SwiftDataExpansion", "SwiftDataMacros",
    "Synchronization", "Testing", "TestSupport", "XCTest",
  ]

  func run() throws {
    let folder = URL(filePath: name, directoryHint: .isDirectory)
    guard !FileManager.default.fileExists(atPath: folder.path) else {
      throw Refusal("\(name) already exists; choose another name, or another place")
    }
    let template = AppTemplate(
      name: name,
      package: package,
      isWeb: isWeb,
      usesSwiftData: usesSwiftData
    )
    try refusing {
      for (path, text) in template.files.sorted(by: { $0.key < $1.key }) {
        let place = folder.appending(path: path)
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(),
          withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: place)
      }
    }
    print(
      "\(name) is made. Next:\n\n  cd \(name)\n  swift test\n  swift run \(name)\(isWeb ? "" : " add 'First note'")"
    )
  }

  /// The package that this tool was built from, as far as its place tells.
  private static func ownPackage() throws -> URL {
    var folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    while let place = folder, place.path != "/" {
      if PackageSource.isPackage(place) { return place }
      folder = place.deletingLastPathComponent()
    }
    throw Refusal(
      "the package open-core-data is not around this tool; give --package the folder that has it"
    )
  }
}
