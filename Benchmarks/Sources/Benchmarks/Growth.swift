import CoreData
import Foundation

/// The cost of one row as the rows become more.
///
///     Scripts/benchmark growth [most rows] [rounds] [fewest rows]
///
/// Begins with 10,000 rows, unless told otherwise, and doubles them. A line whose row costs a tenth more than with half as many
/// is marked; plain SQLite's row is beside it, as its cost grows too.
struct Growth {
  let fewest: Int
  let most: Int
  let rounds: Int

  private static let names = [
    "fetch", "read", "dictionaries", "scan", "insert", "insert-bare", "batch", "upsert",
  ]

  func run() throws {
    print("µs of the processor for each row, the least of \(rounds) rounds: ours, plain SQLite's")
    var before: [String: Double] = [:]
    var count = fewest
    while count <= most {
      print("\(count) rows")
      let stand = try Stand(count: count)
      defer { stand.remove() }
      for work in BenchmarkTable.works where Self.names.contains(work.name) {
        let outcome = try BenchmarkTable.outcome(of: work, on: stand, rounds: rounds)
        let ours = outcome.ours * 1000 / Double(count)
        let plain = (outcome.plain ?? .nan) * 1000 / Double(count)
        let growth = before[work.name].map { ours / $0 }
        let told = growth.map { String(format: "× %.2f%@", $0, $0 > 1.1 ? "  dearer" : "") } ?? ""
        print(
          "  " + work.name.padding(toLength: 14, withPad: " ", startingAt: 0)
            + String(format: "%8.3f %8.3f  %@", ours, plain, told)
        )
        // The many rows take hours, and a file has the lines as they come.
        fflush(nil)
        before[work.name] = ours
      }
      count *= 2
    }
  }
}
