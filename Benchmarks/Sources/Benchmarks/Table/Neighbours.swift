import Foundation

/// Two processes that walk through memory while the table is measured, as other programs on a busy machine do.
///
/// Each of them changes 64 MB again and again, one cache line after another in an order that the processor cannot
/// foresee: the work beside them finds little of its data in the caches that the processors share.
final class Neighbours {
  private static let argument = "walk-memory"
  private var processes: [Process] = []

  init(count: Int = 2) throws {
    for _ in 0..<count {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = [Self.argument]
      try process.run()
      processes.append(process)
    }
  }

  func stop() {
    for process in processes {
      process.terminate()
      process.waitUntilExit()
    }
    processes = []
  }

  /// Walks through memory if this process is a neighbour, until it is terminated or has lost its parent.
  static func walkIfAsked(_ arguments: [String]) {
    guard arguments == [argument] else { return }
    let words = 64 * 1_048_576 / 8
    let (line, parent) = (8, getppid())
    let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
    memory.initialize(repeating: 1, count: words)
    // A linear congruential generator whose period is the number of lines: it visits each line once.
    let lines = words / line
    var place = 0
    while getppid() == parent {
      for _ in 0..<lines {
        memory[place * line] &+= 1
        place = (place &* 1_664_525 &+ 1_013_904_223) & (lines - 1)
      }
    }
    exit(0)
  }
}
