/// Somebody on the way to the server takes no message of that size.
///
/// Whoever sends for an engine throws it for a push of several cells, which the engine then sends in smaller messages.
package struct MessageTooLarge: Error {
  package init() {}
}
