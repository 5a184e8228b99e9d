/// Something that can be changed until its model is in use.
///
/// A coordinator takes a model by freezing it. From then on the model and all in it are the same
/// for every thread, and a setter stops the program:
///
/// ```
/// note.name = "Remark"
/// // the entity Note belongs to a model that is in use; copy the model to change it
/// ```
protocol FrozenWithModel: AnyObject {
  var isFrozen: Bool { get }
  /// The kind and name, as in "the entity Note".
  var title: String { get }
}

extension FrozenWithModel {
  /// Every setter calls this first.
  func willChange() {
    guard isFrozen else { return }
    stop("\(title) belongs to a model that is in use; copy the model to change it")
  }
}
