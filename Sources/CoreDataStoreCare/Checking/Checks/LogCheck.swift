import CoreData
import Foundation

/// Whether the write-ahead log beside a store can be read to its end.
///
/// The newest of a store stands there, and SQLite leaves out what is damaged without a word. A log that
/// ends inside a frame is a warning only: so does one whose program was ended while it wrote, and then
/// nothing is missing that was saved.
struct LogCheck {
  let log: WriteAheadLog?

  var findings: [Finding] {
    guard let log, log.isDamaged else { return [] }
    let severity: Finding.Severity =
      log.isHeaderDamaged || log.damagedCount > 0 ? .error : .warning
    return [Finding(severity, .log, .file, count: max(log.damagedCount, 1), .none, log.sentence)]
  }

  /// Of a log that belongs to another store; whatever is read through it says nothing of the file.
  static let ofAnother: Finding = {
    var finding = Finding(
      .error,
      .log,
      .file,
      "the -wal beside it belongs to another store: the file is damaged when it is read with it, and not"
        + " without it; nothing else was checked"
    )
    finding.advice =
      "put the store's own -wal file beside it, or move this one away if the store was closed without one"
    return finding
  }()
}

extension WriteAheadLog {
  /// What is wrong with the log, and what that means.
  fileprivate var sentence: String {
    let advice = "copy store and -wal together once more from where they came from"
    if isHeaderDamaged {
      return
        "the beginning of the -wal beside it is damaged: SQLite reads nothing of it, and what was"
        + " written last is missing; \(advice)"
    }
    if damagedCount > 0 {
      return
        "\(damagedCount) of \(frameCount) frames of the -wal beside it fail their checksum: SQLite"
        + " reads \(extent), and what was written later is missing; \(advice)"
    }
    return
      "the -wal beside it ends inside a frame, after \(frameCount) whole ones. Either a"
      + " program was ended while it wrote, or the file was cut off and its newest data are missing; in"
      + " that case \(advice)"
  }

  private var extent: String {
    readCount == 0 ? "nothing of it" : "only the first \(readCount)"
  }
}
