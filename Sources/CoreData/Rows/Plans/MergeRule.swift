/// The rules of a kind of merge policy, for an object and its row that do not agree, and for two objects that want
/// one value: in a save and in a batch.
///
/// ```
///                changes here    values unchanged here   the row is gone      what wants a taken value
/// error          refused         refused                 refused              refused
/// store trump    where the row   the row's               the object goes      joins its holder, which
///                has none                                                     keeps its values
/// object trump   stay            the row's               written again        its changes go to the holder
/// overwrite      stay            written over the row's  written again        all of it goes to the holder
/// rollback       given up        the row's               the object goes      is given up
/// ```
package struct MergeRule: Sendable {
  let changes: Changes
  /// Whether values that were only read are written over the row's.
  let overwrites: Bool
  /// Whether an object outlives its row, and its deletion a row that has changed.
  let insists: Bool
  package let newcomer: Newcomer

  /// The fate of an object's unsaved changes when its row has changed.
  enum Changes {
    case stay
    case stayWhereRowHasNone
    case givenUp
  }

  /// The fate of an object, or a row of a batch, whose unique values another one has.
  package enum Newcomer {
    case refused
    case givenUp
    case joins
    case writesChanges
    case writesAll
  }
}
