/// The result of an attempt to save.
enum SaveAttempt {
  case saved([StoreSave])
  /// Changes by others conflict with it; nothing was written.
  case refused(SaveRefusal)
  /// A store could not end its transaction when another had ended it already.
  case incomplete(IncompleteSave)
}
