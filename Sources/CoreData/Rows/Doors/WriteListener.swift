/// An object that announces what is written to a store.
package protocol WriteListener: AnyObject, Sendable {
  /// Notes that this coordinator has written; the number is that of the last transaction of the history.
  ///
  /// The save of a context informs the other contexts by itself.
  func noteOwnWrite(_ number: Int64?, isSave: Bool)
  /// Ends the announcements; called before the connections are closed.
  func stop()
}
