import Foundation
import SyncSimulation

// Random histories of devices and their server, for people who want more of them than the tests
// try:
//
//     program-to-simulate FIRST-LAST [restored] [deleting | tagging]
//
//     restored   devices are put back to backups all the time
//     deleting   people delete objects that others lead to
//     tagging    people put notes into sets and take them out
//
// COREDATA_SYNC_LOOSE names liberties that the devices' framework takes, with commas between: opaqueTokens and
// shuffledChanges, and mergedSaves, broadUpdates and lateSaves, with which some histories fail.
//
// Prints the seeds that fail, each with the fewest turns that do, and at the end how many hold.

private let arguments = CommandLine.arguments.dropFirst()
private let ends = arguments.first?.split(separator: "-").map { UInt64($0) }
private let themes = arguments.dropFirst().map { RandomHistory.Theme(rawValue: $0) }
guard let ends, ends.count == 2, let first = ends[0], let last = ends[1], first <= last,
  !themes.contains(nil)
else {
  FileHandle.standardError.write(
    Data("Say which seeds: program-to-simulate 1-1000 [restored] [deleting | tagging]\n".utf8)
  )
  exit(2)
}

private var failures = 0
private var saves = 0
for seed in first...last {
  let history =
    themes.isEmpty
    ? RandomHistory(seed: seed) : RandomHistory(seed: seed, of: themes.compactMap { $0 })
  do {
    saves += try history.run()
  } catch {
    failures += 1
    print(history.story(of: error))
    // A person who stops the program has the results so far.
    fflush(nil)
  }
}
let count = last - first + 1
print("\(count - UInt64(failures)) of \(count) histories hold, with \(saves) saves")
exit(failures == 0 ? 0 : 1)
