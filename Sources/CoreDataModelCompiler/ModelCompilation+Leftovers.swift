import CoreDataModel
import Foundation

// MARK: - What earlier runs have left

extension ModelCompilation {
  /// A warning for each Swift file that an earlier run has made of the model, and this one has not.
  ///
  /// Such a file is compiled with the others, and declares a class for which the model has no entity, or one that
  /// another file declares too. It stays nevertheless: somebody may have edited it.
  func leftovers(besides files: [SwiftFile]) -> [ModelProblem] {
    let current = Set(files.map(\.name))
    let banner = Data(SwiftFile.banner(model.lastPathComponent).utf8)
    // A folder that cannot be listed has nothing that could be told.
    let present = (try? FileManager.default.contentsOfDirectory(atPath: output.path)) ?? []
    return present.sorted()
      .filter { $0.hasSuffix(".swift") && !current.contains($0) }
      .map { output.appending(component: $0).path }
      .filter { FileManager.default.contents(atPath: $0)?.starts(with: banner) ?? false }
      .map { path in
        ModelProblem(
          .warning,
          file: path,
          message: "an earlier run made this file, and the model no longer asks for it; delete it, "
            + "or remove its first line to keep it"
        )
      }
  }
}
