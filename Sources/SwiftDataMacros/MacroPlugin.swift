import Glibc
import SwiftDataExpansion

/// The program that the compiler starts to expand the macros of SwiftData.
@main enum MacroPlugin {
  static func main() {
    exit(CompilerConnection(input: STDIN_FILENO, output: STDOUT_FILENO).run())
  }
}
