import CSQLite
import Foundation

/// The measurements of one run.
struct Sample {
  let seconds: Double

  /// Runs the work and measures its wall time.
  static func of(_ work: () throws -> Void) rethrows -> Sample {
    let start = DispatchTime.now().uptimeNanoseconds
    try work()
    return Sample(seconds: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
  }
}

/// The samples of one workload, ours and plain SQLite's in turn, so that both see the same machine.
struct Comparison {
  let name: String
  var ours: [Sample] = []
  var plain: [Sample] = []

  private func milliseconds(_ samples: [Sample]) -> (least: Double, median: Double) {
    let sorted = samples.map { $0.seconds * 1000 }.sorted()
    return (sorted[0], sorted[sorted.count / 2])
  }

  /// The figures in one line.
  ///
  ///     fetch 100,000   ours 45.1 / 46.0 ms   plain 41.0 / 41.9 ms   ratio 1.10
  var line: String {
    let (ours, plain) = (milliseconds(ours), milliseconds(plain))
    return name.padding(toLength: 44, withPad: " ", startingAt: 0)
      + String(
        format: "ours %8.1f / %8.1f ms   plain %8.1f / %8.1f ms   ratio %.2f",
        ours.least,
        ours.median,
        plain.least,
        plain.median,
        ours.least / plain.least
      )
  }
}

/// The process's memory.
enum Memory {
  /// Bytes that the allocator has given out and not got back.
  static var allocated: Int { allocated_bytes() }

  /// The same, once nothing is released any more: objects that ended before this end on threads of their own.
  static var settled: Int {
    var (last, now) = (Int.max, allocated)
    while now < last {
      usleep(50_000)
      (last, now) = (now, allocated)
    }
    return now
  }

  /// Megabytes that the process had at its largest, from the kernel's books.
  static var peak: Double {
    // Without such a file the figure is 0, and looks it.
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
      let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) }
      return (kilobytes ?? 0) / 1024
    }
    return 0
  }
}
