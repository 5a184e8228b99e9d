/// The versions that stages speak of, in one line from the oldest to the newest.
///
/// ```
/// lightweight [1, 2] · custom 2 → 3 · lightweight [4]
///
/// 1 ─▶ 2 ─custom─▶ 3 ─▶ 4
/// ```
///
/// Between two stages a store goes on by lightweight migration.
struct StageOrder {
  private(set) var versions: [String] = []
  private var customs: [String: NSCustomMigrationStage] = [:]

  /// One step from a version to the next.
  struct Move {
    let from: String
    let to: String
    let custom: NSCustomMigrationStage?
  }

  init(_ stages: [NSMigrationStage]) {
    for stage in stages {
      switch stage {
      case let stage as NSLightweightMigrationStage:
        for checksum in stage.versionChecksums { append(checksum) }
      case let stage as NSCustomMigrationStage:
        append(stage.currentModel.versionChecksum)
        customs[stage.currentModel.versionChecksum] = stage
        append(stage.nextModel.versionChecksum)
      case _:
        stop(
          "a stage of a migration is an NSLightweightMigrationStage or an NSCustomMigrationStage, not "
            + "\(type(of: stage))"
        )
      }
    }
  }

  private mutating func append(_ checksum: String) {
    if versions.last == checksum { return }
    require(
      !versions.contains(checksum),
      "the version \(checksum) stands at two places of the stages; list each version once, from the "
        + "oldest to the newest"
    )
    versions.append(checksum)
  }

  /// The steps between two places.
  func moves(from start: Int, to end: Int) -> [Move] {
    (start..<end).map { place in
      let (from, to) = (versions[place], versions[place + 1])
      let custom = customs[from].flatMap { $0.nextModel.versionChecksum == to ? $0 : nil }
      return Move(from: from, to: to, custom: custom)
    }
  }
}
