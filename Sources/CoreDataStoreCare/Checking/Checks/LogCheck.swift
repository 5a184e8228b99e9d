import CoreData
import Foundation

/// Whether the write-ahead log beside a store can be read to its end.
///
/// The newest changes of a store are there, and SQLite silently leaves out damaged ones. A log that ends inside a frame
/// is only a warning: a program that was ended while it wrote leaves such a log too, and then nothing that was saved is
/// missing.
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
  /// The damage of the log, and its consequences.
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
