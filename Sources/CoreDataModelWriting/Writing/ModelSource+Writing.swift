package import CoreDataModel
package import Foundation

extension ModelSource {
  /// Writes versions of a model as a folder that Xcode opens, replacing a model that is there.
  ///
  /// Throws for a folder with anything else in it: nothing of somebody's is deleted.
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
    try ModelReplacement.source.write(to: url) { place in
      for version in contents {
        let folder = place.appending(path: "\(version.name).xcdatamodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try version.data.write(to: folder.appending(path: "contents"))
      }
      try current.write(to: place.appending(path: ".xccurrentversion"))
    }
  }
}
