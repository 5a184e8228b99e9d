import Foundation

/// The bundles of the program, as far as Foundation can look for them.
///
/// On Linux it finds the program by `/proc/self/exe`, and stops the program if `/proc` is missing, as in an empty
/// folder that is a server's whole world.
enum ProgramBundles {
  /// The program's own bundle.
  static let main: Bundle? = {
    #if os(Linux)
    guard FileManager.default.fileExists(atPath: "/proc/self/exe") else { return nil }
    #endif
    return .main
  }()

  /// The program's own bundle and those that were loaded.
  static var loaded: [Bundle] { main.map { [$0] + Bundle.allBundles } ?? [] }

  /// These and the frameworks.
  static var all: [Bundle] { main.map { _ in loaded + Bundle.allFrameworks } ?? [] }

  /// The module of the running program, as SwiftPM derives it from the program's name.
  static let modules: [String] = {
    guard
      let program = ProgramBundles.main?.executableURL?.deletingPathExtension()
        .lastPathComponent
    else { return [] }
    return [String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" })]
  }()
}
