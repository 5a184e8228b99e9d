/// The course of histories that are about one thing: that more often, and nothing that would hide it.
struct Circumstances {
  /// The edits of people; any if it is empty, and `nil` for those of a subject that the seed decides.
  var edits: [Int]? = []
  /// The kinds of turns; `nil` for all kinds.
  var turns: [Turn.Kind]?
  /// The steps in this order, again and again at other devices, with some left out.
  var story: [Turn.Step]?
  /// Of a hundred answers that pass a bad connection, how many get lost.
  var lostAnswers = 10
  /// Of a hundred times when the server forgets, how often it gives up devices that were silent, and for how many
  /// milliseconds at most.
  var givenUp = 40
  var longestSilence = 20_000
  /// The liberties that the devices' framework takes.
  var looseness = Looseness.ofEnvironment

  /// People whose devices or stores are put back to backups all the time, and read those in the middle of something.
  static let restored = Circumstances(
    edits: nil,
    turns: [
      .save, .save, .save, .save, .save, .save, .synchronize, .synchronize, .synchronize,
      .interrupt, .crash, .lose,
      .backUp, .backUp, .restore, .restore, .restoreStore, .purgeHistory,
    ]
  )

  /// People who delete what others lead to: labels and tags that somebody needs, notes, whole folders.
  static let deleting = Circumstances(
    edits: [0, 2, 2, 2, 6, 11, 14, 14, 17, 18, 18, 20, 20, 22, 24, 25, 26, 28, 28, 28, 29, 29, 29]
  )

  /// People who put notes into sets and take them out: tags, pins, and notes that are related.
  static let tagging = Circumstances(
    edits: [0, 2, 14, 14, 14, 14, 17, 17, 17, 18, 19, 21, 21, 22, 22, 22, 22, 23, 28]
  )

  /// The turns between saves and exchanges.
  static let disturbances: Set<Turn.Kind> = Set(Turn.Kind.allCases).subtracting([
    .save, .synchronize, .join,
  ])

  /// The devices of people with a bad connection, and a server that soon gives them up and forgets.
  fileprivate static let forgetful = Circumstances(
    edits: [0, 2, 2, 6, 28],
    turns: [.save, .save, .save, .synchronize, .synchronize, .lose, .lose, .purge],
    lostAnswers: 40,
    givenUp: 80,
    longestSilence: 2_000
  )

  /// The same, and the device was put back to when it had not heard of it.
  fileprivate static let unheardInBackup = Circumstances(
    edits: [0, 2, 2, 28, 28],
    story: [
      .init(.synchronize, by: 0), .init(.save, by: 0), .init(.lose, by: 0), .init(.backUp, by: 0),
      .init(.synchronize, by: 0), .init(.synchronize, by: 1), .init(.save, by: 1),
      .init(.synchronize, by: 1), .init(.synchronize, by: 0), .init(.purge, by: 1),
      .init(.restore, by: 0), .init(.synchronize, by: 0),
    ],
    lostAnswers: 60,
    givenUp: 90,
    longestSilence: 500
  )

  /// A label that is deleted while somebody who is not heard gives it to a note, and the server forgets that.
  fileprivate static let forgottenLabels = Circumstances(
    edits: [0, 2, 20, 20, 29, 29],
    story: [
      .init(.synchronize, by: 0), .init(.synchronize, by: 1), .init(.save, by: 0),
      .init(.save, by: 1), .init(.synchronize, by: 1), .init(.lose, by: 0), .init(.lose, by: 0),
      .init(.purge, by: 1), .init(.save, by: 0), .init(.synchronize, by: 0),
    ],
    lostAnswers: 60,
    givenUp: 90,
    longestSilence: 500
  )

  /// A device does not hear that its notes have arrived, another deletes them, and the server forgets that.
  fileprivate static let unheard = Circumstances(
    edits: [0, 2, 2, 28, 28],
    story: [
      .init(.synchronize, by: 0), .init(.save, by: 0), .init(.lose, by: 0),
      .init(.synchronize, by: 1), .init(.save, by: 1), .init(.synchronize, by: 1),
      .init(.synchronize, by: 1), .init(.purge, by: 1), .init(.synchronize, by: 0),
    ],
    lostAnswers: 60,
    givenUp: 90,
    longestSilence: 500
  )
}

extension InjectedBug {
  /// The histories in which it is looked for.
  var circumstances: Circumstances {
    switch self {
    // None that hide it: a pair whose tag was renamed proves nothing.
    case .edgesWithoutDots: Circumstances(edits: [0, 2, 14, 14, 14, 17, 17])
    case .noRepair: Circumstances(edits: [0, 2, 20, 20, 28, 29])
    case .forgottenConflicts, .untoldLosses: Circumstances(edits: [0, 2, 2, 6, 6, 6, 9, 9])
    case .wallClock, .earlyConfirmation, .cursorFirst, .numbersAsCursor, .pageByPage,
      .changedOnTheWay:
      Circumstances()
    case .restoreResends: .unheardInBackup
    case .staleUndelete: .forgottenLabels
    case .resyncKeepsState: .forgetful
    case .pushBeforeResync, .resyncResends: .unheard
    }
  }
}
