import CoreDataModelCompiler

extension CommandArguments {
  /// The module of a model's classes, after `--module`.
  ///
  /// A text that is not the name of a module would be written into the model, and its classes would never be found.
  mutating func module() throws(Mistake) -> String {
    let name = try value(of: "--module", "the module that the files will belong to")
    guard SwiftName(name).isIdentifier else {
      throw mistake(
        "'\(name)' is no name of a module; use letters, digits and '_', as my_app for a target my-app"
      )
    }
    return name
  }
}
