/// A server or proxy does not take a message of that size.
///
/// The sender of an engine throws it for a push of several cells, which the engine then sends in smaller messages.
package struct MessageTooLarge: Error {
  package init() {}
}
