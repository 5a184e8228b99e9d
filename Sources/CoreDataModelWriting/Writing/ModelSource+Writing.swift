package import CoreDataModel
package import Foundation

extension ModelSource {
  /// Writes versions of a model as a folder that Xcode opens, replacing one that is there.
  ///
  ///     Notes.xcdatamodeld/
  ///     ├── .xccurrentversion
  ///     └── Notes.xcdatamodel/contents
  package static func write(
    _ versions: [CompiledModel.Version],
    currentVersionName: String,
    to url: URL
  ) throws {
    // Everything is text before anything on disk changes.
    let contents = versions.map { (name: $0.name, data: SchemaWriter($0.schema).data) }
    let current = try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "\(currentVersionName).xcdatamodel"],
      format: .xml,
      options: 0
    )
    if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
    for version in contents {
      let folder = url.appending(path: "\(version.name).xcdatamodel")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try version.data.write(to: folder.appending(path: "contents"))
    }
    try current.write(to: url.appending(path: ".xccurrentversion"))
  }
}
